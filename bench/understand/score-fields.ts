// Compares an extracted object with the truth, field by field. A list of objects counts as one field for each property.
import type { AnyOf, Truth } from './labelled-page.ts';

export interface FieldScore {
  /** As in `LabelledPage.jsonLd`: `venue.city`, `products[].price`. */
  path: string;
  /** 1 if the value is right; for a property of listed objects, the share of right rows. */
  right: number;
  /** 1 if there is a value that is not right, likewise. */
  wrong: number;
  /** The page does not say it: these fields only show what was invented. */
  isUnstated: boolean;
  /** For looking at mistakes. */
  expected: unknown;
  actual: unknown;
}

type Fields = Record<string, Truth>;

/** `expected['']` is the whole value, for schemas of a list. */
export function scoreFields(expected: Fields, actual: unknown): FieldScore[] {
  const whole = expected[''];
  return whole === undefined ? scoreObject('', expected, actual) : scoreValue('', whole, actual);
}

function scoreObject(path: string, expected: Fields, actual: unknown): FieldScore[] {
  const values = isObject(actual) ? actual : {};
  const prefix = path === '' ? '' : `${path}.`;
  return Object.entries(expected).flatMap(([name, truth]) => scoreValue(`${prefix}${name}`, truth, values[name]));
}

function scoreValue(path: string, truth: Truth, actual: unknown): FieldScore[] {
  if (Array.isArray(truth) && truth.every(isFields)) return scoreRows(path, truth, actual);
  if (isFields(truth)) return scoreObject(path, truth, actual);
  const isUnstated = isRight(truth, null);
  const right = isRight(truth, actual) ? 1 : 0;
  return [{ path, right, wrong: isRight(null, actual) ? 0 : 1 - right, isUnstated, expected: truth, actual }];
}

function scoreRows(path: string, rows: Fields[], actual: unknown): FieldScore[] {
  const found: unknown[] = Array.isArray(actual) ? actual : [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => {
    const cells = rows.map((row, at) => ({ truth: row[name] ?? null, value: cellOf(found[at], name) }));
    // Cells that are empty on the page count only if something was put into them.
    const counted = cells.filter(({ truth, value }) => !(truth === null && isRight(null, value)));
    const right = counted.filter(({ truth, value }) => isRight(truth, value)).length;
    const wrong = counted.filter(({ truth, value }) => !isRight(truth, value) && !isRight(null, value)).length;
    const surplus = Math.max(0, found.length - rows.length);
    const all = Math.max(1, counted.length + surplus);
    return {
      path: `${path}[].${name}`,
      // Rows too many count as wrong ones.
      right: right / all,
      wrong: (wrong + surplus) / all,
      isUnstated: false,
      expected: cells.map(({ truth }) => truth),
      actual: found.map((row) => cellOf(row, name)),
    };
  });
}

const cellOf = (row: unknown, name: string): unknown => (isObject(row) ? row[name] : undefined);

export function isRight(truth: Truth, actual: unknown): boolean {
  if (truth === null) return actual === null || actual === undefined || actual === '';
  if (isAnyOf(truth)) return truth.anyOf.some((one) => isRight(one, actual));
  if (Array.isArray(truth)) {
    return (
      Array.isArray(actual) && actual.length === truth.length && truth.every((one, at) => isRight(one, actual[at]))
    );
  }
  if (typeof truth === 'number') return typeof actual === 'number' && Math.abs(actual - truth) < 1e-6;
  if (typeof truth === 'string') return typeof actual === 'string' && isSameText(truth, actual);
  return actual === truth;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const WALL_CLOCK = 16;

/** Spaces, typographic quotes, invisible characters and the offset of a time do not count. */
function isSameText(truth: string, actual: string): boolean {
  if (DATE.test(truth)) return actual.trim().slice(0, truth.length) === truth;
  if (TIME.test(truth) && TIME.test(actual)) {
    return actual.slice(0, WALL_CLOCK) === truth.slice(0, WALL_CLOCK) || Date.parse(actual) === Date.parse(truth);
  }
  return normalised(truth) === normalised(actual);
}

const normalised = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isAnyOf = (truth: Truth): truth is AnyOf => isObject(truth) && 'anyOf' in truth;
const isFields = (truth: Truth): truth is Fields => isObject(truth) && !isAnyOf(truth);
