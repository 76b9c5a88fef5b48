/** What a line of the player asks for, read from its words. */
export interface Intent {
    language: 'zh' | 'en';
    line: string;
    goTo: string | null;
    give: string | null;
    take: string | null;
    /** The outcome is uncertain: worth a roll. */
    risky: boolean;
    unfriendly: boolean;
    asks: boolean;
    waits: boolean;
    wantsOrder: boolean;
}

const places = ['北塔', '钟楼', '雾巷', '南港', '当铺', '门厅', '塔顶', '地窖', '码头', '城门'];
const items = ['铜钥匙', '手令', '提灯', '银币', '铜币', '地图', '火绒盒', '斗篷', '书信', '信物'];

function object(line: string, verbs: string): string | null {
    const quoted = new RegExp(`(?:${verbs})[^「“"]{0,6}[「“"]([^」”"]{1,12})[」”"]`).exec(line)?.[1];
    if (quoted) return quoted;
    return new RegExp(verbs).test(line) ? (items.find((item) => line.includes(item)) ?? null) : null;
}

function destination(line: string): string | null {
    const found = /(?:前往|去往|赶往|赶去|走向|走到|走进|回到|进入|潜入|奔向|来到|去)(?:了)?([\u4e00-\u9fa5]{2,8})/.exec(line)?.[1];
    if (!found) return null;
    return places.find((place) => found.startsWith(place)) ?? places.find((place) => found.includes(place)) ?? null;
}

/** Reads a player's line. */
export function readIntent(line: string): Intent {
    const language = /[\u3400-\u9fff]/.test(line) || line.trim() === '' ? 'zh' : 'en';
    if (language === 'en') {
        const thing = (verbs: string): string | null => new RegExp(`\\b(?:${verbs})\\b (?:him |her |them |up |over )?(?:the |a |an |my |his |her )?([a-z]+(?: key| coin| letter| lantern| map)?)`, 'i').exec(line)?.[1] ?? null;
        return {
            language,
            line,
            goTo: /\b(?:go|walk|run|head|travel|return)\b (?:back )?(?:to|into|towards?) (?:the )?([a-z]+(?: [a-z]+)?)/i.exec(line)?.[1] ?? null,
            give: thing('give|hand|offer'),
            take: thing('take|pick|grab'),
            risky: /\b(persuade|convince|sneak|climb|pick the lock|fight|attack|steal|bluff|jump|try)\b/i.test(line),
            unfriendly: /\b(threaten|attack|insult|shout|push)\b/i.test(line),
            asks: /\?|\bask\b/i.test(line),
            waits: /\b(wait|rest|sleep)\b/i.test(line),
            wantsOrder: /\b(order|warrant|permit)\b/i.test(line),
        };
    }
    return {
        language,
        line,
        goTo: destination(line),
        give: object(line, '递给|递出|交给|给|送给|归还|放下|(?:把|将).{1,12}(?:递|交|给|送)'),
        take: object(line, '拿起|捡起|拾起|取走|取下|收下|拿走|偷'),
        risky: /说服|劝|骗|威胁|潜|偷|撬|攀|爬|翻|跳|闯|打(?!开|听|量|算|断)|攻击|躲|试着|尝试|搜|找/.test(line),
        unfriendly: /威胁|攻击|打(?!开|听|量|算|断)|骂|推开|闯/.test(line),
        asks: /[?？]|问|打听|请教/.test(line),
        waits: /等|休息|睡|歇/.test(line),
        wantsOrder: /手令|书面命令|打开|开门|门/.test(line),
    };
}
