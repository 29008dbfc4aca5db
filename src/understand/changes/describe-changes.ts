// What a language model says about the changes of a page, as JSON.

import type { LanguageModel } from '../../models/language-model.ts';
import { fitTokens } from '../../text/estimate-tokens.ts';
import {
  CHANGES_INSTRUCTIONS,
  CHANGES_SCHEMA,
  changesMaterial,
  readChanges,
} from '../prompts/tasks/describe-changes.ts';

/** The rest is for instructions and answer. */
const SHARE_OF_CONTEXT = 0.6;

/** Throws ServiceError if the model does not answer. */
export async function describeChanges(
  diff: string,
  request: string | undefined,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<{ json: Record<string, unknown>; isCut: boolean }> {
  const { text, isCut } = fitTokens(diff, model.contextTokens * SHARE_OF_CONTEXT);
  const { value } = await model.object({
    instructions: CHANGES_INSTRUCTIONS,
    material: changesMaterial(text, request),
    schema: CHANGES_SCHEMA,
    signal,
  });
  return { json: readChanges(value), isCut };
}
