// The state of providers and models in words, and the colour that repeats it.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { duration } from '../data/format.ts';
import type { Tone } from './tone.ts';

export type Provider = ResponseOf<'listProviders'>['data']['providers'][number];
export type Model = ResponseOf<'listProviders'>['data']['models'][number];
export type TestResult = ResponseOf<'testProvider'>['data'];

interface Words {
  tone: Tone;
  text: string;
}

const PROVIDER_STATES: Readonly<Record<Provider['state'], Words>> = {
  answers: { tone: 'good', text: 'Answers' },
  failing: { tone: 'warn', text: 'Failed last time' },
  paused: { tone: 'bad', text: 'Paused' },
  unknown: { tone: 'idle', text: 'Not asked yet' },
};

export const providerState = ({ used, obstacle, state }: Provider): Words => {
  if (obstacle !== undefined) return { tone: 'idle', text: 'Not set up' };
  return used || state !== 'unknown' ? PROVIDER_STATES[state] : { tone: 'idle', text: 'Not used' };
};

const MODEL_STATES: Readonly<Record<Model['state'], Words>> = {
  answers: { tone: 'good', text: 'Answers' },
  fails: { tone: 'bad', text: 'Fails' },
  unknown: { tone: 'idle', text: 'Not asked yet' },
  none: { tone: 'idle', text: 'Not set' },
};

export const modelState = ({ state }: Model): Words => MODEL_STATES[state];

/** For what it is asked. */
export function coverageOf({ sources, categories }: Provider): string {
  const named = sources.map((source) => SOURCE_NAMES[source] ?? source).join(', ');
  return categories.length === 0 ? named : `${named} (only for ${categories.join(', ')})`;
}

const SOURCE_NAMES: Readonly<Record<string, string>> = { web: 'Web', news: 'News', images: 'Images' };

export const PURPOSES: Readonly<Record<Model['purpose'], string>> = {
  extract: 'Extract data',
  answer: 'Answer questions',
  clean: 'Clean pages',
  agent: 'Drive agents',
  judge: 'Judge changes',
};

export function testText({ ok, ms, results, problem }: TestResult): string {
  if (!ok) return problem ?? 'It did not answer.';
  return `It answered in ${duration(ms)}${results === 0 ? ', with no result' : ''}.`;
}
