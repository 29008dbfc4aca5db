// Asks a model about a page, as much of it as has room.

import type { LanguageModel } from '../../models/language-model.ts';
import type { PageText } from '../../page/understanding.ts';
import { estimateTokens, fitTokens } from '../../text/estimate-tokens.ts';

export interface PageQuestion {
  instructions: string;
  schema: object;
  /** Further material, by label. */
  material?: Readonly<Record<string, string>>;
}

export interface PageAnswer {
  value: unknown;
  /** Only the first part of the page was read. */
  isCut: boolean;
}

const OVERHEAD_TOKENS = 600;
const MIN_PAGE_TOKENS = 500;

export async function askAboutPage(
  model: LanguageModel,
  { markdown }: PageText,
  { instructions, schema, material = {} }: PageQuestion,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const answer = Math.min(model.maxOutputTokens, model.contextTokens / 3);
  const other = estimateTokens(instructions + JSON.stringify(schema) + Object.values(material).join(''));
  const room = Math.max(MIN_PAGE_TOKENS, model.contextTokens - answer - other - OVERHEAD_TOKENS);
  const { text, isCut } = fitTokens(markdown, room);
  const { value } = await model.object({ instructions, schema, material: { ...material, page: text }, signal });
  return { value, isCut };
}

export const cutWarning = (what: string): string =>
  `\`${what}\` was made from the first part of the page: the page is too long for the model.`;
