import { useRef } from 'preact/hooks';
import { Block } from '../../common/block';
import { Icon } from '../../common/icon';
import { download } from '../../common/download';
import { useUi } from '../../store';

/** Taking this chat's data out and in, and what is left of an older installation. */
export function DataBlock() {
    const { view, t, intents, run, host, confirm } = useUi();
    const file = useRef<HTMLInputElement>(null);
    const { chatKey, oldData } = view.value;
    const exportChat = () => run(async () => download(`narrative-agent-${(chatKey ?? 'chat').replace(/[^\p{L}\p{N}._-]+/gu, '_')}.json`, await intents.exportChat()));
    const importChat = () =>
        run(async () => {
            const chosen = file.current?.files?.[0];
            if (!chosen) return;
            await intents.importChat(await chosen.text());
            if (file.current) file.current.value = '';
        });
    const deleteOld = () =>
        run(async () => {
            if (await confirm(t('ui.old-data.confirm'))) {
                await intents.deleteOldData();
                host.toast('info', t('ui.old-data.deleted'));
            }
        });
    return (
        <Block title={t('ui.data')} field="data" closed={!oldData}>
            <div class="na-row">
                <button type="button" class="na-button" data-testid="export-chat" onClick={exportChat}><Icon name="download" />{t('ui.data.export')}</button>
                <button type="button" class="na-button" data-testid="import-chat" onClick={() => file.current?.click()}><Icon name="upload" />{t('ui.data.import')}</button>
                <input ref={file} type="file" accept="application/json,.json" hidden onChange={importChat} aria-label={t('ui.data.import')} />
            </div>
            {oldData && (
                <div class="na-callout" data-testid="old-data">
                    <span>{t(oldData.imported ? 'ui.old-data.imported' : 'ui.old-data.found', { chats: oldData.chats })}</span>
                    <button type="button" class="na-button" onClick={deleteOld}><Icon name="trash" />{t('ui.old-data.delete')}</button>
                </div>
            )}
        </Block>
    );
}
