import { sections, type Decision } from '../../../worldbook/snapshot';
import { CappedList } from '../../common/capped-list';
import { count } from '../../common/format';
import { useUi } from '../../store';

type Agent = 'planning' | 'writing' | 'mergedWriting' | 'mergedAnalysis';

/** Whether an agent's prompt holds an entry: the analysis sees none, the others what its audience allows (merged writing plans and writes). */
function sees(agent: Agent, decision: Decision): boolean {
    if (decision.section === null || agent === 'mergedAnalysis') return false;
    if (decision.audience === 'all' || agent === 'mergedWriting') return true;
    return decision.audience === (agent === 'planning' ? 'planner' : 'writer');
}

/** What each agent saw, side by side, and how much of its prompt that was. */
export function AgentMatrix({ decisions }: { decisions: readonly Decision[] }) {
    const { t, selected } = useUi();
    const { record } = selected.value;
    const agents: Agent[] = record?.mode === 'merged' ? ['mergedWriting', 'mergedAnalysis'] : ['planning', 'writing', 'mergedAnalysis'];
    const rows = sections.flatMap((section) => decisions.filter((decision) => decision.section === section));
    const total = (agent: Agent) => rows.reduce((sum, decision) => sum + (sees(agent, decision) ? decision.tokens : 0), 0);
    const whole = (agent: Agent) => record?.calls.find((call) => call.purpose === agent)?.promptTokens;
    return (
        <div class="na-matrix" style={{ '--na-columns': agents.length }}>
            <div class="na-matrix-row na-matrix-head">
                <span />
                {agents.map((agent) => {
                    const all = whole(agent);
                    return (
                        <span key={agent} data-agent={agent}>
                            <b>{t(`ui.agent-short.${agent}`)}</b>
                            <span class="na-tokens">{count(total(agent))}</span>
                            {all !== undefined && <span class="na-dim na-small" title={t('ui.worldbook.whole-prompt')}>/ {count(all)}</span>}
                        </span>
                    );
                })}
            </div>
            <CappedList
                items={rows}
                step={100}
                empty={t('ui.no-match')}
                render={(decision) => (
                    <li key={decision.entry} class="na-matrix-row" data-entry={decision.entry}>
                        <span class="na-line" title={decision.title}><span class="na-section-mark">{decision.section?.slice(-1)}</span>{decision.title}</span>
                        {agents.map((agent) => (
                            <span key={agent} class={sees(agent, decision) ? 'na-seen' : 'na-unseen'} data-agent={agent} data-seen={sees(agent, decision)}>
                                {sees(agent, decision) ? count(decision.tokens) : '–'}
                            </span>
                        ))}
                    </li>
                )}
            />
            <p class="na-help">{t('ui.worldbook.matrix-help')}</p>
        </div>
    );
}
