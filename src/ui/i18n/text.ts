/** Sentences of the notices that reading model output gives. */
export const textTexts: Record<string, { zh: string; en: string }> = {
    'text.output-empty': { zh: '模型没有输出任何内容。', en: 'The model put out nothing.' },
    'text.output-only-reasoning': { zh: '模型只输出了思考过程，没有给出结果。', en: 'The model put out only its reasoning, no answer.' },
    'text.output-no-json': { zh: '模型的输出中找不到所要求的数据。', en: 'The model\'s output does not contain the data asked for.' },
    'text.output-invalid': { zh: '模型输出的数据不符合格式（{detail}）。', en: 'The data in the model\'s output is not in the required form ({detail}).' },
    'text.output-truncated': { zh: '模型的输出被截断，没有可用的完整内容。可以调大该 Agent 的回复上限。', en: 'The model\'s output was cut off before anything complete. A larger response limit for this agent may help.' },
};
