// How schemas become components: which ones, under which names, and what stays beside a reference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../scripts/docs/json-schema.ts';
import { shapeKey } from '../../../scripts/docs/json-schema.ts';
import { type Body, shareSchemas } from '../../../scripts/docs/share-schemas.ts';

const LONG = 'x'.repeat(200);
const answer = (operationId: string, properties: Json): Body => ({
  operationId,
  kind: 'Response',
  media: { schema: { type: 'object', properties } },
});
const object = (name: string, more: Json = {}): Json => ({
  ...more,
  type: 'object',
  properties: { [name]: { type: 'string', pattern: LONG } },
});
const ref = (name: string, more: Json = {}): Json => ({ $ref: `#/components/schemas/${name}`, ...more });

test('what two operations use is written once, and each use keeps what it says about it', () => {
  const bodies = [
    answer('a', { price: object('amount', { description: 'Now.' }) }),
    answer('b', { price: object('amount', { description: 'Before.', default: {} }), tax: { type: 'number' } }),
  ];
  const components = shareSchemas(bodies, new Map(), []);
  assert.deepEqual(components, {
    AResponse: { type: 'object', properties: { price: ref('Price', { description: 'Now.' }) } },
    BResponse: {
      type: 'object',
      properties: { price: ref('Price', { description: 'Before.', default: {} }), tax: { type: 'number' } },
    },
    Price: object('amount'),
  });
  assert.deepEqual(bodies[0]!.media.schema, ref('AResponse'));
});

test('what all uses say about a schema is part of it', () => {
  const price = object('amount', { description: 'Now.' });
  const { Price } = shareSchemas([answer('a', { price }), answer('b', { price, tax: {} })], new Map(), []);
  assert.deepEqual(Price, price);
});

test('elements of lists and values that may be null have names, the lists themselves have none', () => {
  const bodies = [
    answer('a', { entries: { type: 'array', items: object('amount') } }),
    answer('b', { entries: { anyOf: [{ type: 'array', items: object('amount') }, { type: 'null' }] } }),
  ];
  const { AResponse, BResponse } = shareSchemas(bodies, new Map(), []) as Record<string, { properties: Json }>;
  assert.deepEqual(AResponse!.properties.entries, { type: 'array', items: ref('Entry') });
  assert.deepEqual(BResponse!.properties.entries, {
    anyOf: [{ type: 'array', items: ref('Entry') }, { type: 'null' }],
  });
});

test('the name of a contract comes first, and a property alone only if all uses have it', () => {
  const bodies = [
    answer('a', { one: object('amount'), first: object('size') }),
    answer('b', { other: object('amount'), second: object('size') }),
  ];
  const contracts = new Map([[shapeKey(object('amount')), ['money', 'longerName']]]);
  assert.deepEqual(Object.keys(shareSchemas(bodies, contracts, [])), ['AFirst', 'AResponse', 'BResponse', 'Money']);
});

test('two schemas never get the same name', () => {
  const bodies = (): Body[] => [
    answer('a', { error: object('amount') }),
    answer('b', { error: object('amount'), tax: {} }),
  ];
  assert.ok('AError' in shareSchemas(bodies(), new Map(), ['Error']));
  assert.throws(() => shareSchemas(bodies(), new Map(), ['Error', 'AError']), /Two schemas would be Error or AError/);
});

test('an example or a default that looks like a schema stays as it is', () => {
  const looksLikeOne = object('amount');
  const [a, b] = [answer('a', { x: { default: looksLikeOne } }), answer('b', { x: { const: looksLikeOne } })];
  const components = shareSchemas([a!, b!], new Map(), []);
  assert.deepEqual(components.AResponse, { type: 'object', properties: { x: { default: looksLikeOne } } });
});
