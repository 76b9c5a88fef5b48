import { useState } from 'preact/hooks';
import { CappedList } from '../../common/capped-list';
import { Editable } from '../../common/editable';
import { brief } from '../../common/format';
import { Icon } from '../../common/icon';
import { readValue } from '../../common/read-value';
import { useUi } from '../../store';
import { childPath, describedValue } from './search-tree';

interface LevelProps {
    value: unknown;
    /** `/主角`, the root is ''. */
    path: string;
    depth: number;
}

/** One level of the tree; deeper ones are rendered when they are opened. */
export function TreeLevel({ value, path, depth }: LevelProps) {
    const { t } = useUi();
    if (typeof value !== 'object' || value === null) return <Leaf name={path} path={path} value={value} />;
    return (
        <CappedList
            class="na-tree"
            items={Object.entries(value)}
            empty={t('ui.variables.empty')}
            render={([key, child]) => <li key={key}><Node name={key} value={child as unknown} path={childPath(path, key)} depth={depth} /></li>}
        />
    );
}

function Node({ name, value, path, depth }: LevelProps & { name: string }) {
    const { t } = useUi();
    const [open, setOpen] = useState(depth < 2 && typeof value === 'object' && value !== null && Object.keys(value).length <= 12);
    if (typeof value !== 'object' || value === null || describedValue(value)) return <Leaf name={name} path={path} value={value} />;
    const size = Object.keys(value).length;
    return (
        <>
            <button type="button" class="na-branch" aria-expanded={open} onClick={() => setOpen(!open)}>
                <Icon name={open ? 'down' : 'right'} />
                <span>{name}</span>
                <Marks name={name} />
                <span class="na-count">{Array.isArray(value) ? t('ui.variables.list', { size }) : size}</span>
            </button>
            {open && <TreeLevel value={value} path={path} depth={depth + 1} />}
        </>
    );
}

/** A value with its name; click to edit. Of a described value the value is edited, the description stays. */
export function Leaf({ name, path, value }: { name: string; path: string; value: unknown }) {
    const { t, intents, run } = useUi();
    const described = describedValue(value);
    const own = described ? described.value : value;
    const readOnly = name.split('/').at(-1)?.startsWith('_') ?? false;
    const shown = <span class={`na-literal na-literal-${own === null ? 'null' : typeof own}`}>{brief(own, 200)}</span>;
    return (
        <div class="na-leaf" data-path={path}>
            <span class="na-leaf-name">{name}<Marks name={name} /></span>
            {readOnly ? shown : (
                <Editable label={name} value={typeof own === 'string' ? own : JSON.stringify(own)} onSave={(text) => run(() => intents.editVariable(path, typeof own === 'string' ? text : readValue(text)))}>
                    {shown}
                </Editable>
            )}
            {described && <span class="na-description">{described.description || t('ui.variables.no-description')}</span>}
        </div>
    );
}

/** MVU's naming rules: `_` is read-only, `$` is kept from the model. */
function Marks({ name }: { name: string }) {
    const { t } = useUi();
    const last = name.split('/').at(-1) ?? name;
    if (last.startsWith('_')) return <span class="na-tag">{t('ui.variables.read-only')}</span>;
    if (last.startsWith('$')) return <span class="na-tag">{t('ui.variables.hidden')}</span>;
    return null;
}
