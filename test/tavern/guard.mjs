// Loaded into the SillyTavern process: when the process that started it is gone, however it ended, nothing is left behind.
import { rmSync } from 'node:fs';

process.on('disconnect', () => {
    const folder = process.env.NARRATIVE_AGENT_THROW_AWAY;
    if (folder) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
});
// The channel alone must not keep the server alive.
process.channel?.unref();
