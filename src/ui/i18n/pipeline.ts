/** Sentences of the pipeline, the application around it, and the settings. */
export const pipelineTexts: Record<string, { zh: string; en: string }> = {
    'pipeline.stopped': { zh: '分析被停止；正文已保留。', en: 'The analysis was stopped; the narrative is kept.' },
    'pipeline.unexpected': { zh: '流水线出现意外错误：{detail}', en: 'An unexpected error in the pipeline: {detail}' },
    'pipeline.prepare-failed': { zh: '无法准备这一轮：{detail}', en: 'The turn could not be prepared: {detail}' },
    'pipeline.catch-up-failed': { zh: '第 {turn} 轮没能补上分析；可在时间线里重新运行。', en: 'Turn {turn} could not be caught up; run it again from the timeline.' },
    'pipeline.no-reply-to-correct': { zh: '聊天里还没有回复，修改无处可存。', en: 'There is no reply yet to keep the correction on.' },
    'pipeline.tool-not-active': { zh: '工具 {tool} 现在没有激活，无法运行。', en: 'The tool {tool} is not active now and cannot run.' },
    'pipeline.tool-failed': { zh: '工具 {tool} 运行失败：{detail}', en: 'The tool {tool} failed: {detail}' },
    'pipeline.truncated': { zh: '{purpose} 的回答在中途被截断，截断处之后的内容没有采用。可调大它的回复上限。', en: 'The answer of {purpose} was cut off; what came after the cut is not used. A larger response limit helps.' },
    'pipeline.planning-fell-back': { zh: '规划的回答无法读懂，这一轮改为合并写作。', en: 'The planning could not be read; this turn went on as merged writing.' },
    'pipeline.imported': { zh: '已导入 {placed} 轮的记录，{left} 轮在这个聊天里找不到对应的回复。', en: 'Imported the records of {placed} turns; {left} fit no reply of this chat.' },
    'config.broken': { zh: '设置「{path}」的值无效，已用默认值。', en: 'The setting “{path}” had an unusable value; its default is used.' },
};
