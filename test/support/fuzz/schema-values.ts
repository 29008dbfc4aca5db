// Random values that a zod schema accepts, or nearly: rules that span several fields, and those written as code, may refuse them.
import fc from 'fast-check';
import type { z } from 'zod';

export interface Hints {
  /**
   * Values for fields of this name, where any text or number would be pointless or slow. Of several, the first one that the
   * schema accepts counts: `timeout` can be in milliseconds or in seconds.
   */
  values: Record<string, fc.Arbitrary<unknown>[]>;
  /** Fields that are never left out: without them, requests would take too long. */
  always: ReadonlySet<string>;
  /** Fields that make most requests fail in the same way, so that they are sent less often. */
  seldom: ReadonlySet<string>;
}

type Schema = z.core.$ZodType;
type Check = { check: string; minimum?: number; maximum?: number; length?: number; value?: number; pattern?: RegExp };

const MAX_OPTIONAL_FIELDS = 4;
const MAX_ENTRIES = 4;
const FAR = 1_000_000;

const WORDS = [
  '',
  ' ',
  'markdown',
  'harbour news',
  'de',
  'US',
  'null',
  '0',
  '-1',
  '2026-01-31',
  'true',
  'a,b',
  '.*',
  '(a+)+$',
];
const SELECTORS = ['main', '.note > p:first-child', ':not(', '#a[b="c"]', '*', 'a:has(b', '::before', 'h1, h2'];

const text = (min: number, max: number): fc.Arbitrary<string> => {
  const fits = WORDS.concat(SELECTORS).filter(({ length }) => length >= min && length <= max);
  const unit = fc.constantFrom('grapheme' as const, 'binary' as const, 'grapheme-ascii' as const);
  return fc.oneof(
    { weight: 4, arbitrary: fits.length > 0 ? fc.constantFrom(...fits) : fc.constant('x'.repeat(min)) },
    {
      weight: 3,
      arbitrary: unit.chain((of) => fc.string({ unit: of, minLength: min, maxLength: Math.min(max, min + 30) })),
    },
    { weight: 1, arbitrary: fc.constantFrom(min, max).map((length) => 'x'.repeat(Math.min(length, 20_000))) },
  );
};

function stringOf(checks: Check[]): fc.Arbitrary<unknown> {
  const min = Math.max(0, ...checks.map(({ minimum = 0, length = 0 }) => Math.max(minimum, length)));
  const max = Math.min(FAR, ...checks.map(({ maximum = FAR, length = FAR }) => Math.min(maximum, length)));
  const pattern = checks.find((check) => check.pattern)?.pattern;
  if (!pattern) return text(min, max);
  return fc.oneof({ weight: 4, arbitrary: matching(pattern) }, { weight: 1, arbitrary: text(min, max) });
}

/** Not every expression can be run backwards. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(pattern, { size: 'small' });
  } catch {
    return text(0, 20);
  }
}

function numberOf(checks: Check[], isWhole: boolean): fc.Arbitrary<unknown> {
  const min = Math.max(-FAR, ...checks.map((check) => (check.check === 'greater_than' ? check.value! : -FAR)));
  const max = Math.min(FAR, ...checks.map((check) => (check.check === 'less_than' ? check.value! : FAR)));
  const inside = isWhole ? fc.integer({ min, max: Math.max(min, max) }) : fc.double({ min, max, noNaN: true });
  return fc.oneof(inside, fc.constantFrom(min, max, min + 1, isWhole ? min : min + 0.5));
}

const isOptional = (schema: Schema): boolean => (schema as z.ZodType).safeParse(undefined).success;

function objectOf(shape: Readonly<Record<string, Schema>>, hints: Hints): fc.Arbitrary<unknown> {
  const names = Object.keys(shape);
  const always = names.filter((name) => !isOptional(shape[name]!) || hints.always.has(name));
  const others = names.filter((name) => !always.includes(name));
  const usual = others.filter((name) => !hints.seldom.has(name));
  const some = (from: string[]) => fc.subarray(from, { maxLength: Math.min(from.length, MAX_OPTIONAL_FIELDS) });
  const chosen = fc.oneof({ weight: 9, arbitrary: some(usual) }, { weight: 1, arbitrary: some(others) });
  // Made when first needed: a schema may contain itself.
  const made = new Map<string, fc.Arbitrary<unknown>>();
  const fieldOf = (name: string) => {
    const field = made.get(name) ?? valuesOf(shape[name]!, hints, name);
    made.set(name, field);
    return field;
  };
  return chosen.chain((some) =>
    fc.record(Object.fromEntries([...always, ...some].map((name) => [name, fieldOf(name)]))),
  );
}

function arrayOf(element: Schema, checks: Check[], hints: Hints, name: string): fc.Arbitrary<unknown> {
  const minLength = Math.max(0, ...checks.map(({ minimum = 0 }) => minimum));
  const values = valuesOf(element, hints, name);
  return fc.array(values, { minLength, maxLength: Math.max(minLength, MAX_ENTRIES) });
}

const firstAccepted = (schema: Schema, hinted: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(...hinted)
    .map((values) => values.find((value) => (schema as z.ZodType).safeParse(value).success) ?? values[0]);

export function valuesOf(schema: Schema, hints: Hints, name = ''): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = [...(def.checks ?? []).map((check) => check._zod.def), def] as unknown as Check[];
  if (def.type !== 'array' && Object.hasOwn(hints.values, name)) return firstAccepted(schema, hints.values[name]!);
  const inner = (part: Schema) => valuesOf(part, hints, name);
  switch (def.type) {
    case 'string':
      return stringOf(checks);
    case 'number':
      return numberOf(checks, /int/.test(String((def as { format?: string }).format)));
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'array':
      return arrayOf(def.element, checks, hints, name);
    case 'record':
      return fc.dictionary(inner(def.keyType) as fc.Arbitrary<string>, inner(def.valueType), { maxKeys: MAX_ENTRIES });
    case 'object':
      return objectOf(def.shape, hints);
    case 'union':
      return fc.oneof(...def.options.map(inner));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return inner(def.innerType);
    case 'pipe':
      return inner(def.in._zod.def.type === 'transform' ? def.out : def.in);
    case 'lazy':
      return inner(def.getter());
    case 'unknown':
      return fc.jsonValue({ maxDepth: 3 });
    case 'never':
      return fc.constant(undefined);
    default:
      throw new Error(`There are no random values for ${def.type} (${name}).`);
  }
}
