// The text of a page without boilerplate: a model names the lines to drop, or without one, the blocks that the extractor
// is certain about are kept. Nothing is reworded.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { CarriedSource } from '../../page/understanding.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { MakerTools } from '../format-maker.ts';
import { CLEAN_PAGE, CLEAN_SCHEMA, readDropped } from '../prompts/pages/clean-page.ts';
import { madeWithoutModel } from '../without-model.ts';
import { dropBlocks, numberBlocks } from './numbered-blocks.ts';

export interface CleanPage {
  markdown: string;
  warnings: string[];
}

const OPTION = 'onlyCleanContent';
/** For the prompt itself. */
const PROMPT_TOKENS = 700;
/** A model that drops more than this has misunderstood the page, or was told to. */
const MAX_DROPPED = 0.8;

export async function cleanPage(source: CarriedSource, { model, signal }: MakerTools): Promise<CleanPage> {
  const { markdown, cleanMarkdown } = source;
  if (markdown.trim() === '') return { markdown, warnings: [] };
  const chosen = model('clean');
  if ('model' in chosen) return cleanedBy(chosen.model, markdown, signal);
  const certain = cleanMarkdown?.trim() ? cleanMarkdown : markdown;
  return { markdown: certain, warnings: [madeWithoutModel(OPTION, chosen.without)] };
}

/** Never fails: the original is kept, and a warning says why. */
async function cleanedBy(model: LanguageModel, markdown: string, signal: AbortSignal): Promise<CleanPage> {
  const unchanged = (reason: string) => ({ markdown, warnings: [`\`${OPTION}\` was not applied: ${reason}`] });
  const numbered = numberBlocks(markdown);
  const room = model.contextTokens - PROMPT_TOKENS - Math.min(model.maxOutputTokens, model.contextTokens / 4);
  if (estimateTokens(numbered) > room) return unchanged(`the page is longer than ${model.name} can read at once.`);
  try {
    const call = { instructions: CLEAN_PAGE, material: numbered, schema: CLEAN_SCHEMA };
    const { value } = await model.object({ ...call, signal });
    const ranges = readDropped(value);
    if (!ranges) return unchanged(`${model.name} did not name lines.`);
    const cleaned = dropBlocks(markdown, ranges);
    if (cleaned.length < markdown.length * (1 - MAX_DROPPED)) {
      return unchanged(`${model.name} would have dropped nearly all of the page.`);
    }
    return { markdown: cleaned, warnings: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return unchanged(error.message);
  }
}
