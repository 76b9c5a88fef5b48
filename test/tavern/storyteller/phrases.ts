/**
 * The storyteller's turns of phrase. What happens in a story is written in fixed phrases, so that the analysing
 * agent, which sees only the prose, finds it again as a careful reader would.
 */
export interface Phrases {
    moved(place: string): string;
    gained(item: string): string;
    lost(item: string): string;
    warmer(name: string): string;
    colder(name: string): string;
    started(quest: string): string;
    advanced(quest: string, stage: string): string;
    passed(minutes: number): string;
    patterns: { moved: RegExp; gained: RegExp; lost: RegExp; warmer: RegExp; colder: RegExp; started: RegExp; advanced: RegExp; passed: RegExp };
}

export const chinese: Phrases = {
    moved: (place) => `你来到了${place}。`,
    gained: (item) => `你收好了「${item}」。`,
    lost: (item) => `「${item}」离开了你的手。`,
    warmer: (name) => `${name}看你的眼神缓和了几分。`,
    colder: (name) => `${name}的神色冷了下来。`,
    started: (quest) => `「${quest}」——你把这件事记在了心里。`,
    advanced: (quest, stage) => `「${quest}」有了眉目：${stage}。`,
    passed: (minutes) => `约莫过了${minutes}分钟。`,
    patterns: {
        moved: /你来到了([^。，]{1,12})。/g,
        gained: /你收好了「([^」]{1,20})」/g,
        lost: /「([^」]{1,20})」离开了你的手/g,
        warmer: /(?:^|[。”\n])\s*([^。，“”\n]{1,12})看你的眼神缓和了几分/g,
        colder: /(?:^|[。”\n])\s*([^。，“”\n]{1,12})的神色冷了下来/g,
        started: /「([^」]{1,20})」——你把这件事记在了心里/g,
        advanced: /「([^」]{1,20})」有了眉目：([^。]{1,30})。/g,
        passed: /约莫过了(\d+)分钟/g,
    },
};

export const english: Phrases = {
    moved: (place) => `You come to the ${place}.`,
    gained: (item) => `You put away the “${item}”.`,
    lost: (item) => `The “${item}” leaves your hand.`,
    warmer: (name) => `${name} looks at you with a little less distrust.`,
    colder: (name) => `${name}'s face hardens.`,
    started: (quest) => `“${quest}”: you make it your business.`,
    advanced: (quest, stage) => `“${quest}” moves on: ${stage}.`,
    passed: (minutes) => `Some ${minutes} minutes go by.`,
    patterns: {
        moved: /You come to the ([^.,]{1,30})\./g,
        gained: /You put away the “([^”]{1,40})”/g,
        lost: /The “([^”]{1,40})” leaves your hand/g,
        warmer: /(?:^|[.”\n])\s*([A-Z][^.,“”\n]{0,20}) looks at you with a little less distrust/g,
        colder: /(?:^|[.”\n])\s*([A-Z][^.,“”\n]{0,20})'s face hardens/g,
        started: /“([^”]{1,40})”: you make it your business/g,
        advanced: /“([^”]{1,40})” moves on: ([^.]{1,60})\./g,
        passed: /Some (\d+) minutes go by/g,
    },
};
