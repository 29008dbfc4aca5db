// Extracts data with a language model: each part of the page is asked for, what stands on the page is put together and
// validated, and the model may repair its answer once.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { LanguageModel } from '../../../models/language-model.ts';
import type { CarriedSource } from '../../../page/understanding.ts';
import { estimateTokens } from '../../../text/estimate-tokens.ts';
import type { MakerTools } from '../../format-maker.ts';
import { extractInstructions, repairInstructions } from '../../prompts/pages/extract-json.ts';
import type { FinishedJson } from '../json-work.ts';
import type { AskedJson } from './invented.ts';

export interface ExtractedJson extends FinishedJson {
  /** Only the first part of the page was read. */
  isCut: boolean;
}

/** About as much as the largest models read, and more than any article. */
const MAX_CHARACTERS = 2_000_000;
const ANY_OBJECT = { type: 'object', additionalProperties: true };
/** Instructions, delimiters, and the words around the schema. */
const OVERHEAD_TOKENS = 600;
const MIN_PAGE_TOKENS = 500;

/** Throws ServiceError if the model gives no usable answer. */
export async function extractWithModel(
  model: LanguageModel,
  source: CarriedSource,
  asked: AskedJson,
  { work, signal }: MakerTools,
): Promise<ExtractedJson> {
  const { markdown } = source;
  if (markdown.length > MAX_CHARACTERS) throw new ServiceError('SCRAPE_JSON_CONTENT_TOO_LARGE');
  const { schema, prompt } = asked;
  const task = await work.json.prepare(schema, markdown, pageTokens(model, asked));
  const request: Record<string, string> = prompt ? { request: prompt } : {};
  const isPart = task.parts.length > 1;
  const values = await Promise.all(
    task.parts.map(async (page) => {
      const instructions = extractInstructions({ hasPrompt: prompt !== undefined, isPart });
      const { value } = await model.object({
        instructions,
        material: { ...request, page },
        schema: task.schema,
        signal,
      });
      return value;
    }),
  );
  const made = await work.json.finish(asked, values, source);
  if (made.problems.length === 0) return { ...made, isCut: task.isCut };
  const repaired = await model.object({
    instructions: repairInstructions(prompt !== undefined),
    material: {
      ...request,
      page: task.parts[0]!,
      answer: JSON.stringify(values.length === 1 ? values[0] : made.value),
      problems: made.mistakes.join('\n'),
    },
    schema: task.schema,
    signal,
  });
  const again = await work.json.finish(asked, [repaired.value], source);
  return { ...(again.problems.length < made.problems.length ? again : made), isCut: task.isCut };
}

/** What a call has room for, besides the schema, the caller's words and the answer. */
function pageTokens(
  { contextTokens, maxOutputTokens }: LanguageModel,
  { schema = ANY_OBJECT, prompt = '' }: AskedJson,
) {
  const answer = Math.min(maxOutputTokens, contextTokens / 3);
  // A repair shows the model its earlier answer as well.
  const taken = OVERHEAD_TOKENS + estimateTokens(JSON.stringify(schema)) + estimateTokens(prompt) + 1.5 * answer;
  return Math.max(MIN_PAGE_TOKENS, Math.floor(contextTokens - taken));
}
