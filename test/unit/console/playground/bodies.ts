// Random bodies that a schema allows, with hostile texts among them.
import fc from 'fast-check';
import type { JsonSchema } from '../../../../web/console/playground/form/json-schema.ts';
import { resolve } from './schemas.ts';

const HOSTILE = [
  `it's "quoted"`,
  '$(id) `id` $HOME $\x7bPATH}',
  'a\nb\r\nc',
  '\\n \\\\ \\u0041',
  '-dash',
  '--flag',
  '@file',
  '[1,2]',
  '{"a":1}',
  'true',
  '123',
  'null',
  'a,b',
  '  spaces  ',
  'é ü 漢字 😀 \u202e \u2028',
  '%s %n !! #!',
  '<script>alert(1)</script>',
  '',
  "'''",
  '"""',
  '*',
  '~',
  '\t',
];

/** Texts without a null character, which no shell can pass on, and without unpaired surrogates, which are no text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', '')),
);

export function bodyOf(schema: JsonSchema, root: JsonSchema = schema): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, const: only, enum: several, type, ...rest } = resolve(schema, root);
  const variants = anyOf ?? oneOf;
  if (variants) return fc.oneof(...variants.map((variant) => bodyOf(variant, root)));
  if (only !== undefined) return fc.constant(only);
  if (several) return fc.constantFrom(...several);
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: rest.minimum ?? 0, max: Math.min(rest.maximum ?? 1e9, 2 ** 31 - 1) });
    case 'number':
      return fc.integer({ min: Math.ceil(rest.minimum ?? 0), max: Math.min(rest.maximum ?? 100, 1_000) });
    case 'string':
      return rest.examples ? fc.oneof(fc.constantFrom(...rest.examples), hostileText) : hostileText;
    case 'array':
      return fc.array(bodyOf(rest.items ?? {}, root), { minLength: rest.minItems ?? 0, maxLength: 3 });
    case 'object':
      return objectOf(rest, root);
    default:
      return anyJson;
  }
}

/** Without -0, which JSON does not have. */
const anyJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

function objectOf({ properties, required = [], additionalProperties }: JsonSchema, root: JsonSchema) {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return fc.dictionary(fc.stringMatching(/^[A-Za-z][\w-]{0,10}$/), bodyOf(value, root), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, bodyOf(member, root)]));
  return fc.record(members, { requiredKeys: [...required], noNullPrototype: true });
}
