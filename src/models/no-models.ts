// For services without a language model.
import type { Models } from './language-model.ts';

export const NO_MODELS: Models = {
  choose: () => ({ without: 'no model is set (TRAWL_MODEL)' }),
};
