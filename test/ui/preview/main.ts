import { mountUi } from '../../../src/ui/mount';
import type { TabName } from '../../../src/ui/store';
import { previewIntents } from './preview-intents';
import { sampleView } from './sample';

// What is shown is chosen by the address: ?theme=light&locale=en&tab=worldbook&closed&settings&idle
const query = new URLSearchParams(location.search);
document.documentElement.dataset.theme = query.get('theme') ?? 'dark';
if (query.has('settings')) document.body.classList.add('settings');

const find = (id: string): HTMLElement => {
    const element = document.getElementById(id);
    if (!element) throw new Error(`The page has no #${id}`);
    return element;
};
find('chat').innerHTML = '<div class="mes"><div class="mes_text">守卫看了一眼铜钥匙，仍然摇头：“没有摄政官的手令，我不能放你进去。”<br><br><summary>[第60轮] 用户意图：请守卫开门 | 叙事要点：守卫拒绝放行</summary></div></div>'.repeat(6);

let view = sampleView();
if (query.has('closed')) view.config.ui.panelOpen = false;
if (query.has('idle')) view.progress = null;
const ui = mountUi({
    initial: view,
    intents: previewIntents(() => view, (next) => {
        view = next;
        ui.update(next);
    }),
    host: { body: document.body, form: find('form_sheld'), settings: find('extensions_settings2'), locale: query.get('locale') ?? 'zh-cn', toast: (level, text) => console.info(level, text) },
});
const tab = query.get('tab') as TabName | null;
if (tab) document.querySelector<HTMLElement>(`[data-tab="${tab}"]`)?.click();
