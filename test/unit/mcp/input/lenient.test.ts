// Arguments as models write them: what has one meaning is accepted, anything else is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { optional, required } from '../../../../src/mcp/input/lenient.ts';
import { scrapeFields, toScrapeOptions } from '../../../../src/mcp/input/scrape-arguments.ts';

const schema = z.object({
  url: required(z.string()),
  limit: optional(z.int()),
  deep: optional(z.boolean()),
  tags: optional(z.array(z.string())),
  counts: optional(z.array(z.number())),
  kind: optional(z.enum(['a', 'b'])),
  options: optional(z.object({ limit: optional(z.number()) })),
  map: optional(z.record(z.string(), z.unknown())),
  either: optional(z.union([z.string(), z.object({ type: z.string() })])),
});
const read = (args: object) => schema.safeParse({ url: 'x', ...args }).data;

test('what has one meaning is understood', () => {
  for (const [given, meant] of [
    [
      { limit: '5', deep: 'False', kind: '' },
      { limit: 5, deep: false, kind: undefined },
    ],
    [
      { limit: null, tags: null, map: '' },
      { limit: undefined, tags: undefined, map: undefined },
    ],
    [
      { tags: 'one', counts: '7' },
      { tags: ['one'], counts: [7] },
    ],
    [
      { tags: '["one", 2]', counts: ['1', 2] },
      { tags: ['one', '2'], counts: [1, 2] },
    ],
    [
      { options: '{"limit": "3"}', map: '{"a": null}' },
      { options: { limit: 3 }, map: { a: null } },
    ],
    [
      { url: 2024, either: '{"type": "a"}' },
      { url: '2024', either: { type: 'a' } },
    ],
    [{ either: '{not JSON' }, { either: '{not JSON' }],
  ] as const) {
    assert.deepEqual(read(given), { url: 'x', ...meant });
  }
});

test('what could mean several things is refused', () => {
  for (const given of [
    { limit: 'five' },
    { limit: '0x10' },
    { limit: [5] },
    { deep: 'yes' },
    { deep: 1 },
    { options: 'limit=3' },
    { options: '[1]' },
    { map: '{"a": 1' },
    { kind: 'c' },
    { url: null },
    { url: undefined },
  ]) {
    assert.equal(read(given), undefined, JSON.stringify(given));
  }
});

test('clients see the plain schema', () => {
  const { properties, required: needed } = z.toJSONSchema(schema, { io: 'input' });
  assert.deepEqual(needed, ['url']);
  assert.deepEqual(properties!.tags, { type: 'array', items: { type: 'string' } });
  assert.deepEqual(properties!.kind, { type: 'string', enum: ['a', 'b'] });
});

const options = (args: object) => toScrapeOptions(z.object(scrapeFields).parse(args));

test('options beside the lists of formats and parsers become entries of them', () => {
  assert.deepEqual(options({ formats: ['markdown', 'json'], jsonOptions: { prompt: 'Price' } }), {
    formats: ['markdown', { type: 'json', prompt: 'Price' }],
  });
  assert.deepEqual(options({ jsonOptions: { prompt: 'Price' }, pdfOptions: { maxPages: 3 } }), {
    formats: [{ type: 'json', prompt: 'Price' }],
    parsers: [{ type: 'pdf', maxPages: 3 }],
  });
  assert.deepEqual(options({ formats: [{ type: 'screenshot', quality: 80 }], screenshotOptions: { fullPage: true } }), {
    formats: [{ type: 'screenshot', fullPage: true, quality: 80 }],
  });
  assert.deepEqual(options({ formats: [], actions: [], location: {}, mobile: false }), { mobile: false });
  assert.throws(() => options({ formats: ['query'] }), /queryOptions\.prompt/);
});
