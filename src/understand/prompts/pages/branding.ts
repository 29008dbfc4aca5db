// What a language model is asked about a brand: which of our candidates is the logo and which are the main buttons, by
// number, and how the brand speaks. Everything that the page says is material.
import type { Branding } from '../../../contracts/formats/branding.ts';
import type { BrandCandidates, BrandChoices } from '../../branding/branding.ts';

export const BRANDING_INSTRUCTIONS = [
  'You describe the brand of a website from what was measured on one of its pages.',
  '<logos> and <buttons> list numbered candidates, <page> is the beginning of the text.',
  'logo: the number of the candidate that is the logo of the site itself, not of a partner, customer or app store; 0 if none is.',
  'primaryButton: the number of the candidate for the most important action of the page; 0 if none is.',
  'secondaryButton: the number of the candidate for the second action, which looks different from the main one, or 0.',
  'tone, energy, targetAudience, voice and emojiUsage describe how the text speaks and to whom, in at most eight words each.',
].join('\n');

const TONES = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'];
const ENERGIES = ['low', 'medium', 'high'];
const MAX_TEXT = 6_000;
const MAX_WORDING = 120;

const number = { type: 'integer', minimum: 0, maximum: 10 };
const wording = { type: 'string', maxLength: MAX_WORDING };
const properties = {
  logo: number,
  primaryButton: number,
  secondaryButton: number,
  tone: { type: 'string', enum: TONES },
  energy: { type: 'string', enum: ENERGIES },
  targetAudience: wording,
  voice: wording,
  emojiUsage: wording,
};
export const BRANDING_SCHEMA = {
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
};

export function brandingMaterial({ logos, buttons }: BrandCandidates, markdown: string): Record<string, string> {
  const listed = (candidates: readonly string[]) =>
    candidates.map((candidate, at) => `${at + 1}. ${candidate}`).join('\n') || 'none';
  return { logos: listed(logos), buttons: listed(buttons), page: markdown.slice(0, MAX_TEXT) };
}

export interface BrandAnswer {
  choices: BrandChoices;
  /** Keys of the branding that only a model can give. */
  character: Pick<Branding, 'tone' | 'personality'>;
}

/** Takes what fits from the answer of a model; the rest is left to the rules. */
export function readBrandAnswer(value: unknown, { logos, buttons }: BrandCandidates): BrandAnswer {
  const answer = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const choice = (key: string, count: number) => {
    const chosen = answer[key];
    if (!Number.isInteger(chosen) || (chosen as number) < 0 || (chosen as number) > count) return {};
    return { [key]: chosen === 0 ? null : (chosen as number) };
  };
  const oneOf = (key: string, values: readonly string[]) =>
    values.includes(String(answer[key])) ? answer[key] : undefined;
  const worded = (key: string) => {
    const text = answer[key];
    return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, MAX_WORDING) : undefined;
  };
  const personality = present({
    tone: oneOf('tone', TONES),
    energy: oneOf('energy', ENERGIES),
    targetAudience: worded('targetAudience'),
  });
  const tone = present({ voice: worded('voice'), emojiUsage: worded('emojiUsage') });
  return {
    choices: {
      ...choice('logo', logos.length),
      ...choice('primaryButton', buttons.length),
      ...choice('secondaryButton', buttons.length),
    },
    character: {
      ...(Object.keys(tone).length > 0 && { tone }),
      ...(Object.keys(personality).length > 0 && { personality }),
    },
  };
}

const present = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
