// What a schema asks for at one place, with references followed and alternatives settled.
import { isSchema, type JsonSchema, resolveReference } from './subschemas.ts';

export type FieldKind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

export interface SchemaField {
  kind: FieldKind;
  /** The schema asks for null where there is no value. */
  isNullable: boolean;
  /** Title and description of the schema. */
  words: string;
  title?: string;
  format?: string;
  choices?: readonly unknown[];
  properties: readonly (readonly [name: string, schema: JsonSchema])[];
  required: ReadonlySet<string>;
  items?: JsonSchema;
}

/** What is known about a value that the schema says nothing about. */
export const NO_FIELD: SchemaField = {
  kind: 'string',
  isNullable: false,
  words: '',
  properties: [],
  required: new Set(),
};

const MAX_STEPS = 20;

export function fieldOf(root: JsonSchema, schema: JsonSchema): SchemaField {
  const { merged, isNullable } = settle(root, schema);
  const { type, title, description, format, properties, required, items } = merged;
  const kinds = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  const choices = Array.isArray(merged.enum) ? merged.enum : 'const' in merged ? [merged.const] : undefined;
  return {
    kind: (kinds.find((each) => each !== 'null') as FieldKind | undefined) ?? impliedKind(merged, choices),
    isNullable: isNullable || kinds.includes('null') || merged.nullable === true,
    words: [title, description].filter((text) => typeof text === 'string').join('. '),
    ...(typeof title === 'string' && { title }),
    ...(typeof format === 'string' && { format }),
    ...(choices && { choices: choices.filter((choice) => choice !== null) }),
    properties: isSchema(properties)
      ? Object.entries(properties).map(([name, value]) => [name, isSchema(value) ? value : {}] as const)
      : [],
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
    ...(isSchema(items) && { items }),
  };
}

function impliedKind(schema: JsonSchema, choices: readonly unknown[] | undefined): FieldKind {
  if (isSchema(schema.properties)) return 'object';
  if (isSchema(schema.items)) return 'array';
  const first = typeof choices?.[0];
  return first === 'number' || first === 'boolean' ? first : 'string';
}

function settle(root: JsonSchema, schema: JsonSchema): { merged: JsonSchema; isNullable: boolean } {
  let merged: JsonSchema = schema;
  let isNullable = false;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { $ref, allOf, anyOf, oneOf, ...rest } = merged;
    if (typeof $ref === 'string') {
      merged = { ...resolveReference(root, $ref), ...rest };
    } else if (Array.isArray(allOf)) {
      merged = allOf.filter(isSchema).reduce((all, each) => join(all, each), rest as JsonSchema);
      if (Array.isArray(anyOf)) merged = { ...merged, anyOf };
    } else if (Array.isArray(anyOf) || Array.isArray(oneOf)) {
      const branches = ((anyOf ?? oneOf) as unknown[]).filter(isSchema);
      const values = branches.filter(({ type }) => type !== 'null');
      isNullable ||= values.length < branches.length;
      merged = join(rest, values[0] ?? {});
    } else break;
  }
  return { merged, isNullable };
}

const join = (a: JsonSchema, b: JsonSchema): JsonSchema => ({
  ...b,
  ...a,
  ...(isSchema(a.properties) && isSchema(b.properties) && { properties: { ...a.properties, ...b.properties } }),
  ...(Array.isArray(a.required) && Array.isArray(b.required) && { required: [...a.required, ...b.required] }),
});
