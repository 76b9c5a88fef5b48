import { chinese, english, type Phrases } from './phrases';
import { readIntent, type Intent } from './intent';

/** What the writing agent's prompt tells the storyteller. */
export interface Scene {
    userLine: string;
    /** Bodies of the entries in the prompt. */
    lore: string;
    /** The outcome of a roll: true, false, or null when nothing was rolled. */
    success: boolean | null;
    npc: string;
    /** Differs from turn to turn, so that two turns with one line read differently. */
    turn: number;
}

const pick = <T>(list: readonly [T, ...T[]], n: number): T => list[Math.abs(n) % list.length] ?? list[0];

/** The sentence of the lore that speaks of what the player speaks of, '' for none. */
function fitting(lore: string, line: string): string {
    const sentences = lore.split(/(?<=[。；.;])|\n+/).map((sentence) => sentence.trim()).filter((sentence) => sentence.length > 8 && sentence.length < 80 && !/[{}<>[\]|]/.test(sentence));
    let best = '';
    let most = 0;
    for (const sentence of sentences) {
        let shared = 0;
        for (let at = 0; at + 2 <= line.length; at += 1) if (/[\u3400-\u9fff]{2}/.test(line.slice(at, at + 2)) && sentence.includes(line.slice(at, at + 2))) shared += 1;
        if (shared > most) {
            most = shared;
            best = sentence;
        }
    }
    return best;
}

function tellChinese(scene: Scene, intent: Intent, say: Phrases): string {
    const { npc, turn } = scene;
    const out: string[] = [];
    const opening = pick([
        '风从海的方向吹来，铁灯晃了一晃，墙上的影子跟着拉长又缩短。',
        '雾里传来巡卫的脚步声，由远及近，又慢慢远了。',
        '钟楼那边有一声极轻的金属响，像是谁在给摆锤上油。',
        '石阶上的水渍映着灯光，一圈一圈地散开。',
    ], turn);
    out.push(opening);
    if (intent.goTo) {
        out.push(`你转身走进雾里。脚下的石板一块比一块滑，沿街的窗都上着板，只有远处一点灯火替你认路。${say.passed(20)}${say.moved(intent.goTo)}`);
        out.push(pick([
            `这里比你想的安静。有人先你一步来过：地上的积水里留着半个靴印，朝着里面。`,
            `空气里有一股陈年的灯油味。你站定，听见头顶的木板轻轻响了一下。`,
        ], turn));
    } else if (intent.waits) {
        out.push(`你没有动，只是等着。灯芯烧短了一截，${npc}替它剪了剪。${say.passed(40)}`);
    } else {
        out.push(`${pick([
            `${npc}听你说完，没有立刻答话，先把提灯换到了另一只手。`,
            `${npc}侧过头，像是在听你的话，也像在听雾里的别的什么。`,
            `你的话落进雾里。${npc}用靴尖拨开一片湿叶，才慢慢抬起眼睛。`,
        ], turn)}${say.passed(10)}`);
    }
    if (scene.success === true) {
        out.push(`你这一下落在了点子上。${pick([`${npc}沉默片刻，竟侧身让出半步。`, '原本绷紧的什么东西，悄悄松了一扣。'], turn)}`);
    } else if (scene.success === false) {
        out.push(`可事情没有照你想的走。${pick([`${npc}摇了摇头，手重新按回钥环上。`, '一声脆响，在夜里传得格外远。'], turn)}`);
    }
    if (intent.give) out.push(`你把东西递了过去。${npc}接在掌心里，翻过来，又翻过去，指腹在纹路上停了很久。${say.lost(intent.give)}`);
    if (intent.take) out.push(`你伸手把它拿了起来，比看上去要沉。${say.gained(intent.take)}`);
    const fact = fitting(scene.lore, intent.line);
    if (fact && !intent.goTo) out.push(`“${fact.replace(/[。；]$/, '')}，”${npc}低声说，“这不是我定的规矩，是我守的规矩。”`);
    else if (fact) out.push(`你想起听来的一句话：${fact}`);
    if (intent.wantsOrder && !intent.goTo) out.push(`“去拿手令来，门自然会开。”他朝钟楼的方向抬了抬下巴。${say.started('取得摄政官的手令')}`);
    else if (intent.goTo === '钟楼') out.push(`第三层的文书匣上落着一把锁，锁孔是一只海鸟的形状。${say.advanced('取得摄政官的手令', '文书匣就在钟楼第三层')}`);
    if (intent.unfriendly || scene.success === false) out.push(say.colder(npc));
    else if (intent.give || scene.success === true || intent.asks) out.push(say.warmer(npc));
    out.push(pick([
        `“你还有一盏灯的工夫。”${intent.goTo ? '黑暗里，有人这样说。' : `${npc}说，“想好了再开口。”`}`,
        `远处的钟敲了一下。${intent.goTo ? '门缝里透出一线光，里面的人似乎也在等你先动。' : `${npc}抬眼看你：“接下来呢？”`}`,
        '雾又近了一些。你听见自己的呼吸，也听见另一个人的。',
    ], turn));
    return out.join('\n\n');
}

function tellEnglish(scene: Scene, intent: Intent, say: Phrases): string {
    const out = [pick(['The iron lamp swings, and the shadows on the wall swing with it.', 'Steps of the watch come out of the fog and are lost in it again.'], scene.turn)];
    out.push(intent.goTo ? `You turn into the fog. ${say.passed(20)} ${say.moved(intent.goTo)}` : `${scene.npc} hears you out before he answers. ${say.passed(intent.waits ? 40 : 10)}`);
    if (scene.success !== null) out.push(scene.success ? 'It works: something that was taut gives way.' : 'It does not go as you meant it to.');
    if (intent.give) out.push(`He turns it over in his palm for a long while. ${say.lost(intent.give)}`);
    if (intent.take) out.push(`It is heavier than it looks. ${say.gained(intent.take)}`);
    if (intent.wantsOrder && !intent.goTo) out.push(`“Bring the order, and the gate will open.” ${say.started('The regent’s order')}`);
    if (intent.unfriendly || scene.success === false) out.push(say.colder(scene.npc));
    else if (intent.give || scene.success === true || intent.asks) out.push(say.warmer(scene.npc));
    out.push('Far off a bell strikes once. What will you do?');
    return out.join('\n\n');
}

/** Tells what follows the player's line. */
export function tell(scene: Scene): string {
    const intent = readIntent(scene.userLine);
    return intent.language === 'zh' ? tellChinese(scene, intent, chinese) : tellEnglish(scene, intent, english);
}

/** One state change, as the analysing agent reports it. */
export interface StoryEvent {
    type: string;
    params: Record<string, unknown>;
}

/** Finds what happened in a story again. `knownQuests` is the text of the state, to tell a new task from a known one. */
export function readEvents(story: string, state: string): StoryEvent[] {
    const events: StoryEvent[] = [];
    for (const { patterns } of [chinese, english]) {
        const each = (pattern: RegExp, make: (first: string, second: string) => StoryEvent): void => {
            for (const match of story.matchAll(pattern)) events.push(make((match[1] ?? '').trim(), (match[2] ?? '').trim()));
        };
        each(patterns.passed, (minutes) => ({ type: 'pass_time', params: { amount: Number(minutes), unit: 'minutes' } }));
        each(patterns.moved, (location) => ({ type: 'move', params: { location } }));
        each(patterns.gained, (item) => ({ type: 'add_item', params: { item, quantity: 1 } }));
        // What the player gave away was his before the story began, where the state does not know of it yet.
        each(patterns.lost, (item) => ({ type: 'remove_item', params: { item, quantity: 1 } }));
        each(patterns.warmer, (npc) => ({ type: 'modify_relationship', params: { npc, delta: 5 } }));
        each(patterns.colder, (npc) => ({ type: 'modify_relationship', params: { npc, delta: -5 } }));
        each(patterns.started, (quest) => (state.includes(quest) ? { type: 'advance_quest', params: { quest_id: quest, stage: '再次确认' } } : { type: 'start_quest', params: { quest_id: quest } }));
        each(patterns.advanced, (quest, stage) => (state.includes(quest) ? { type: 'advance_quest', params: { quest_id: quest, stage } } : { type: 'start_quest', params: { quest_id: quest } }));
    }
    return events.flatMap((event) => (event.type === 'remove_item' && !state.includes(String(event.params.item)) ? [{ type: 'add_item', params: event.params }, event] : [event]));
}
