// Every text, list, map and JSON value that a request may contain has a bound. A walk over all schemas finds those without.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { boundedRecord, jsonObject, nameText } from '../../../src/contracts/bounds.ts';
import { ROUTES, type Route } from '../../../src/contracts/routes.ts';
import { unboundedParts } from '../../support/schema-walk.ts';

test('every text, list, map and JSON value of every route has a bound', () => {
  const unbounded = Object.entries<Route>(ROUTES).flatMap(([id, { request, query }]) =>
    [request, query].flatMap((schema) => (schema ? unboundedParts(schema).map((part) => `${id}: ${part}`) : [])),
  );
  assert.deepEqual(unbounded, []);
});

interface Tree {
  inner?: Tree;
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ inner: tree.optional() }));

const PLANTED: Record<string, z.ZodType> = {
  'a text': z.object({ planted: z.string() }),
  'a text with only a pattern': z.object({ planted: z.string().regex(/^[a-z]+$/) }),
  'a text behind a default and a transform': z.object({ planted: z.string().transform(Number).default(1) }),
  'a text in a list': z.object({ planted: z.array(z.string()).max(2) }),
  'a list': z.object({ planted: z.array(z.boolean()) }),
  'a list that is bounded after it was read': z.object({
    planted: z
      .array(z.boolean())
      .transform((list) => list.length)
      .pipe(z.number().max(3)),
  }),
  'a list in one form of a union': z.object({ planted: z.union([z.boolean(), z.array(z.boolean()).min(1)]) }),
  'a map': z.object({ planted: z.record(nameText, z.boolean()) }),
  'a map that only claims a bound': z.object({ planted: z.record(nameText, z.boolean()).meta({ maxProperties: 2 }) }),
  'the names of a map': z.object({ planted: boundedRecord(z.string(), z.boolean(), 2) }),
  'the values of a map': z.object({ planted: boundedRecord(nameText, z.string(), 2) }),
  'JSON of any shape': z.object({ planted: z.unknown() }),
  'JSON of any depth': z.object({ planted: boundedRecord(nameText, z.unknown(), 2) }),
  'an object that keeps unknown fields': z.object({ planted: z.looseObject({}) }),
  'a schema that contains itself': z.object({ planted: tree }),
};

for (const [what, schema] of Object.entries(PLANTED)) {
  test(`the walk finds ${what} without a bound`, () => {
    const found = unboundedParts(schema);
    assert.equal(found.length, 1, String(found));
    assert.match(found[0]!, /^planted/);
  });
}

test('the walk accepts what has bounds', () => {
  const schema = z.object({
    text: z.string().max(3).optional(),
    list: z
      .array(z.enum(['a', 'b']))
      .max(2)
      .default([]),
    map: boundedRecord(nameText, z.union([z.string().max(3), z.number()]), 2),
    json: jsonObject('json', { characters: 100, depth: 3 }),
    choice: z.discriminatedUnion('type', [z.object({ type: z.literal('a'), size: z.int() })]),
  });
  assert.deepEqual(unboundedParts(schema), []);
});
