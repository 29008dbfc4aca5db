// The names of models in the settings, such as `ollama:qwen3:8b`, and what each provider needs. Separate from the adapter,
// so that reading the settings does not load it.

import { MODEL_PURPOSES, type ModelPurpose } from '../contracts/operator/model-purpose.ts';
import { SettingError } from '../util/setting-error.ts';

interface ProviderNeeds {
  /** Base URL; undefined: the operator has to set one. */
  url: string | undefined;
  key: 'needed' | 'possible';
  /** How many tokens a model has room for, if the operator does not say. */
  contextTokens: number;
}

/** Ollama cuts longer prompts without saying so; what it has room for is a setting of its own (OLLAMA_CONTEXT_LENGTH). */
const NEEDS = {
  ollama: { url: 'http://127.0.0.1:11434/v1', key: 'possible', contextTokens: 4_096 },
  openai: { url: 'https://api.openai.com/v1', key: 'needed', contextTokens: 128_000 },
  anthropic: { url: 'https://api.anthropic.com/v1', key: 'needed', contextTokens: 200_000 },
  google: { url: 'https://generativelanguage.googleapis.com/v1beta', key: 'needed', contextTokens: 200_000 },
  compatible: { url: undefined, key: 'possible', contextTokens: 8_192 },
} as const satisfies Record<string, ProviderNeeds>;

export type ModelProvider = keyof typeof NEEDS;
export const MODEL_PROVIDERS = Object.keys(NEEDS) as ModelProvider[];
export const MODEL_NEEDS: Readonly<Record<ModelProvider, ProviderNeeds>> = NEEDS;

export interface ModelName {
  provider: ModelProvider;
  /** As the provider calls it; it may contain colons and slashes. */
  model: string;
}

/** One model with everything that a call needs. */
export interface ModelChoice extends ModelName {
  /** As in the settings. */
  name: string;
  url: string;
  key: string | undefined;
  contextTokens: number;
  maxOutputTokens: number;
}

/** A model that turns texts into vectors. */
export type EmbeddingChoice = Pick<ModelChoice, 'model' | 'url' | 'key'>;

export interface ModelSettings {
  choices: Readonly<Partial<Record<ModelPurpose, ModelChoice>>>;
  /** Purposes for which the operator wants no model. */
  switchedOff: readonly ModelPurpose[];
  concurrency: number;
  /** For each team. */
  tokensPerDay: number | undefined;
  creditsPer1000Tokens: number;
  /** Whether text of private requests may go to a model on another machine. */
  allowsPrivate: boolean;
  embeddings?: EmbeddingChoice;
}

/** The setting that names the model of a purpose. */
export const modelVariable = (purpose: ModelPurpose): string => `TRAWL_MODEL_${purpose.toUpperCase()}`;

export function parseModelName(text: string): ModelName {
  const colon = text.indexOf(':');
  const [provider, model] = [text.slice(0, colon), text.slice(colon + 1).trim()];
  const known = MODEL_PROVIDERS.find((name) => name === provider.toLowerCase());
  if (colon < 0 || known === undefined || model === '') {
    const example = 'for example ollama:qwen3:8b';
    throw new SettingError(`it must be PROVIDER:MODEL with one of ${MODEL_PROVIDERS.join(', ')}, ${example}`);
  }
  return { provider: known, model };
}

export const modelsByPurpose = ({
  choices,
}: Pick<ModelSettings, 'choices'>): { purpose: ModelPurpose; model?: string }[] =>
  MODEL_PURPOSES.map((purpose) => ({ purpose, ...(choices[purpose] && { model: choices[purpose].name }) }));

/** Origins that calls may go to, even if the address is private. */
export const modelOrigins = ({ choices, embeddings }: Pick<ModelSettings, 'choices' | 'embeddings'>): string[] => [
  ...new Set([...Object.values(choices), ...(embeddings ? [embeddings] : [])].map(({ url }) => new URL(url).origin)),
];

/** Whether text for this model stays on this machine. */
export function isOnThisMachine({ url }: Pick<ModelChoice, 'url'>): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
