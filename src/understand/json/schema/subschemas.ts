// Which parts of a JSON schema are schemas themselves, and what a reference points to.

export type JsonSchema = { readonly [keyword: string]: unknown };

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LISTS_IN_PLACE = ['allOf', 'anyOf', 'oneOf'];
const SINGLE_IN_PLACE = ['not', 'if', 'then', 'else'];
const MAPS_IN_PLACE = ['dependentSchemas'];

const SINGLE_INSIDE = [
  'additionalProperties',
  'additionalItems',
  'items',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS_INSIDE = ['prefixItems', 'items'];
const MAPS_INSIDE = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Every keyword that tells a schema from a map of properties. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ...LISTS_IN_PLACE,
  ...SINGLE_IN_PLACE,
  ...MAPS_IN_PLACE,
  ...SINGLE_INSIDE,
  ...LISTS_INSIDE,
  ...MAPS_INSIDE,
  ...['$id', '$schema', '$ref', '$comment', '$anchor', 'type', 'enum', 'const', 'format', 'pattern', 'required'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'nullable'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'dependencies', 'contentEncoding', 'contentMediaType'],
]);

/** Schemas that apply to the same value. */
export const schemasInPlace = (schema: JsonSchema): JsonSchema[] =>
  collect(schema, LISTS_IN_PLACE, SINGLE_IN_PLACE, MAPS_IN_PLACE);

/** Schemas of parts of the value, and definitions. */
export const schemasInside = (schema: JsonSchema): JsonSchema[] =>
  collect(schema, LISTS_INSIDE, SINGLE_INSIDE, MAPS_INSIDE);

function collect(schema: JsonSchema, lists: string[], singles: string[], maps: string[]): JsonSchema[] {
  const found: unknown[] = singles.map((keyword) => schema[keyword]);
  for (const keyword of lists) if (Array.isArray(schema[keyword])) found.push(...schema[keyword]);
  for (const keyword of maps) if (isSchema(schema[keyword])) found.push(...Object.values(schema[keyword]));
  return found.filter(isSchema);
}

/** The target of `#` or `#/...`; undefined if nothing is there. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decodePart(part);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return isSchema(at) ? at : undefined;
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** A copy in which every schema, at any depth, is replaced by what `change` makes of it. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: Record<string, unknown> = { ...schema };
  const visit = (value: unknown) => (isSchema(value) ? mapSchemas(value, change) : value);
  for (const keyword of [...SINGLE_IN_PLACE, ...SINGLE_INSIDE]) {
    if (isSchema(mapped[keyword])) mapped[keyword] = visit(mapped[keyword]);
  }
  for (const keyword of [...LISTS_IN_PLACE, ...LISTS_INSIDE]) {
    if (Array.isArray(mapped[keyword])) mapped[keyword] = mapped[keyword].map(visit);
  }
  for (const keyword of [...MAPS_IN_PLACE, ...MAPS_INSIDE]) {
    const map = mapped[keyword];
    if (isSchema(map)) mapped[keyword] = Object.fromEntries(Object.entries(map).map(([name, at]) => [name, visit(at)]));
  }
  return change(mapped);
}
