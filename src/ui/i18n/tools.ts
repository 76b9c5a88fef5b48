/** What src/tools reports of `[TOOL:…]` entries: which entry, which line, what is wrong, and the mend. */
export const toolsTexts: Record<string, { zh: string; en: string }> = {
    'tools.json-no-object': {
        zh: '条目「{entry}」第 {line} 行：内容不是 JSON 对象，工具未注册。请以 { 开头、} 结尾，写成教程里的格式。',
        en: 'Entry “{entry}”, line {line}: the content is no JSON object, so there is no tool. Begin with { and end with }, as in the tutorial.',
    },
    'tools.json-unclosed-string': {
        zh: '条目「{entry}」第 {line} 行：这里开始的字符串没有结束，工具未注册。请补上结尾的双引号；字符串里面的双引号要写成 \\"。',
        en: 'Entry “{entry}”, line {line}: the string that begins here never ends, so there is no tool. Add the closing quote; a quote inside a string is written \\".',
    },
    'tools.json-unexpected': {
        zh: '条目「{entry}」第 {line} 行：看不懂「{found}」，工具未注册。常见原因：上一行缺逗号，或字符串里的双引号没有写成 \\"。',
        en: 'Entry “{entry}”, line {line}: cannot read “{found}”, so there is no tool. Usually a comma is missing before it, or a quote inside a string is not written \\".',
    },
    'tools.json-several': {
        zh: '条目「{entry}」第 {line} 行：一个条目只能定义一个工具，未注册。请把第二个工具放进另一个 [TOOL:…] 条目。',
        en: 'Entry “{entry}”, line {line}: one entry defines one tool; none was registered. Move the second one to a [TOOL:…] entry of its own.',
    },
    'tools.json-depth': {
        zh: '条目「{entry}」第 {line} 行：嵌套过深，工具未注册。请检查多余的 { 或 [。',
        en: 'Entry “{entry}”, line {line}: nested too deeply, so there is no tool. Look for a surplus { or [.',
    },
    'tools.json-too-long': {
        zh: '条目「{entry}」：不是严格的 JSON，而且超过 {found} 个字符，没有尝试猜测，工具未注册。请用 JSON 校验工具改正，或缩短内容。',
        en: 'Entry “{entry}”: not strict JSON and longer than {found} characters, so nothing was guessed and there is no tool. Mend it with a JSON checker, or make it shorter.',
    },
    'tools.json-lenient': {
        zh: '条目「{entry}」第 {line} 行：不是严格的 JSON（注释、多余的逗号、单引号或字符串里直接换行），已按原意读取。',
        en: 'Entry “{entry}”, line {line}: not strict JSON (comments, a trailing comma, single quotes or raw line breaks); it was read as meant.',
    },
    'tools.json-guessed': {
        zh: '条目「{entry}」第 {line} 行：JSON 有误（未转义的双引号或反斜杠、全角标点、缺少括号等），已猜测着读取。请「试运行」确认工具与原意一致，最好改正这一行。',
        en: 'Entry “{entry}”, line {line}: faulty JSON (an unescaped quote or backslash, full-width punctuation, a missing bracket …) was read by guessing. Try the tool to see that it is what you meant, and better mend the line.',
    },
    'tools.type-missing': {
        zh: '条目「{entry}」：工具 {tool} 没有写 type，也没有 code 或 system_prompt，未注册。请加上 "type": "code" 或 "type": "llm"。',
        en: 'Entry “{entry}”: the tool {tool} has no type and neither code nor system_prompt, so it was not registered. Add "type": "code" or "type": "llm".',
    },
    'tools.type-unknown': {
        zh: '条目「{entry}」第 {line} 行：type 是「{value}」，未注册。请改为 "code" 或 "llm"。',
        en: 'Entry “{entry}”, line {line}: type is “{value}”, so the tool was not registered. Write "code" or "llm".',
    },
    'tools.trigger-unknown': {
        zh: '条目「{entry}」第 {line} 行：trigger 是「{value}」，未注册。请改为 "planning" 或 "post_pipeline"。',
        en: 'Entry “{entry}”, line {line}: trigger is “{value}”, so the tool was not registered. Write "planning" or "post_pipeline".',
    },
    'tools.function-missing': {
        zh: '条目「{entry}」：缺少 function，未注册。请把 name、description、parameters 写进 "function": { … } 里。',
        en: 'Entry “{entry}”: function is missing, so the tool was not registered. Put name, description and parameters into "function": { … }.',
    },
    'tools.name-missing': {
        zh: '条目「{entry}」第 {line} 行：缺少 function.name，未注册。请给工具起一个唯一的名称。',
        en: 'Entry “{entry}”, line {line}: function.name is missing, so the tool was not registered. Give the tool a name of its own.',
    },
    'tools.name-invalid': {
        zh: '条目「{entry}」第 {line} 行：工具名「{value}」不能用，未注册。名称最长 64 个字符，不含空白、引号、括号、逗号、冒号和斜杠。',
        en: 'Entry “{entry}”, line {line}: the tool name “{value}” cannot be used, so the tool was not registered. At most 64 characters, without blanks, quotes, brackets, commas, colons or slashes.',
    },
    'tools.name-mismatch': {
        zh: '条目「{entry}」第 {line} 行：标题写的是 {mark}，function.name 是 {tool}；以 function.name 为准。',
        en: 'Entry “{entry}”, line {line}: the title says {mark}, function.name says {tool}; function.name counts.',
    },
    'tools.name-reserved': {
        zh: '条目「{entry}」：{tool} 是扩展自动注册的工具，这个条目未注册。请换一个 function.name。',
        en: 'Entry “{entry}”: {tool} is a tool that the extension registers itself, so this one was not. Choose another function.name.',
    },
    'tools.duplicate': {
        zh: '条目「{entry}」：工具名 {tool} 已被条目「{first}」使用，这个未注册。请改名，或停用其中一个条目。',
        en: 'Entry “{entry}”: the tool name {tool} is taken by the entry “{first}”, so this one was not registered. Rename it, or disable one of the two.',
    },
    'tools.field-invalid': {
        zh: '条目「{entry}」第 {line} 行：{field} 的值「{value}」类型不对，工具未注册。请对照教程里的字段表修改。',
        en: 'Entry “{entry}”, line {line}: {field} has a value of the wrong kind, “{value}”, so the tool was not registered. See the table of fields in the tutorial.',
    },
    'tools.field-ignored': {
        zh: '条目「{entry}」第 {line} 行：{field} 的值「{value}」不能用，已忽略这个字段。请对照教程里的字段表修改。',
        en: 'Entry “{entry}”, line {line}: {field} cannot be “{value}”; the field was ignored. See the table of fields in the tutorial.',
    },
    'tools.code-missing': {
        zh: '条目「{entry}」第 {line} 行：code 工具 {tool} 没有 code，未注册。请加上 "code": "return …;"（只有内置的 roll_dice 不需要）。',
        en: 'Entry “{entry}”, line {line}: the code tool {tool} has no code, so it was not registered. Add "code": "return …;" (only the built-in roll_dice needs none).',
    },
    'tools.code-syntax': {
        zh: '条目「{entry}」第 {line} 行起的 code 有语法错误，在代码的第 {codeLine} 行：{message}。工具 {tool} 未注册；改正后刷新世界书即可。',
        en: 'Entry “{entry}”: the code that begins on line {line} has a syntax error on its line {codeLine}: {message}. The tool {tool} was not registered; mend it and refresh the worldbook.',
    },
    'tools.roll-dice-reserved': {
        zh: '条目「{entry}」第 {line} 行：roll_dice 是内置骰子，type 只能是 "code"、trigger 只能是 "planning"；未注册。请改正，或换一个 function.name。',
        en: 'Entry “{entry}”, line {line}: roll_dice is the built-in dice tool, with type "code" and trigger "planning" only; it was not registered. Mend that, or choose another function.name.',
    },
    'tools.roll-dice-code': {
        zh: '条目「{entry}」第 {line} 行：roll_dice 是内置骰子，这里的 code 不会执行。要用自己的代码请换一个 function.name。',
        en: 'Entry “{entry}”, line {line}: roll_dice is built in, so this code is not run. To use code of your own, choose another function.name.',
    },
    'tools.system-prompt-missing': {
        zh: '条目「{entry}」：llm 工具 {tool} 没有 system_prompt，模型不知道要写什么。请加上。',
        en: 'Entry “{entry}”: the llm tool {tool} has no system_prompt, so the model is not told what to write. Add one.',
    },
    'tools.description-missing': {
        zh: '条目「{entry}」第 {line} 行：工具 {tool} 没有 description，规划 Agent 不知道何时用它。请加上一句说明。',
        en: 'Entry “{entry}”, line {line}: the tool {tool} has no description, so the planning agent cannot tell when to use it. Add a sentence.',
    },
    'tools.parameters-wrapped': {
        zh: '条目「{entry}」第 {line} 行：parameters 直接列出了参数，已当作 {"type": "object", "properties": …} 读取。',
        en: 'Entry “{entry}”, line {line}: parameters lists the parameters themselves; it was read as {"type": "object", "properties": …}.',
    },
    'tools.parameter-type-unknown': {
        zh: '条目「{entry}」第 {line} 行：参数类型 {types} 不存在，这些参数不会检查。可用 string、number、integer、boolean、array、object。',
        en: 'Entry “{entry}”, line {line}: there is no parameter type {types}, so those parameters are not checked. There are string, number, integer, boolean, array, object.',
    },
    'tools.post-pipeline-parameters': {
        zh: '条目「{entry}」第 {line} 行：post_pipeline 工具 {tool} 自动执行，没有人给它参数，required 不起作用。需要的内容请写进 context。',
        en: 'Entry “{entry}”, line {line}: the post_pipeline tool {tool} runs by itself and gets no parameters, so required has no effect. Ask for what it needs in context.',
    },
    'tools.deadline-capped': {
        zh: '条目「{entry}」第 {line} 行：code 工具的 deadline 最多 {limit} 毫秒，已按此执行。',
        en: 'Entry “{entry}”, line {line}: the deadline of a code tool is at most {limit} ms, which now applies.',
    },
    'tools.lookback-without-tag': {
        zh: '条目「{entry}」第 {line} 行：写了 tag_lookback 却没有 output_tag，不会有回看内容。请加上 "output_tag": "标签名"。',
        en: 'Entry “{entry}”, line {line}: tag_lookback without output_tag looks back at nothing. Add "output_tag": "tag name".',
    },
    'tools.context-unknown': {
        zh: '条目「{entry}」第 {line} 行：没有名为「{key}」的上下文，已忽略。可用：{known}。',
        en: 'Entry “{entry}”, line {line}: there is no context “{key}”; it was ignored. There are: {known}.',
    },
};
