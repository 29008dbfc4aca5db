// The help texts of fields, from the descriptions in the contract.
import type { JsonSchema } from '../../playground/form/json-schema.ts';

/** `path` is such as `limits.operations`. Empty if the contract says nothing. */
export function helpOf(schema: JsonSchema, path: string): string {
  const found = path
    .split('.')
    .reduce<JsonSchema | undefined>((at, name) => at?.properties?.[name] ?? partWith(at, name), schema);
  return withoutTicks(found?.description ?? '');
}

/** A field that may be null is described by one of several schemas. */
const partWith = (schema: JsonSchema | undefined, name: string): JsonSchema | undefined =>
  schema?.anyOf?.map((part) => part.properties?.[name]).find((part) => part !== undefined);

export const withoutTicks = (text: string): string => text.replaceAll('`', '');
