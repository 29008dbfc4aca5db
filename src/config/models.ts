// Settings of language models: which one answers for which purpose, and within which limits; and of the server for embeddings.
import { z } from 'zod';
import { MODEL_PURPOSES, type ModelPurpose } from '../contracts/operator/model-purpose.ts';
import {
  MODEL_NEEDS,
  type ModelChoice,
  type ModelName,
  type ModelSettings,
  modelVariable,
  parseModelName,
} from '../models/model-choice.ts';
import { parseProxyList } from '../net/connections/upstream-proxies.ts';
import { SettingError } from '../util/setting-error.ts';
import { baseUrl, integer, oneOf, readBy, type Setting, type SharedSetting, setting } from './rules.ts';

const wholeNumber = (min: number, max: number) => integer(0, min, max).unwrap().optional();

export const MODEL_SETTINGS = {
  model: setting(
    'TRAWL_MODEL',
    'none',
    readBy(parseModelName).optional(),
    'Language model, as PROVIDER:MODEL, e.g. `ollama:qwen3:8b`. Providers: ollama, openai, anthropic, google, and compatible (anything that speaks chat-completions). Without one, everything is made without a model.',
  ),
  modelUrl: setting(
    'TRAWL_MODEL_URL',
    "the provider's own",
    baseUrl.optional(),
    'Base URL of the model server, e.g. `http://127.0.0.1:8080/v1`. It may be private. Required for compatible.',
    // The URL may contain a password.
    true,
  ),
  modelKey: setting(
    'TRAWL_MODEL_KEY',
    'none',
    z.string().min(1).optional(),
    'API key of the model provider. Required for openai, anthropic and google.',
    true,
  ),
  purposeModels: {
    names: MODEL_PURPOSES,
    ...setting(
      'TRAWL_MODEL_<NAME>',
      'TRAWL_MODEL',
      readBy(readPurposeModel).optional(),
      'Another model for one purpose: `TRAWL_MODEL_EXTRACT` (json, product, menu), `_ANSWER` (questions, summaries), `_CLEAN` (onlyCleanContent), `_AGENT`, `_JUDGE` (prompt injection). off: none for this purpose.',
    ),
  },
  purposeModelUrls: {
    names: MODEL_PURPOSES,
    ...setting(
      'TRAWL_MODEL_<NAME>_URL',
      'as TRAWL_MODEL_URL',
      baseUrl.optional(),
      'Base URL of the model for one purpose, if its provider is not that of TRAWL_MODEL.',
      true,
    ),
  },
  purposeModelKeys: {
    names: MODEL_PURPOSES,
    ...setting(
      'TRAWL_MODEL_<NAME>_KEY',
      'as TRAWL_MODEL_KEY',
      z.string().min(1).optional(),
      'API key of the model for one purpose, if its provider is not that of TRAWL_MODEL.',
      true,
    ),
  },
  modelContextTokens: setting(
    'TRAWL_MODEL_CONTEXT_TOKENS',
    'ollama 4096, compatible 8192, openai 128000, anthropic and google 200000',
    wholeNumber(2_048, 10_000_000),
    'How many tokens the model has room for. Longer pages are sent in parts, or cut.',
  ),
  modelOutputTokens: setting(
    'TRAWL_MODEL_OUTPUT_TOKENS',
    '8192, at most half of the room',
    wholeNumber(256, 1_000_000),
    'How many tokens one answer of the model may have.',
  ),
  modelConcurrency: setting(
    'TRAWL_MODEL_CONCURRENCY',
    '4',
    integer(4, 1, 1_000),
    'Maximum number of concurrent calls of language models; more wait.',
  ),
  modelTokensPerDay: setting(
    'TRAWL_MODEL_TOKENS_PER_DAY',
    'no limit',
    wholeNumber(1, 1_000_000_000_000),
    'How many tokens each team may use in a day (UTC). After that, everything is made without a model.',
  ),
  modelCreditsPer1000Tokens: setting(
    'TRAWL_MODEL_CREDITS_PER_1000_TOKENS',
    '0',
    readBy(readPrice).default(0),
    'Credits that are billed for 1,000 tokens of a model, in addition to the price of the page.',
  ),
  modelPrivate: setting(
    'TRAWL_MODEL_ZDR',
    'off',
    oneOf(['allow', 'off'], 'off'),
    'allow: text of requests with zero data retention or `lockdown` may go to a model on another machine, or to TRAWL_EMBEDDINGS_URL; off: only to one on this machine (loopback).',
  ),
  embeddingsUrl: setting(
    'TRAWL_EMBEDDINGS_URL',
    'none',
    baseUrl.optional(),
    'Base URL of a server for the vectors of chunks that speaks `/embeddings` as OpenAI does, e.g. `http://127.0.0.1:11434/v1`. It may be private. Without one, they come from the encoder of Trawl.',
    // The URL may contain a password.
    true,
  ),
  embeddingsModel: setting(
    'TRAWL_EMBEDDINGS_MODEL',
    'none',
    z.string().min(1).max(200).optional(),
    'The model at TRAWL_EMBEDDINGS_URL, e.g. `nomic-embed-text`.',
  ),
  embeddingsKey: setting(
    'TRAWL_EMBEDDINGS_KEY',
    'none',
    z.string().min(1).optional(),
    'API key for TRAWL_EMBEDDINGS_URL.',
    true,
  ),
  modelProxy: setting(
    'TRAWL_MODEL_PROXY',
    'none',
    readBy(parseProxyList).default(() => []),
    'Upstream HTTP proxies for requests to model servers at public addresses, in the form of TRAWL_PROXY.',
    true,
  ),
} satisfies Record<string, Setting<unknown> | SharedSetting<unknown>>;

export interface ModelVariables {
  model: ModelName | undefined;
  modelUrl: string | undefined;
  modelKey: string | undefined;
  purposeModels: Partial<Record<ModelPurpose, ModelName | 'off'>>;
  purposeModelUrls: Partial<Record<ModelPurpose, string>>;
  purposeModelKeys: Partial<Record<ModelPurpose, string>>;
  modelContextTokens: number | undefined;
  modelOutputTokens: number | undefined;
  modelConcurrency: number;
  modelTokensPerDay: number | undefined;
  modelCreditsPer1000Tokens: number;
  modelPrivate: 'allow' | 'off';
  embeddingsUrl: string | undefined;
  embeddingsModel: string | undefined;
  embeddingsKey: string | undefined;
}

const OUTPUT_TOKENS = 8_192;

/** Throws an Error with one sentence if settings are missing or do not work together. */
export function readModels(variables: ModelVariables): ModelSettings {
  const choices = MODEL_PURPOSES.flatMap((purpose) => {
    const choice = choiceFor(purpose, variables);
    return choice ? [[purpose, choice] as const] : [];
  });
  return {
    choices: Object.fromEntries(choices),
    switchedOff: MODEL_PURPOSES.filter((purpose) => variables.purposeModels[purpose] === 'off'),
    concurrency: variables.modelConcurrency,
    tokensPerDay: variables.modelTokensPerDay,
    creditsPer1000Tokens: variables.modelCreditsPer1000Tokens,
    allowsPrivate: variables.modelPrivate === 'allow',
    ...embeddingsFrom(variables),
  };
}

function embeddingsFrom(variables: ModelVariables): Pick<ModelSettings, 'embeddings'> {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key } = variables;
  if (url === undefined && model === undefined && key === undefined) return {};
  if (url === undefined) throw new SettingError('TRAWL_EMBEDDINGS_MODEL and _KEY need TRAWL_EMBEDDINGS_URL. Set it.');
  if (model === undefined) throw new SettingError('TRAWL_EMBEDDINGS_URL needs TRAWL_EMBEDDINGS_MODEL. Set it.');
  return { embeddings: { url, model, key } };
}

function choiceFor(purpose: ModelPurpose, variables: ModelVariables): ModelChoice | undefined {
  const own = variables.purposeModels[purpose];
  const named = own ?? variables.model;
  if (named === undefined || named === 'off') return undefined;
  const { provider, model } = named;
  const needs = MODEL_NEEDS[provider];
  const variable = own === undefined ? 'TRAWL_MODEL' : modelVariable(purpose);
  // A key is never sent to another provider than the one it was set for.
  const isCommon = variables.model === undefined || provider === variables.model.provider;
  const ownUrl = variables.purposeModelUrls[purpose];
  const url = ownUrl ?? (isCommon ? variables.modelUrl : undefined) ?? needs.url;
  const isCommonUrl = ownUrl === undefined || ownUrl === variables.modelUrl;
  const key = variables.purposeModelKeys[purpose] ?? (isCommon && isCommonUrl ? variables.modelKey : undefined);
  const suffixed = isCommon ? 'TRAWL_MODEL' : variable;
  if (url === undefined) throw new SettingError(`${variable} names ${provider}, which needs ${suffixed}_URL. Set it.`);
  if (needs.key === 'needed' && key === undefined && url === needs.url) {
    throw new SettingError(`${variable} names ${provider}, which needs ${suffixed}_KEY. Set it.`);
  }
  const contextTokens = variables.modelContextTokens ?? needs.contextTokens;
  return {
    ...{ provider, model, name: `${provider}:${model}`, url, key, contextTokens },
    maxOutputTokens: Math.min(variables.modelOutputTokens ?? OUTPUT_TOKENS, Math.floor(contextTokens / 2)),
  };
}

function readPurposeModel(text: string): ModelName | 'off' {
  return text.toLowerCase() === 'off' ? 'off' : parseModelName(text);
}

function readPrice(text: string): number {
  const price = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || price > 1_000_000) throw new SettingError('it must be a number, e.g. 0.5');
  return price;
}
