// Which settings turn providers and models on, and why one does not answer.
import type { Model, Provider } from '../ui/states/provider-words.ts';

/** The names of the variables; their values are never known here. */
export function providerSetting({ name, hasKey, hasUrl, used, obstacle }: Provider): string {
  const prefix = `TRAWL_${name.toUpperCase().replaceAll('-', '_')}`;
  if (hasKey || hasUrl)
    return `${[hasKey && `${prefix}_API_KEY`, hasUrl && `${prefix}_URL`].filter(Boolean).join(', ')} (set)`;
  const named = /TRAWL_\w+/g.exec(obstacle ?? '');
  if (obstacle !== undefined) return named?.[0] ?? `${prefix}_API_KEY or ${prefix}_URL`;
  return used ? 'works without a key' : 'TRAWL_SEARCH_PROVIDERS';
}

export const modelSetting = (purpose: Model['purpose']): string =>
  `TRAWL_MODEL_${purpose.toUpperCase()} or TRAWL_MODEL`;

/** What stands in the way, or the last problem of one that does not answer. */
export const providerNote = ({ used, state, obstacle, lastProblem }: Provider): string | undefined =>
  obstacle ?? (used && state !== 'answers' ? lastProblem?.text : undefined);

export const modelNote = ({ model, state, lastProblem }: Model): string | undefined =>
  model === null ? 'Rules do this work.' : state === 'fails' ? lastProblem?.text : undefined;
