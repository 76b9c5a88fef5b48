import type { FunctionComponent } from 'preact';
import { Icon } from '../common/icon';
import { Notices } from '../common/notices';
import { HeadProgress } from '../progress/progress-line';
import { tabNames, useUi, type TabName } from '../store';
import { CallsTab } from './calls/calls-tab';
import { StateTab } from './state/state-tab';
import { TabList } from './tab-list';
import { ToolsTab } from './tools/tools-tab';
import { TurnBar } from './turn-bar';
import { VariablesTab } from './variables/variables-tab';
import { WorldbookTab } from './worldbook/worldbook-tab';

const contents: Record<TabName, FunctionComponent> = {
    state: StateTab,
    worldbook: WorldbookTab,
    tools: ToolsTab,
    variables: VariablesTab,
    calls: CallsTab,
};

/** The edge button that is always there, and the drawer it opens. Nothing of the drawer exists while it is closed. */
export function Panel() {
    const { view, t, open, toggle } = useUi();
    const current = view.value;
    const troubled = current.notices.some((notice) => notice.level !== 'info');
    const label = open.value ? t('ui.panel.close') : t('ui.panel.open');
    return (
        <>
            <button
                type="button"
                id="narrative_agent_panel_toggle"
                class={troubled && !open.value ? 'na-troubled' : ''}
                aria-controls="narrative_agent_panel"
                aria-expanded={open.value}
                aria-label={label}
                title={label}
                onClick={toggle}
            >
                <Icon name={open.value ? 'close' : 'book'} />
            </button>
            {open.value && <Drawer />}
        </>
    );
}

function Drawer() {
    const { view, t, tab, intents, run, toggle } = useUi();
    const current = view.value;
    const Content = contents[tab.value];
    return (
        <aside
            id="narrative_agent_panel"
            aria-label={t('ui.panel.title')}
            onKeyDown={(event) => {
                // The host swipes by the arrow keys and stops a generation by Escape, wherever the focus is.
                event.stopPropagation();
                if (event.key !== 'Escape') return;
                toggle();
                document.getElementById('narrative_agent_panel_toggle')?.focus();
            }}
        >
            <header class="na-head">
                <h2>{t('ui.panel.title')}</h2>
                {!current.config.enabled && (
                    <button type="button" class="na-button" onClick={() => run(() => intents.setConfig('enabled', true))}>{t('ui.panel.off')}</button>
                )}
                <HeadProgress />
            </header>
            <TabList names={tabNames} active={tab.value} onSelect={(name) => (tab.value = name)} />
            <TurnBar />
            <div class="na-body" role="tabpanel" id="narrative_agent_tabpanel" aria-labelledby={`narrative_agent_tab_${tab.value}`} tabIndex={0} key={tab.value}>
                <Notices notices={current.notices} newest={4} onDismiss={(index) => run(() => intents.dismissNotice(index))} />
                {current.chatKey === null && tab.value !== 'tools' ? <p class="na-empty">{t('ui.no-chat')}</p> : <Content />}
            </div>
        </aside>
    );
}
