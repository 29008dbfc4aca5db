// Compares an answer of the agent with the truth. Lists are sets: each expected entity is compared with the one that fits it best.
import type { AnyOf, Truth } from '../understand/labelled-page.ts';
import { type FieldScore, isRight, scoreFields } from '../understand/score-fields.ts';

type Fields = Record<string, Truth>;

/** One score for each field; a list of objects counts as one field for each property. */
export const scoreAnswer = (expected: Fields, actual: unknown): FieldScore[] =>
  scoreFields(expected, aligned(expected, actual));

/** Which statements the answer contains, anywhere in it. */
export function findStatements(statements: readonly string[], answer: unknown): boolean[] {
  const text = folded(textsOf(answer).join('\n'));
  return statements.map((statement) => text.includes(folded(statement)));
}

/** The actual value with its lists in the order of the expected ones. */
function aligned(truth: Truth, actual: unknown): unknown {
  if (Array.isArray(truth)) return Array.isArray(actual) ? alignedList(truth, actual) : actual;
  if (!isObject(truth) || isAnyOf(truth)) return toType(truth as Truth, actual);
  if (!isObject(actual)) return actual;
  const fields = truth as Fields;
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => [
      name,
      fields[name] === undefined ? value : aligned(fields[name], value),
    ]),
  );
}

function alignedList(truths: Truth[], actual: readonly unknown[]): unknown[] {
  const pairs = truths
    .flatMap((truth, row) => actual.map((value, at) => ({ row, at, fit: fitOf(truth, aligned(truth, value)) })))
    .sort((one, other) => other.fit - one.fit);
  const rows: unknown[] = Array.from({ length: truths.length });
  const [taken, filled] = [new Set<number>(), new Set<number>()];
  for (const { row, at } of pairs) {
    if (taken.has(at) || filled.has(row)) continue;
    taken.add(at);
    filled.add(row);
    rows[row] = aligned(truths[row]!, actual[at]);
  }
  return [...rows, ...actual.filter((_, at) => !taken.has(at))];
}

function fitOf(truth: Truth, value: unknown): number {
  if (!isObject(truth) || isAnyOf(truth) || Array.isArray(truth)) return isRight(truth, value) ? 1 : 0;
  return scoreFields(truth as Fields, value).reduce((sum, { right }) => sum + right, 0);
}

/** A number in a text counts where a number is expected, and the other way round: the schema is checked elsewhere. */
function toType(truth: Truth, actual: unknown): unknown {
  if (typeof truth === 'number' && typeof actual === 'string' && /^-?\d+(?:\.\d+)?$/.test(actual.trim())) {
    return Number(actual);
  }
  return typeof truth === 'string' && typeof actual === 'number' ? String(actual) : actual;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[*_`\\]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, ' ')
    .toLowerCase();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isAnyOf = (truth: unknown): truth is AnyOf => isObject(truth) && 'anyOf' in truth;
