// How a caller's schema is understood: shorthand is written out, and what can never be fulfilled is dropped. Answers are
// validated against this schema; models get a simpler one.
import { isSchema, type JsonSchema, mapSchemas, SCHEMA_KEYWORDS } from './subschemas.ts';

const TYPE_NAMES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

export function readSchema(given: JsonSchema): JsonSchema {
  const { $id: _id, ...schema } = given;
  return mapSchemas(isMapOfProperties(schema) ? asObjectSchema(schema) : schema, withoutUnknownRequired);
}

/** `{"price": {"type": "number"}}`: no keyword of a schema, or keywords whose values are schemas. */
function isMapOfProperties(schema: JsonSchema): boolean {
  const names = Object.keys(schema).filter((name) => name !== '$schema');
  if (names.length === 0 || typeof schema.type === 'string' || Array.isArray(schema.type)) return false;
  const arePlausible = names.every((name) => isSchema(schema[name]) || TYPE_NAMES.includes(schema[name] as string));
  return arePlausible && !names.every((name) => SCHEMA_KEYWORDS.has(name) && !isPropertyOfThatName(schema, name));
}

/** A property may be called `title` or `format`, whose values are texts in a schema. */
const isPropertyOfThatName = (schema: JsonSchema, name: string): boolean =>
  isSchema(schema[name]) && /^(?:title|description|type|format|pattern|required|enum|examples|default)$/.test(name);

function asObjectSchema(schema: JsonSchema): JsonSchema {
  const { $schema, ...given } = schema;
  const properties = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? { type: value } : value]),
  );
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties,
    required: Object.keys(properties),
  };
}

function withoutUnknownRequired(schema: JsonSchema): JsonSchema {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isSchema(properties)) return schema;
  const known = required.filter((name) => typeof name !== 'string' || Object.hasOwn(properties, name));
  return known.length === required.length ? schema : { ...schema, required: known };
}

/** The schema that a model gets: an object at the top, without what models' servers refuse or misread. */
export function modelSchema(schema: JsonSchema): { schema: JsonSchema; isWrapped: boolean } {
  const simple = mapSchemas(schema, ({ default: _default, additionalProperties, ...rest }) => ({
    ...rest,
    ...(additionalProperties !== undefined && !isSchema(rest.properties) && { additionalProperties }),
  }));
  if (simple.type !== 'array') return { schema: simple, isWrapped: false };
  const { $schema, $defs, definitions, ...list } = simple;
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return {
    schema: {
      ...($schema !== undefined && { $schema }),
      type: 'object',
      properties: { items: list },
      required: ['items'],
      ...shared,
    },
    isWrapped: true,
  };
}
