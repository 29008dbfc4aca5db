// The value of a flag, read from the text that was typed. Only its type is checked here; the service checks the rest.
import { readFileSync } from 'node:fs';
import type { FlagValue } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import type { ResolvedFlag } from './resolved-flag.ts';
import { suggest } from './suggest.ts';

export function readValue(flag: ResolvedFlag, text: string): FlagValue {
  switch (flag.type) {
    case 'number':
      return readNumber(flag, text);
    case 'boolean':
      return readBoolean(flag, text);
    case 'list':
      return readList(flag, text);
    case 'json':
      return readJson(flag, text) as FlagValue;
    default:
      return readChoice(flag, text);
  }
}

function readNumber({ name }: ResolvedFlag, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`--${name} takes a number, not '${text}'.`);
  return value;
}

function readBoolean({ name }: ResolvedFlag, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`--${name} takes no value. Write --${name} or --no-${name}.`);
}

function readChoice({ name, choices }: ResolvedFlag, text: string): string {
  if (!choices || choices.includes(text)) return text;
  const near = suggest(text, choices);
  const hint = near === undefined ? `It takes: ${choices.join(', ')}.` : `Did you mean ${near}?`;
  throw new UsageError(`--${name} does not take '${text}'. ${hint}`);
}

/** Entries are separated by commas. A JSON list, or an object where entries may be objects, is taken as it is. */
function readList(flag: ResolvedFlag, text: string): readonly string[] {
  const isJson = text.startsWith('[') || (flag.acceptsObjects && /^[{@]/.test(text));
  if (isJson && !isPattern(text)) return [readJson(flag, text)].flat() as string[];
  const entries = splitAtCommas(text);
  // A word may be meant for the service, such as a format that needs options: its own error says more.
  return flag.acceptsObjects ? entries : entries.map((entry) => readChoice(flag, entry));
}

/** `[a-z]+` begins like a JSON list but is not one. */
const isPattern = (text: string): boolean => text.startsWith('[') && !/^\[\s*(["{\]\d-]|true|false|null)/.test(text);

/** Not inside brackets: selectors, patterns and objects have commas of their own. */
function splitAtCommas(text: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if ('([{'.includes(letter)) depth++;
    else if (')]}'.includes(letter)) depth--;
    else if (letter === ',' && depth <= 0) {
      entries.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...entries, text.slice(from)].map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function readJson({ name, acceptsText }: ResolvedFlag, text: string): unknown {
  const isFile = text.startsWith('@');
  const json = isFile ? readText(name, text.slice(1)) : text;
  try {
    return JSON.parse(json);
  } catch (error) {
    if (acceptsText && !isFile) return text;
    const where = isFile ? text.slice(1) : `--${name}`;
    const hint = isFile ? '' : ' Write JSON, or @FILE for a file that contains it.';
    throw new UsageError(`${where} is not valid JSON (${(error as Error).message}).${hint}`);
  }
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--${name}: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
