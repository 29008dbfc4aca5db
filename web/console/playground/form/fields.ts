// Makes the fields of a form from the JSON schema of a request. A schema that no kind of field fits becomes a JSON field, so
// that every option can be set.
import type { Field, Typed } from './field.ts';
import type { JsonSchema } from './json-schema.ts';
import { labelOf } from './label.ts';

/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 5_000;
const DEFINITION = '#/$defs/';

interface Place {
  name: string;
  isRequired: boolean;
  definitions: NonNullable<JsonSchema['$defs']>;
}

/** The fields of the body itself. */
export function fieldsOf(schema: JsonSchema): Field[] {
  return membersOf(schema, schema.$defs ?? {});
}

function membersOf({ properties = {}, required = [] }: JsonSchema, definitions: Place['definitions']): Field[] {
  return Object.entries(properties).map(([name, member]) =>
    fieldOf(member, { name, isRequired: required.includes(name), definitions }),
  );
}

function fieldOf(given: JsonSchema, place: Place): Field {
  const schema = resolved(given, place);
  const standard = schema.default ?? schema.whenAbsent;
  const shared = {
    name: place.name,
    label: labelOf(place.name),
    help: schema.description ?? '',
    isRequired: place.isRequired,
    ...(standard !== undefined && { default: standard }),
  };
  return { ...shared, ...kindOf(schema, place) } as Field;
}

type Kind = { kind: Field['kind']; [more: string]: unknown };

function kindOf(schema: JsonSchema, place: Place): Kind {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return unionKind(variants, place);
  if (isTexts(schema.enum)) return { kind: 'choice', options: schema.enum };
  switch (schema.type) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
    case 'number':
      return { kind: 'number', isInteger: schema.type === 'integer', ...pick(schema, ['minimum', 'maximum']) };
    case 'string':
      return textKind(schema, place.name);
    case 'array':
      return listKind(schema, place);
    case 'object':
      return objectKind(schema, place);
    default:
      return { kind: 'json', isObject: false };
  }
}

function textKind(schema: JsonSchema, name: string): Kind {
  const isLong = (schema.maxLength ?? 0) > LONG_TEXT && !/url/i.test(name);
  return {
    kind: 'text',
    isLong,
    ...pick(schema, ['maxLength']),
    ...(isTexts(schema.examples) && { suggestions: schema.examples }),
  };
}

function objectKind(schema: JsonSchema, place: Place): Kind {
  if (schema.properties) return { kind: 'object', fields: membersOf(schema, place.definitions) };
  const value = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const field = fieldOf(value, { ...place, name: 'value', isRequired: true });
  // Values of any shape are easier to write as one JSON text.
  return field.kind === 'json' ? { kind: 'json', isObject: true } : { kind: 'map', value: field };
}

function listKind(schema: JsonSchema, place: Place): Kind {
  const entry = resolved(schema.items ?? {}, place);
  const bounds = schema.maxItems === undefined ? {} : { maxEntries: schema.maxItems };
  const types = typesOf(entry, place);
  if (types?.some(({ isBare }) => isBare)) return { kind: 'picks', types };
  if (types) return { kind: 'steps', types, ...bounds };
  return { kind: 'list', entry: fieldOf(entry, { ...place, name: 'entry', isRequired: true }), ...bounds };
}

/** If every entry is a known type, bare or with options: the types. */
function typesOf(entry: JsonSchema, place: Place): Typed[] | undefined {
  const found = new Map<string, Typed>();
  const typed = (type: string): Typed =>
    found.get(type) ?? { type, label: labelOf(type), isBare: false, isObject: false, fields: [] };
  for (const variant of flat(entry, place)) {
    const names = variant.type === 'string' && (variant.enum ?? variant.examples);
    if (names && isTexts(names)) {
      for (const name of names) found.set(name, { ...typed(name), isBare: true });
    } else {
      const types = typeNames(variant, place);
      if (!types) return undefined;
      const fields = membersOf(variant, place.definitions).filter(({ name }) => name !== 'type');
      for (const type of types) found.set(type, { ...typed(type), isObject: true, fields });
    }
  }
  // A list of plain words is a list of choices; types are worth their own control only if some have options.
  const list = [...found.values()];
  return list.some(({ isObject }) => isObject) ? list : undefined;
}

function typeNames({ properties = {}, required = [] }: JsonSchema, place: Place): readonly string[] | undefined {
  if (!properties.type || !required.includes('type')) return undefined;
  const { const: only, enum: several, examples } = resolved(properties.type, place);
  const names = typeof only === 'string' ? [only] : (several ?? examples);
  return isTexts(names) ? names : undefined;
}

function flat(schema: JsonSchema, place: Place): JsonSchema[] {
  const variants = schema.anyOf ?? schema.oneOf;
  return variants ? variants.flatMap((variant) => flat(resolved(variant, place), place)) : [schema];
}

function unionKind(variants: readonly JsonSchema[], place: Place): Kind {
  const fields = variants.map((variant) => fieldOf(variant, { ...place, isRequired: true }));
  // Numbers and booleans beside a text are only another way to write it, as in headers.
  const text = fields.findIndex(({ kind }) => kind === 'text');
  if (text !== -1 && fields.every(({ kind }) => kind === 'text' || kind === 'number' || kind === 'boolean')) {
    return textKind(resolved(variants[text]!, place), place.name);
  }
  return { kind: 'union', variants: fields };
}

/** With the definition that it refers to; what stands beside the reference wins. */
function resolved(schema: JsonSchema, place: Place): JsonSchema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  return { ...resolved(place.definitions[$ref.slice(DEFINITION.length)] ?? {}, place), ...own };
}

const isTexts = (list: unknown): list is readonly string[] =>
  Array.isArray(list) && list.length > 0 && list.every((each) => typeof each === 'string');

const pick = (schema: JsonSchema, keys: readonly (keyof JsonSchema)[]) =>
  Object.fromEntries(keys.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])));
