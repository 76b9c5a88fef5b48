import { eventTypes, userEventTypes } from './event';
import type { EventType, UserEventType } from './event';

const chineseNames: Record<string, EventType> = {
    移动: 'move', 前往: 'move',
    获得物品: 'add_item', 添加物品: 'add_item', 失去物品: 'remove_item', 移除物品: 'remove_item',
    设置关系: 'set_relationship', 修改关系: 'modify_relationship', 改变关系: 'modify_relationship',
    开始任务: 'start_quest', 接受任务: 'start_quest', 推进任务: 'advance_quest', 完成任务: 'complete_quest',
    设置标记: 'set_flag', 时间流逝: 'pass_time', 经过时间: 'pass_time',
};

/** The event a name means (`addItem`, `ADD_ITEM`, `add item`, `获得物品`), null for none. Events of the user only for the user. */
export function eventName(name: string, by: 'analysis' | 'user'): EventType | UserEventType | null {
    const exact = eventTypes.find((type) => type === name);
    if (exact) return exact;
    const plain = name.trim();
    const snake = plain.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[\s-]+/g, '_').toLowerCase();
    const known = eventTypes.find((type) => type === snake);
    if (known) return known;
    const mine = by === 'user' ? userEventTypes.find((type) => type === snake) : undefined;
    return mine ?? (Object.hasOwn(chineseNames, plain) ? (chineseNames[plain] ?? null) : null);
}
