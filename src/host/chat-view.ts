import type { ChatMessage, ChatView } from '../ports';
import { currentChatKey, tavern, type TavernContext, type TavernMessage } from './context';

/** The key of our record in `message.extra` and of the imported baseline in `chatMetadata`. */
export const recordKey = 'narrative_agent';

function viewMessage(message: TavernMessage, index: number, ignore: symbol | undefined): ChatMessage {
    const extra = message.extra ?? {};
    return {
        index,
        name: message.name,
        isUser: message.is_user,
        isHidden: message.is_system || (ignore !== undefined && extra[ignore] === true),
        isNarrator: extra['type'] === 'narrator',
        text: typeof message.mes === 'string' ? message.mes : '',
        swipe: message.swipe_id ?? 0,
        record: extra[recordKey],
        avatar: message.original_avatar,
        variables: message.variables,
    };
}

/** The chat as it is now. Cheap: texts and records are shared with ST and must not be changed by the reader. */
export function readChat(context: TavernContext = tavern()): ChatView {
    const chatKey = currentChatKey(context);
    return {
        chatKey,
        isGroup: context.groupId !== undefined && context.groupId !== null && context.groupId !== '',
        userName: context.name1,
        characterName: context.name2,
        messages: chatKey === null ? [] : context.chat.map((message, index) => viewMessage(message, index, context.symbols?.ignore)),
        metadata: context.chatMetadata[recordKey],
    };
}
