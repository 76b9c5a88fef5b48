import type { Config } from '../config';
import type { Notice } from '../notice';
import type { StageReport } from '../pipeline/deps';
import { readConfig, withSetting } from '../read-config';
import type { Progress } from './port';

/** What the running extension knows beside the chat: settings, the stage that runs, what users should be told. */
export interface Session {
    config(): Config;
    configNotices(): Notice[];
    setConfig(path: string, value: unknown): void;
    progress(): Progress | null;
    report(report: StageReport | null): void;
    notices(): Notice[];
    notify(notice: Notice): void;
    dismiss(index: number): void;
    clearNotices(): void;
}

const keptNotices = 60;

/** `stored` reads and writes the settings; `changed` is called after every change. Times come from `now` (ms). */
export function createSession(stored: { read(): unknown; write(config: unknown): void }, now: () => number, changed: () => void): Session {
    let raw = stored.read();
    let read = readConfig(raw);
    let progress: Progress | null = null;
    let notices: Notice[] = [];
    return {
        config() {
            // Another part of the page (or the user's hand) may have replaced the settings.
            const current = stored.read();
            if (current !== raw) {
                raw = current;
                read = readConfig(raw);
            }
            return read.config;
        },
        configNotices: () => read.notices,
        setConfig(path, value) {
            raw = withSetting(stored.read(), path, value);
            stored.write(raw);
            read = readConfig(raw);
            changed();
        },
        progress: () => progress,
        report(report) {
            const time = now();
            if (report === null) progress = null;
            else if (!progress || progress.stage !== report.stage || progress.subject !== report.subject) {
                progress = { ...report, startedAt: time, turnStartedAt: progress?.turnStartedAt ?? time, stoppable: report.stage !== 'commit' };
            }
            changed();
        },
        notices: () => notices,
        notify(notice) {
            const key = JSON.stringify(notice);
            notices = [...notices.filter((each) => JSON.stringify(each) !== key), notice].slice(-keptNotices);
            changed();
        },
        dismiss(index) {
            notices = notices.filter((_, place) => place !== index);
            changed();
        },
        clearNotices() {
            notices = [];
            changed();
        },
    };
}
