// Schemas that cannot be used are named before a page is fetched, and hostile ones cost little.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelSchema, readSchema } from '../../../../../src/understand/json/schema/read-schema.ts';
import { schemaProblem } from '../../../../../src/understand/json/schema/schema-problem.ts';
import { compileValidator } from '../../../../../src/understand/json/schema/validator.ts';

const objectOf = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

test('schemas of every draft that callers write can be used', () => {
  const schemas = [
    objectOf({ a: { type: 'string', format: 'uri' } }, { required: ['a', 'missing'] }),
    { title: { type: 'string' }, price: 'number' },
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...objectOf({ a: { type: 'array', prefixItems: [{}] } }),
    },
    { $schema: 'http://json-schema.org/draft-07/schema#', ...objectOf({ a: { type: 'array', items: [{}] } }) },
    { ...objectOf({ child: { $ref: '#' }, b: { $ref: '#/$defs/b' } }), $defs: { b: { type: ['number', 'null'] } } },
    { $id: 'https://example.com/own', ...objectOf({ a: { type: 'string', format: 'unknown-format' } }) },
    { type: 'array', items: objectOf({ name: { type: 'string', default: 'x' } }) },
    objectOf({ a: { type: 'string' } }, { additionalProperties: true }),
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}'),
  ];
  for (const schema of schemas) assert.equal(schemaProblem(schema), undefined, JSON.stringify(schema));
});

test('a schema that is not valid is refused in the words of the validator', () => {
  assert.match(schemaProblem(objectOf({ a: { type: 'strin' } }))!, /properties\/a\/type must be equal to one of/);
  assert.match(schemaProblem(objectOf({ a: { type: 'string', pattern: '(?=a)' } }))!, /unsupported Perl syntax/);
  assert.match(schemaProblem(objectOf({ a: { $ref: 'https://example.com/x' } }))!, /is not a part of it/);
  assert.match(schemaProblem(objectOf({ a: { $ref: '#/$defs/none' } }))!, /is not a part of it/);
  assert.match(schemaProblem({ type: 'object', additionalProperties: true })!, /allows any object/);
  assert.match(schemaProblem(objectOf({ a: { $id: 'https://x.example/', type: 'string' } }))!, /inner `\$id`/);
});

test('schemas that multiply or never end are refused at once', () => {
  const nest: Record<string, object> = { d40: { type: 'string' } };
  for (let at = 0; at < 40; at++) {
    const next = { $ref: `#/$defs/d${at + 1}` };
    nest[`d${at}`] = { allOf: [next, next] };
  }
  assert.match(schemaProblem({ ...objectOf({ a: { $ref: '#/$defs/d0' } }), $defs: nest })!, /too complex/);
  assert.match(schemaProblem({ $ref: '#' })!, /without end/);
  const loop = { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } };
  assert.match(schemaProblem({ ...objectOf({ x: { $ref: '#/$defs/a' } }), $defs: loop })!, /without end/);
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
  assert.match(schemaProblem(objectOf(many))!, /too large/);
  assert.match(schemaProblem(objectOf({ a: { pattern: '((a{0,100}){0,100}){0,90}' } }))!, /repeat count/);
});

test('patterns run in linear time', () => {
  const validate = compileValidator(objectOf({ a: { type: 'string', pattern: '^(a+)+$' } }));
  assert.deepEqual(validate({ a: 'aaaa' }), []);
  assert.equal(validate({ a: `${'a'.repeat(50_000)}!` })[0]?.path, 'a');
});

test('a map of properties is an object that requires all of them', () => {
  assert.deepEqual(readSchema({ title: { type: 'string' }, price: 'number' }), {
    type: 'object',
    properties: { title: { type: 'string' }, price: { type: 'number' } },
    required: ['title', 'price'],
  });
  const schema = { properties: { title: { type: 'string' } } };
  assert.deepEqual(readSchema(schema), schema);
});

test('models get a simpler schema, and answers are still validated against the one of the caller', () => {
  const given = {
    type: 'array',
    items: objectOf({ a: { type: 'string', default: '' } }, { additionalProperties: false }),
  };
  const { schema, isWrapped } = modelSchema(readSchema(given));
  assert.equal(isWrapped, true);
  assert.deepEqual(schema, {
    type: 'object',
    properties: { items: { type: 'array', items: objectOf({ a: { type: 'string' } }) } },
    required: ['items'],
  });
  const validate = compileValidator(readSchema(given));
  assert.deepEqual(
    validate([{ a: 'x', b: 1 }]).map(({ path, words }) => `${path} ${words}`),
    ['[0] must NOT have additional properties: b'],
  );
});

test('problems name their place', () => {
  const row = objectOf({ size: { enum: ['s', 'm'] }, name: { type: 'string' } }, { required: ['name'] });
  const validate = compileValidator(objectOf({ rows: { type: 'array', items: row } }));
  assert.deepEqual(validate({ rows: [{ name: 'a' }, { size: 'x' }] }), [
    { path: 'rows[1].name', words: 'is missing', isMissing: true },
    { path: 'rows[1].size', words: 'must be equal to one of the allowed values: ["s","m"]', isMissing: false },
  ]);
});
