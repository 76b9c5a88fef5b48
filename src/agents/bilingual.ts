import type { PromptLanguage } from '../prompt/prompt-input';

/** One prompt text in each prompt language. */
export type Bilingual = Record<PromptLanguage, string>;
