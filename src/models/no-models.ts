// For services without a language model.
import type { Models } from './language-model.ts';

export const NO_MODEL_SET = 'no model is set (TRAWL_MODEL)';

export const NO_MODELS: Models = { choose: () => ({ without: NO_MODEL_SET }) };
