import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/config';
import { notice } from '../../src/notice';
import { hasText } from '../../src/ui/i18n';
import { fieldGroups } from '../../src/ui/settings/fields';
import { shared } from '../../src/ui/settings/shared-texts';
import { all, element, mounted, text } from './mounted';

function leaves(value: unknown, path = ''): string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
    return Object.entries(value).flatMap(([key, child]) => leaves(child, path === '' ? key : `${path}.${key}`));
}

const fields = fieldGroups.flatMap((group) => group.fields);

describe('the settings pane', () => {
    it('has a control for every setting, each with label, help and choices in words', () => {
        const all = leaves(configSchema.parse({})).filter((path) => path !== 'enabled');
        expect(fields.map((field) => field.path).sort()).toEqual(all.sort());
        const codes = fields.flatMap((field) => [`${shared(field.path)}.label`, `${shared(field.path)}.help`, ...(field.kind === 'choice' ? field.options.map((option) => `setting.${field.path}.${option}`) : [])]);
        codes.push(...fieldGroups.map((group) => `setting.group.${group.name}`));
        expect(codes.filter((code) => !hasText(code))).toEqual([]);
    });

    it('offers only what the schema takes', () => {
        for (const field of fields) {
            const tries = field.kind === 'choice' ? field.options : field.kind === 'number' ? [field.min * (field.scale ?? 1), field.max * (field.scale ?? 1)] : [];
            for (const value of tries) {
                const config = field.path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
                expect(configSchema.safeParse(config).success, `${field.path} = ${String(value)}`).toBe(true);
            }
        }
    });

    it('shows the switch and the version in the drawer of settings.html', async () => {
        const { intents } = await mounted();
        expect(text('#narrative_agent_settings #narrative_agent_version')).toBe('v0.1.0');
        const enabled = element('#narrative_agent_enabled') as HTMLInputElement;
        expect(enabled.checked).toBe(true);
        enabled.checked = false;
        enabled.dispatchEvent(new Event('change'));
        expect(intents.setConfig).toHaveBeenCalledWith('enabled', false);
    });

    it('sends what the user chose, in the unit of the config', async () => {
        const { intents, click, type } = await mounted();
        await click('[data-group="agents.planning"] .na-block-toggle');
        await type('[data-setting="agents.planning.timeout"] input', '90', 'change');
        expect(intents.setConfig).toHaveBeenLastCalledWith('agents.planning.timeout', 90_000);
        await type('[data-setting="agents.planning.temperature"] input', '', 'change');
        expect(intents.setConfig).toHaveBeenLastCalledWith('agents.planning.temperature', null);
        await type('[data-setting="agents.planning.connectionProfile"] select', 'p2', 'change');
        expect(intents.setConfig).toHaveBeenLastCalledWith('agents.planning.connectionProfile', 'p2');
        await type('[data-setting="presetMode"] select', 'split', 'change');
        expect(intents.setConfig).toHaveBeenLastCalledWith('presetMode', 'split');
    });

    it('refuses a number out of range and shows the old one again', async () => {
        const { intents, click, type } = await mounted();
        await click('[data-group="pipeline"] .na-block-toggle');
        const selector = '[data-setting="pipeline.recentTurnsForPlanning"] input';
        for (const wrong of ['0', '2.5', '', '999']) {
            await type(selector, wrong, 'change');
            expect((element(selector) as HTMLInputElement).value).toBe('4');
        }
        expect(intents.setConfig).not.toHaveBeenCalled();
    });

    it('does not take away what is being typed when a new view comes in', async () => {
        const { click, show, view } = await mounted();
        await click('[data-group="agents.writing"] .na-block-toggle');
        const box = element('[data-setting="agents.writing.extraInstructions"] textarea') as HTMLTextAreaElement;
        box.value = 'half a sen';
        await show({ config: structuredClone(view.config), progress: { stage: 'writing', startedAt: 0, turnStartedAt: 0, stoppable: true } });
        expect((element('[data-setting="agents.writing.extraInstructions"] textarea') as HTMLTextAreaElement).value).toBe('half a sen');
        await show({ config: configSchema.parse({ agents: { writing: { extraInstructions: 'from elsewhere' } } }) });
        expect((element('[data-setting="agents.writing.extraInstructions"] textarea') as HTMLTextAreaElement).value).toBe('from elsewhere');
    });

    it('sets a group back to its defaults, and only what differs', async () => {
        const { intents, click } = await mounted((view) => {
            view.config = configSchema.parse({ pipeline: { enableTextRecall: true, toolConcurrency: 5 } });
        });
        await click('[data-testid="reset-pipeline"]');
        expect(intents.setConfig.mock.calls).toEqual([['pipeline.enableTextRecall', false], ['pipeline.toolConcurrency', 2]]);
        expect(all('[data-testid="reset-mvu"]')).toHaveLength(0);
    });

    it('tells of broken values', async () => {
        await mounted((view) => {
            view.configNotices = [notice('warning', 'some.broken', { path: 'layout' })];
        });
        expect(text('#narrative_agent_settings [data-code="some.broken"]')).toContain('layout');
    });

    it('lets code run in the page only after a warning', async () => {
        const refused = await mounted(undefined, { confirm: false });
        await refused.click('[data-group="tools"] .na-block-toggle');
        await refused.type('[data-setting="tools.codeExecution"] select', 'page', 'change');
        expect(refused.intents.setConfig).not.toHaveBeenCalled();
        expect((element('[data-setting="tools.codeExecution"] select') as HTMLSelectElement).value).toBe('sandbox');
    });
});
