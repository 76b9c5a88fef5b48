import type { Config } from '../config';
import { characterIndex, tavern } from './context';
import type { MvuHost, MvuMessage } from './mvu/mvu-host';
import type { WorldInfoModule } from './worldbook-sources';

interface VariableHelper {
    getVariables?(options: { type: string }): unknown;
}

/** SillyTavern as the variables adapter sees it. Looked up at each use. */
export function createVariablesHost(config: () => Config['mvu'], worldInfo: () => WorldInfoModule): MvuHost {
    return {
        chat: () => tavern().chat as unknown as MvuMessage[],
        saveChat: () => tavern().saveChat(),
        mvu: () => (globalThis as { Mvu?: unknown }).Mvu,
        mvuSettings: () => tavern().extensionSettings['mvu_settings'],
        boundBooks() {
            const context = tavern();
            const index = characterIndex(context);
            const card = index === null ? undefined : context.characters[index];
            const extra = worldInfo().world_info?.charLore?.find((lore) => lore.name === card?.avatar.replace(/\.[^.]+$/, ''))?.extraBooks ?? [];
            const primary = card?.data?.extensions?.world;
            return [...(worldInfo().selected_world_info ?? []), ...(primary ? [primary] : []), ...extra];
        },
        variables(scope) {
            const helper = (globalThis as { TavernHelper?: VariableHelper }).TavernHelper;
            if (helper?.getVariables) return helper.getVariables({ type: scope });
            const context = tavern();
            if (scope === 'chat') return context.chatMetadata['variables'];
            if (scope === 'global') return (context.extensionSettings['variables'] as { global?: unknown } | undefined)?.global;
            return undefined;
        },
        events: {
            on: (name, listener) => tavern().eventSource.on(name, listener as never),
            off: (name, listener) => tavern().eventSource.removeListener(name, listener as never),
            emit: (name, ...args) => tavern().eventSource.emit(name, ...args),
        },
        substitute: (text) => tavern().substituteParams(text),
        config,
        now: () => Date.now(),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    };
}
