// Walks a zod schema and lists what a caller may send without limit. It trusts no description: maps are tried with too much.
import type { z } from 'zod';

type Schema = z.core.$ZodType;
type Check = z.core.$ZodCheck;

const SCALARS = new Set(['boolean', 'number', 'int', 'enum', 'literal', 'null', 'undefined', 'never']);

/** The texts, lists, maps and JSON values without a bound, each with its path. `above` holds the schemas around it. */
export function unboundedParts(schema: Schema, path: string[] = [], above: Schema[] = []): string[] {
  const fault = (what: string) => [`${path.join('.')}: ${what}`];
  const inner = (part: Schema, ...names: string[]) => unboundedParts(part, [...path, ...names], [...above, schema]);
  if (above.includes(schema)) return fault('contains itself, to any depth');
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return def.checks?.some(isMaximum) ? [] : fault('a text without a maximum length');
    case 'array':
      if (!sizeChecks(def.checks).some(isMaximum)) return fault('a list without a maximum number of entries');
      return inner(def.element, '[]');
    case 'record':
      if (!hasMaximum(schema)) return fault('a map without a maximum number of entries');
      // JSON of any shape is bounded as a whole.
      return [...inner(def.keyType, 'name'), ...(hasMaximumDepth(schema) ? [] : inner(def.valueType, '{}'))];
    case 'object':
      if (def.catchall && def.catchall._zod.def.type !== 'never') return fault('keeps unknown fields');
      return Object.entries(def.shape).flatMap(([name, field]) => inner(field, name));
    case 'union':
      return def.options.flatMap((option) => inner(option));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return inner(def.innerType);
    case 'pipe':
      // What follows sees only what the first schema let through.
      return inner(def.in);
    case 'lazy':
      return inner(def.getter());
    default:
      return SCALARS.has(def.type) ? [] : fault(`${def.type} has no known bound`);
  }
}

const isSize = ({ _zod }: Check) => /^(?:min_length|max_length|length_equals)$/.test(_zod.def.check);
const isMaximum = ({ _zod }: Check) => /^(?:max_length|length_equals)$/.test(_zod.def.check);

/** Only a bound that comes before every other check is compared before the entries are read. */
function sizeChecks(checks: readonly Check[] = []): readonly Check[] {
  const other = checks.findIndex((check) => !isSize(check));
  return other === -1 ? checks : checks.slice(0, other);
}

const metaOf = (schema: Schema) => (schema as z.ZodType).meta() ?? {};
const refuses = (schema: Schema, value: unknown) => !(schema as z.ZodType).safeParse(value).success;

function hasMaximum(schema: Schema): boolean {
  const { maxProperties } = metaOf(schema);
  return typeof maxProperties === 'number' && refuses(schema, entries(maxProperties + 1));
}

function hasMaximumDepth(schema: Schema): boolean {
  const { 'x-maxLevels': levels } = metaOf(schema);
  return typeof levels === 'number' && refuses(schema, nested(levels + 1));
}

const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, true]));

function nested(levels: number): unknown {
  let value: unknown = true;
  for (let level = 0; level < levels; level += 1) value = { inner: value };
  return value;
}
