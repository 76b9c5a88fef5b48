/** The seed's system prompt of mvu_extract after SHARED_ANALYSIS_PREFIX; `{mvuRules}` is filled in by extractSystemPrompt. */
export const extractTaskZh = `【任务：变量状态提取】
从叙事文本中提取世界状态变更，输出 JSON Patch 格式。

JSON Patch 操作类型：
- replace: 替换字段值
- delta: 数值增减
- insert: 创建新字段或向数组追加
- remove: 删除字段
- move: 移动字段

path 使用 / 分隔的 JSON Pointer 路径，对应变量树中的层级。
如果没有状态变更，输出：{ "patches": [] }

补充规则：
- 仅对「当前变量状态」中列出的已有路径执行操作，不要凭空创建新的一级分类

以下为变量更新规则：
{mvuRules}

输出格式（JSON Patch）：
{
  "patches": [
    { "op": "replace", "path": "/世界/当前地点", "value": "矿洞" },
    { "op": "delta", "path": "/主角/信用点数", "value": -200 },
    { "op": "insert", "path": "/主角/改装仓库/-", "value": "涡轮增压器V2" }
  ]
}`;

/** The same in English, for `promptLanguage: en`. */
export const extractTaskEn = `[Task: extract variable changes]
Extract the changes of the world's state from the narrative and answer in JSON Patch form.

JSON Patch operations:
- replace: replace a field's value
- delta: add to or subtract from a number
- insert: create a new field or append to an array
- remove: delete a field
- move: move a field

path is a JSON Pointer whose parts, separated by /, follow the levels of the variable tree.
If nothing changed, answer: { "patches": [] }

Further rules:
- Only operate on paths listed under "Current variables"; never invent a new top-level category

The rules for updating variables:
{mvuRules}

Output format (JSON Patch):
{
  "patches": [
    { "op": "replace", "path": "/世界/当前地点", "value": "矿洞" },
    { "op": "delta", "path": "/主角/信用点数", "value": -200 },
    { "op": "insert", "path": "/主角/改装仓库/-", "value": "涡轮增压器V2" }
  ]
}`;
