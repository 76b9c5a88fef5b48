/** Sentences for what the host room reports. */
export const hostTexts: Record<string, { zh: string; en: string }> = {
    'host.no-embedded-book': { zh: '角色「{character}」没有内嵌世界书。', en: 'The character “{character}” has no embedded worldbook.' },
    'host.no-linked-world': { zh: '角色「{character}」没有链接世界书。', en: 'The character “{character}” links no worldbook.' },
    'host.world-missing': { zh: '找不到世界书「{world}」：它可能已改名或被删除。', en: 'The worldbook “{world}” is missing: it may have been renamed or deleted.' },
    'host.world-unreadable': { zh: '读取世界书「{world}」失败：{error}', en: 'The worldbook “{world}” could not be read: {error}' },
    'host.text-completion': {
        zh: '当前是文本补全 API：正文按你的指令模板排版，规划与分析照常。结构化输出只在 llama.cpp 与 TabbyAPI 上可用；回复被截断时可能无从得知。',
        en: 'This is a text-completion API: the narrative goes through your instruct template; planning and analysis work as usual. Structured output is there with llama.cpp and TabbyAPI only, and a cut-off answer may go unnoticed.',
    },
    'host.text-plain': {
        zh: '这个版本的 SillyTavern 不提供指令模板接口：在文本补全 API 上，提示词将不带模板、逐段相连地发送。',
        en: 'This version of SillyTavern does not offer its instruct template: on text completion the prompts are sent as plain texts, one after another.',
    },
    'host.text-raw': {
        zh: '当前 API（{api}）：规划与分析经酒馆的原始生成，一次一个；各 Agent 的温度、结构化输出与中途取消请求不可用。',
        en: 'With this API ({api}) planning and analysis go through SillyTavern’s raw generation, one at a time; per-agent temperature, structured output and cancelling a request are not available.',
    },
    'host.version-lacks': { zh: '这个版本的 SillyTavern 缺少：{parts}。相关功能不可用，请升级到 1.13.5 或更高版本。', en: 'This version of SillyTavern lacks: {parts}. What needs them is off; please update to 1.13.5 or later.' },
    'host.chat-in-two-tabs': { zh: '这个聊天也在另一个标签页里打开着；那边的改动会自动载入这里。', en: 'This chat is open in another tab as well; what changes there is loaded here by itself.' },
    'host.other-tab-busy': { zh: '另一个标签页正在推进这个聊天，等它完成后继续。', en: 'Another tab is in the middle of a turn of this chat; this one goes on when that is done.' },
    'host.other-tab-reloaded': { zh: '另一个标签页改动了这个聊天，已重新载入。', en: 'Another tab changed this chat; it was loaded again.' },
    'host.other-tab-refused': { zh: '另一个标签页已改动这条回复，这次生成没有进行；聊天已重新载入。', en: 'Another tab has changed this reply, so nothing was generated; the chat was loaded again.' },
};
