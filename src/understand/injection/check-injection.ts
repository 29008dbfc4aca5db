// Refuses pages that give orders to language models: by rules, and where there is a model, by its judgement as well.
// The model can only add to what the rules find, because the page may have given it orders, too.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { PRICES } from '../../contracts/prices.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource, MadeFormat } from '../../page/understanding.ts';
import { estimateTokens, fitTokens } from '../../text/estimate-tokens.ts';
import type { MakerTools } from '../format-maker.ts';
import { INJECTION_SCHEMA, JUDGE_INJECTION, readVerdict } from '../prompts/pages/judge-injection.ts';

/** Longer pages are judged by rules alone after this many calls. */
const MAX_CALLS = 8;
const ANSWER_TOKENS = 64;
/** For the prompt itself. */
const PROMPT_TOKENS = 700;

/** Throws ServiceError SCRAPE_PROMPT_INJECTION_DETECTED. */
export async function checkInjection(source: CarriedSource, { work, model, signal }: MakerTools): Promise<MadeFormat> {
  const { url, html, markdown } = source;
  const scan = await work.findInjection({ url, html, markdown });
  if (scan.is === 'too-long') {
    return { content: {}, warnings: ['The page was not checked for prompt injection: it is too long.'] };
  }
  if (scan.is === 'found') throw new ServiceError('SCRAPE_PROMPT_INJECTION_DETECTED');
  const judge = model('judge');
  const problem = 'model' in judge ? await judged(scan.text, judge.model, signal) : judge.without;
  const byRules = `The page was checked for prompt injection by rules alone: ${problem}.`;
  return { content: {}, warnings: problem === undefined ? [] : [byRules], credits: PRICES.injectionCheck };
}

/** Why the model did not judge the whole page; undefined if it did. */
async function judged(text: string, model: LanguageModel, signal: AbortSignal): Promise<string | undefined> {
  const room = model.contextTokens - PROMPT_TOKENS - Math.min(model.maxOutputTokens, model.contextTokens / 2);
  let rest = text;
  for (let calls = 0; rest !== '' && calls < MAX_CALLS; calls++) {
    const { text: part } = fitTokens(rest, room);
    try {
      const call = { instructions: JUDGE_INJECTION, material: part, schema: INJECTION_SCHEMA };
      const { value } = await model.object({ ...call, maxOutputTokens: ANSWER_TOKENS, signal });
      const verdict = readVerdict(value);
      if (verdict === 'injection') throw new ServiceError('SCRAPE_PROMPT_INJECTION_DETECTED');
      if (verdict === undefined) return `${model.name} gave no verdict`;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError) || error.code === 'SCRAPE_PROMPT_INJECTION_DETECTED') throw error;
      return `${model.name} could not judge it`;
    }
    rest = rest.slice(part.length);
  }
  return rest === '' ? undefined : `it has ${estimateTokens(text)} tokens, more than ${model.name} can judge`;
}
