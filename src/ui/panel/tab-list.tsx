import { useRef } from 'preact/hooks';
import { useUi, type TabName } from '../store';

interface Props {
    names: readonly TabName[];
    active: TabName;
    onSelect: (name: TabName) => void;
}

/** The row of tabs: one tab stop, arrow keys, Home and End move between them (WAI-ARIA tabs pattern). */
export function TabList({ names, active, onSelect }: Props) {
    const { t } = useUi();
    const list = useRef<HTMLDivElement>(null);
    const move = (to: number) => {
        const name = names[(to + names.length) % names.length];
        if (name === undefined) return;
        onSelect(name);
        list.current?.querySelector<HTMLElement>(`[data-tab="${name}"]`)?.focus();
    };
    const onKeyDown = (event: KeyboardEvent) => {
        const position = names.indexOf(active);
        const targets: Record<string, number> = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: names.length - 1 };
        const to = targets[event.key];
        if (to === undefined) return;
        event.preventDefault();
        move(to);
    };
    return (
        <div class="na-tabs" role="tablist" ref={list} onKeyDown={onKeyDown}>
            {names.map((name) => (
                <button
                    key={name}
                    type="button"
                    role="tab"
                    id={`narrative_agent_tab_${name}`}
                    data-tab={name}
                    aria-selected={name === active}
                    aria-controls="narrative_agent_tabpanel"
                    tabIndex={name === active ? 0 : -1}
                    onClick={() => onSelect(name)}
                >
                    {t(`ui.tab.${name}`)}
                </button>
            ))}
        </div>
    );
}
