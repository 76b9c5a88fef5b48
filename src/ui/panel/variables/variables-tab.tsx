import { useState } from 'preact/hooks';
import { Block } from '../../common/block';
import { CappedList } from '../../common/capped-list';
import { brief, pretty } from '../../common/format';
import { Notices } from '../../common/notices';
import { SearchBox } from '../../common/search-box';
import { useUi } from '../../store';
import { searchTree } from './search-tree';
import { Leaf, TreeLevel } from './tree-level';

/** The variables as they are, what the turn did to them, and where they began. */
export function VariablesTab() {
    const { view, t, selected } = useUi();
    const { variables } = view.value;
    const patches = selected.value.record?.variables ?? [];
    if (variables.keeper === 'none') {
        return (
            <>
                <Notices notices={variables.notices} />
                <div class="na-nothing">
                    <b>{t('ui.variables.none')}</b>
                    <p>{t(variables.initial.length > 0 ? 'ui.variables.not-yet' : 'ui.variables.none-help')}</p>
                </div>
                {variables.initial.length > 0 && <Initial />}
            </>
        );
    }
    return (
        <>
            <p class="na-keeper"><span class="na-tag na-accent">{t(`ui.keeper.${variables.keeper}`)}</span> <span class="na-dim">{t(`ui.keeper-help.${variables.keeper}`)}</span></p>
            <Notices notices={variables.notices} />
            <Block title={t('ui.variables.patches')} count={patches.length} field="patches">
                <CappedList
                    class="na-events"
                    items={patches}
                    empty={t('ui.variables.no-patches')}
                    render={(patch, index) => (
                        <li key={index} class={patch.ok ? 'na-event' : 'na-event na-rejected'} data-ok={patch.ok}>
                            <span class="na-mark">{patch.ok ? '✓' : '✕'}</span>
                            <span class="na-event-text">
                                <code>{patch.op}</code> {patch.path} {patch.from !== undefined && <span class="na-dim">← {patch.from} </span>}
                                {patch.value !== undefined && <span class="na-dim">{brief(patch.value, 160)}</span>}
                                {patch.byUser && <span class="na-tag">{t('ui.variables.by-hand')}</span>}
                                {patch.reason && <span class="na-why">{t(patch.reason.code, patch.reason.params)}</span>}
                            </span>
                        </li>
                    )}
                />
            </Block>
            <Block title={t('ui.variables.tree')} field="variables"><Tree tree={variables.tree} /></Block>
            <Initial />
        </>
    );
}

/** The values that each [initvar] entry gives. */
function Initial() {
    const { view, t } = useUi();
    const { initial } = view.value.variables;
    return (
        <Block title={t('ui.variables.initial')} count={initial.length} field="initial" closed>
            <CappedList
                items={initial}
                empty={t('ui.variables.no-initial')}
                render={(source, index) => (
                    <li key={index}>
                        <p class="na-dim">{view.value.worldbook.index?.byId.get(source.entry)?.title ?? source.entry}</p>
                        <pre class="na-pre">{pretty(source.tree)}</pre>
                    </li>
                )}
            />
        </Block>
    );
}

function Tree({ tree }: { tree: unknown }) {
    const { t } = useUi();
    const [words, setWords] = useState('');
    return (
        <>
            <SearchBox value={words} onInput={setWords} label={t('ui.variables.search')} />
            {words.trim() === '' ? (
                <TreeLevel value={tree} path="" depth={0} />
            ) : (
                <CappedList
                    key={words}
                    class="na-tree"
                    items={searchTree(tree, words)}
                    empty={t('ui.no-match')}
                    render={(leaf) => <li key={leaf.path}><Leaf name={leaf.path} path={leaf.path} value={leaf.value} /></li>}
                />
            )}
        </>
    );
}
