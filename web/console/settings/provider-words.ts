// The state of providers and models in words, and which setting turns each on.
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import type { Tone } from '../ui/tone.ts';

type Listed = ResponseOf<'listProviders'>['data'];
export type Provider = Listed['providers'][number];
export type Model = Listed['models'][number];

interface Words {
  tone: Tone;
  text: string;
  more?: string;
}

const withProblem = (tone: Tone, text: string, problem: { text: string } | undefined): Words => ({
  tone,
  text,
  ...(problem && { more: problem.text }),
});

export function providerState({ used, obstacle, state, lastProblem }: Provider): Words {
  if (obstacle !== undefined) return { tone: 'idle', text: 'not set up', more: obstacle };
  if (!used) return { tone: 'idle', text: 'not used' };
  if (state === 'answers') return { tone: 'good', text: 'answers' };
  if (state === 'failing') return withProblem('bad', 'fails', lastProblem);
  if (state === 'paused') return withProblem('warn', 'paused', lastProblem);
  return { tone: 'idle', text: 'not asked yet' };
}

/** The names of the variables; their values are never known here. */
export function providerSetting({ name, hasKey, hasUrl, used, obstacle }: Provider): string {
  const prefix = `TRAWL_${name.toUpperCase().replaceAll('-', '_')}`;
  if (hasKey || hasUrl)
    return `${[hasKey && `${prefix}_API_KEY`, hasUrl && `${prefix}_URL`].filter(Boolean).join(', ')} (set)`;
  const named = /TRAWL_\w+/g.exec(obstacle ?? '');
  if (obstacle !== undefined) return named?.[0] ?? `${prefix}_API_KEY or ${prefix}_URL`;
  return used ? 'works without a key' : 'TRAWL_SEARCH_PROVIDERS';
}

export function modelState({ model, state, lastProblem }: Model): Words {
  if (model === null || state === 'none') return { tone: 'idle', text: 'none', more: 'Made without a language model.' };
  if (state === 'answers') return { tone: 'good', text: 'answers' };
  return state === 'fails' ? withProblem('bad', 'fails', lastProblem) : { tone: 'idle', text: 'not asked yet' };
}

export const modelSetting = (purpose: Model['purpose']): string =>
  `TRAWL_MODEL_${purpose.toUpperCase()} or TRAWL_MODEL`;
