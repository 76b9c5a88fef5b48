/** Sentences for what the host room reports. */
export const hostTexts: Record<string, { zh: string; en: string }> = {
    'host.no-embedded-book': { zh: '角色「{character}」没有内嵌世界书。', en: 'The character “{character}” has no embedded worldbook.' },
    'host.no-linked-world': { zh: '角色「{character}」没有链接世界书。', en: 'The character “{character}” links no worldbook.' },
    'host.world-missing': { zh: '找不到世界书「{world}」：它可能已改名或被删除。', en: 'The worldbook “{world}” is missing: it may have been renamed or deleted.' },
    'host.world-unreadable': { zh: '读取世界书「{world}」失败：{error}', en: 'The worldbook “{world}” could not be read: {error}' },
    'host.version-lacks': { zh: '这个版本的 SillyTavern 缺少：{parts}。相关功能不可用，请升级到 1.13.5 或更高版本。', en: 'This version of SillyTavern lacks: {parts}. What needs them is off; please update to 1.13.5 or later.' },
};
