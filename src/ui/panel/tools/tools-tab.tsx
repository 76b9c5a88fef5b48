import { CappedList } from '../../common/capped-list';
import { Notices } from '../../common/notices';
import { useUi } from '../../store';
import { lastRuns } from './last-runs';
import { ToolCard } from './tool-card';

/** The author's workbench: every tool with what it last got and gave, what is wrong with those that were refused, and a form to try one. */
export function ToolsTab() {
    const { view, t, chosenTurn } = useUi();
    const { registered, faults } = view.value.tools;
    const runs = lastRuns(view.value.turns, chosenTurn.value);
    const gone = [...runs.keys()].filter((name) => !registered.some((tool) => tool.name === name));
    return (
        <>
            <Notices notices={faults} />
            <CappedList
                class="na-tools"
                items={registered}
                empty={t('ui.tools.none')}
                render={(tool) => <ToolCard key={tool.name} name={tool.name} tool={tool} last={runs.get(tool.name)} />}
            />
            {gone.length > 0 && (
                <>
                    <h3 class="na-section-head"><span>{t('ui.tools.gone')}</span></h3>
                    <CappedList class="na-tools" items={gone} render={(name) => <ToolCard key={name} name={name} last={runs.get(name)} />} />
                </>
            )}
        </>
    );
}
