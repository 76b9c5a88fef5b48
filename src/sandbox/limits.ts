/** Hard limits of a code tool that no author can raise. */
export const sandboxLimits = {
    /** Ms past the deadline after which the worker is killed. */
    watchdogGrace: 300,
    /** Ms for the worker to load the engine. */
    start: 20_000,
    /** Ms without a task after which the worker is let go. */
    idle: 60_000,
    /** Ms for a syntax check. */
    check: 400,
    /** Bytes of the engine's own stack. */
    stack: 192 * 1024,
    /** Bytes of the whole engine, its own 2 MB included; a job may lower what it may allocate at once. */
    memory: 32 * 1024 * 1024,
    /** Ms; a job may ask for less. */
    deadline: 5_000,
    /** UTF-16 units of the result's JSON text. */
    resultLength: 200_000,
    /** Nesting of the result. */
    resultDepth: 100,
    logLines: 100,
    /** UTF-16 units of one logged line. */
    logLineLength: 500,
} as const;
