import { tavern } from './context';

/** The UI's language: Chinese for any Chinese locale of ST, English for all others. */
export function uiLanguage(): 'zh' | 'en' {
    const locale = tavern().getCurrentLocale?.() ?? localStorage.getItem('language') ?? navigator.language;
    return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
