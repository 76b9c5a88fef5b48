import SandboxWorker from './worker?worker&inline';

/** A new worker with its code and the engine inside the bundle; nothing is loaded before this is called. */
export function spawnSandboxWorker(): Worker {
    return new SandboxWorker({ name: 'narrative-agent-sandbox' });
}
