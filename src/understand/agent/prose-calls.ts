// Tool calls that small models write as text instead of calling: a JSON object with the name of a tool and its input.
import type { ModelToolCall } from '../../models/language-model.ts';
import { parseWritten } from '../../util/json/json-size.ts';

const MAX_TEXT = 200_000;
const MAX_OBJECTS = 50;
const NAMES = ['name', 'tool', 'tool_name', 'function', 'action'];
const INPUTS = ['arguments', 'input', 'parameters', 'args', 'action_input'];

/** Only names that are offered count. */
export function proseCalls(text: string, names: ReadonlySet<string>): Omit<ModelToolCall, 'id'>[] {
  return jsonObjects(text).flatMap((object) => {
    const called = isFields(object.function) ? { ...object, ...object.function } : object;
    const name = NAMES.map((key) => called[key]).find((value) => typeof value === 'string' && names.has(value));
    if (typeof name !== 'string') return [];
    const input = INPUTS.map((key) => called[key]).find((value) => value !== undefined);
    return [{ name, input: input ?? {} }];
  });
}

/** The data that a model wrote as text: the largest object that is not a tool call. */
export function proseData(text: string): Record<string, unknown> | undefined {
  const whole = parseWritten(text.trim())?.value;
  if (Array.isArray(whole)) return { items: whole };
  return jsonObjects(text)
    .filter((object) => !INPUTS.some((key) => isFields(object[key])))
    .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The outermost objects of a text, in linear time: each character is looked at once. */
function jsonObjects(given: string): Fields[] {
  const text = given.slice(0, MAX_TEXT);
  const found: Fields[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length && found.length < MAX_OBJECTS; at++) {
    const character = text[at];
    // Outside of objects, quotation marks belong to the prose.
    if (character === '"' && depth > 0) at = endOfString(text, at);
    if (character === '{') {
      if (depth === 0) start = at;
      depth += 1;
    }
    if (character !== '}' || depth === 0) continue;
    depth -= 1;
    const object = depth === 0 ? parseWritten(text.slice(start, at + 1))?.value : undefined;
    if (isFields(object)) found.push(object);
  }
  return found;
}

/** Where the string that begins here ends. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
