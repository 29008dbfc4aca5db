// JSON Schemas of the contracts, and what two of them have to agree in to be written once.
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Zod leaves out the default of a field whose value is converted. The contract states it as it would be sent. */
function writeDefault({ jsonSchema }: { jsonSchema: Json }): void {
  if (!('whenAbsent' in jsonSchema)) return;
  jsonSchema.default = jsonSchema.whenAbsent;
  delete jsonSchema.whenAbsent;
}

export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: writeDefault });
  return rest;
}

/** What a use of a schema may say differently: OpenAPI 3.1 allows it beside a reference. */
export function splitAnnotations({ description, default: whenAbsent, ...shape }: Json): { notes: Json; shape: Json } {
  return {
    notes: {
      ...(description !== undefined && { description }),
      ...(whenAbsent !== undefined && { default: whenAbsent }),
    },
    shape,
  };
}

/** Equal for schemas that allow the same values in the same words, whatever is said about them as a whole. */
export const shapeKey = (schema: Json): string => JSON.stringify(splitAnnotations(schema).shape);

const NAMED = ['properties', 'patternProperties'];
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const ELEMENTS = ['items', 'additionalProperties'];
const SINGLE = [...ELEMENTS, 'not', 'propertyNames'];

/** How a schema leads to one directly in it: by a property, or to the elements of a list or record. */
export interface Step {
  property?: string;
  isElement?: true;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same schema with each schema directly in it replaced. */
export function mapInner(schema: Json, replace: (inner: Json, step: Step) => Json): Json {
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    if (NAMED.includes(keyword) && isObject(value)) {
      const properties = Object.entries(value).map(([name, inner]) => [
        name,
        replace(inner as Json, { property: name }),
      ]);
      return [keyword, Object.fromEntries(properties)];
    }
    if (LISTED.includes(keyword)) return [keyword, (value as Json[]).map((inner) => replace(inner, {}))];
    if (SINGLE.includes(keyword) && isObject(value)) {
      return [keyword, replace(value, ELEMENTS.includes(keyword) ? { isElement: true } : {})];
    }
    return [keyword, value];
  });
  return Object.fromEntries(mapped);
}
