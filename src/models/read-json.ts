// The JSON in what a model wrote: as it is, in a code fence, after some words, or slightly broken.
import { isNestedTooDeeply, parseWritten } from '../util/json/json-size.ts';
import { ModelProblem } from './model-problem.ts';

const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/;

/** Without the thoughts that some servers send in front of the answer. */
export const withoutThoughts = (text: string): string => text.replace(THOUGHTS, '').trim();

/** Throws ModelProblem. The text must be complete: what was cut off must not be repaired. */
export async function readJson(written: string): Promise<unknown> {
  const text = withoutThoughts(written);
  const found = parseWritten(text) ?? parseWritten(unfenced(text)) ?? parseWritten(between(text));
  if (found) return found.value;
  const candidate = between(unfenced(text));
  // A sentence without braces would be "repaired" to a string.
  if (candidate === '') throw new ModelProblem('malformed');
  const { jsonrepair } = await import('jsonrepair');
  try {
    const repaired: unknown = JSON.parse(jsonrepair(candidate));
    if (!isNestedTooDeeply(repaired)) return repaired;
  } catch (cause) {
    throw new ModelProblem('malformed', { cause });
  }
  throw new ModelProblem('malformed');
}

const unfenced = (text: string): string => /```(?:json)?\s*\n([\s\S]*?)\n\s*```/i.exec(text)?.[1] ?? text;

/** From the first brace or bracket to the last one that may close it. */
function between(text: string): string {
  const start = text.search(/[{[]/);
  if (start < 0) return '';
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']');
  return text.slice(start, end > start ? end + 1 : undefined);
}
