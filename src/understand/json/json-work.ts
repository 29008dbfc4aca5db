// The work of the formats `json` and `deterministicJson` that runs in the understand thread.
import type { Citation, PageSource } from '../../contracts/understanding.ts';
import { hashOf } from '../../util/hash.ts';
import { citationsOf } from './citations.ts';
import { fillFromPage } from './fill/fill.ts';
import { readSchema } from './schema/read-schema.ts';
import type { JsonSchema } from './schema/subschemas.ts';
import { compileValidator, problemText, type Validate } from './schema/validator.ts';

export interface CheckedJson {
  /** Undefined if the page has nothing of what was asked for. */
  value: unknown;
  /** What the schema demands and the value does not fulfil; empty for a valid value. */
  problems: string[];
  citations: Record<string, Citation>;
}

/** What runs in the thread. */
export interface JsonWork {
  /** Why a caller's schema cannot be used; undefined if it can. */
  schemaProblem(schema: JsonSchema): Promise<string | undefined>;
  /** Fills a schema from the page alone. */
  fill(schema: JsonSchema, source: PageSource): Promise<CheckedJson>;
  /** Validates a value that a model made, and finds it in the text. */
  check(schema: JsonSchema, value: unknown, source: PageSource): Promise<CheckedJson>;
  /** What the page's data says, for requests without a schema. */
  describe(source: PageSource): Promise<CheckedJson>;
}

const MAX_VALIDATORS = 8;
const validators = new Map<string, Validate>();

function validatorFor(schema: JsonSchema): Validate {
  const key = hashOf(schema);
  const known = validators.get(key);
  if (known) return known;
  const made = compileValidator(schema);
  if (validators.size >= MAX_VALIDATORS) validators.delete(validators.keys().next().value!);
  validators.set(key, made);
  return made;
}

export function fillSchema(given: JsonSchema, source: PageSource): CheckedJson {
  const schema = readSchema(given);
  const { value, origins } = fillFromPage(schema, source);
  if (value === undefined) return { value, problems: [], citations: {} };
  dropInvalid(schema, value);
  return { value, problems: problemsOf(schema, value), citations: citationsOf(value, source, origins) };
}

/** A value of the page that the schema forbids is not what was asked for. */
function dropInvalid(schema: JsonSchema, value: unknown): void {
  for (const { path, isMissing } of validatorFor(schema)(value)) {
    if (!isMissing) removeAt(value, path);
  }
}

function removeAt(value: unknown, path: string): void {
  const parts = path.split(/\.|\[|\]\.?/).filter((part) => part !== '');
  const last = parts.pop();
  let at: unknown = value;
  for (const part of parts)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined;
  if (last !== undefined && typeof at === 'object' && at !== null && !Array.isArray(at))
    delete (at as Record<string, unknown>)[last];
}

export function checkValue(given: JsonSchema, value: unknown, source: PageSource): CheckedJson {
  return { value, problems: problemsOf(readSchema(given), value), citations: citationsOf(value, source) };
}

const problemsOf = (schema: JsonSchema, value: unknown): string[] => [
  ...new Set(validatorFor(schema)(value).map(problemText)),
];
