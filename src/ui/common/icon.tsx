const paths = {
    close: 'M4 4l8 8M12 4l-8 8',
    left: 'M10 3L5 8l5 5',
    right: 'M6 3l5 5-5 5',
    down: 'M3 6l5 5 5-5',
    latest: 'M3 3l5 5-5 5M12.5 3v10',
    edit: 'M11 2.5l2.5 2.5L6 12.5l-3.2.7.7-3.2L11 2.5z',
    undo: 'M3 7h7a3.5 3.5 0 010 7H6M3 7l3-3M3 7l3 3',
    refresh: 'M13 8a5 5 0 11-1.6-3.7M13 2v3h-3',
    cycle: 'M3 8a5 5 0 018.5-3.5L13 6M13 3v3h-3M13 8a5 5 0 01-8.5 3.5L3 10M3 13v-3h3',
    jump: 'M6.5 3H3v10h10V9.5M9 3h4v4M13 3L7 9',
    play: 'M4.5 3l8 5-8 5z',
    stop: 'M4 4h8v8H4z',
    check: 'M3 8.5l3.5 3.5L13 4.5',
    search: 'M7 12A5 5 0 107 2a5 5 0 000 10zM10.6 10.6L14 14',
    place: 'M8 14s4.5-4.3 4.5-7.5a4.5 4.5 0 00-9 0C3.5 9.7 8 14 8 14zM8 8.2a1.7 1.7 0 100-3.4 1.7 1.7 0 000 3.4z',
    dice: 'M3 5l5-3 5 3v6l-5 3-5-3zM3 5l5 3 5-3M8 8v6',
    download: 'M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
    upload: 'M8 10.5v-8M4.5 5.5L8 2l3.5 3.5M3 13.5h10',
    trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9',
    warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.4',
    info: 'M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.3V11M8 5v.3',
    plus: 'M8 3v10M3 8h10',
    book: 'M3 3h4a1 1 0 011 1v9.5a1 1 0 00-1-1H3zM13 3H9a1 1 0 00-1 1v9.5a1 1 0 011-1h4z',
} as const;

export type IconName = keyof typeof paths;

/** A small line icon in the colour of the text; decoration only, its button carries the label. */
export function Icon({ name }: { name: IconName }) {
    return (
        <svg class="na-icon" viewBox="0 0 16 16" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
            <path d={paths[name]} />
        </svg>
    );
}
