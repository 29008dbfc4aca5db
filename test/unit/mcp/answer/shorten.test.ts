// Answers of MCP tools are cut to a budget: still JSON of the same shape, and what matters stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutText } from '../../../../src/mcp/answer/cut-text.ts';
import { shorten } from '../../../../src/mcp/answer/shorten.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const SEED = seedOr(20_261_116);
const size = (value: unknown): number => JSON.stringify(value).length;

const longText = fc.string({ minLength: 0, maxLength: 3_000, unit: 'binary' });
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    longText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 40 }),
    fc.dictionary(fc.string({ maxLength: 20 }), tie('value'), { maxKeys: 40 }),
  ),
}));
const anyAnswer = fc.dictionary(fc.string(), anyJson.value, { maxKeys: 20 });

test(`any answer fits any budget, is valid JSON and keeps its shape (seed ${SEED})`, () => {
  const fits = fc.property(anyAnswer, fc.integer({ min: 2, max: 20_000 }), (answer, room) => {
    const { value } = shorten(answer, room);
    assert.ok(size(value) <= room, `${size(value)} > ${room}`);
    assertPartOf(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(answer)));
    if (size(answer) <= room) assert.deepEqual(value, answer);
  });
  fc.assert(fits, { seed: SEED, numRuns: runs(60, 5_000) });
});

test(`a cut text never exceeds its room, lone surrogates and controls included (seed ${SEED})`, () => {
  const text = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  const fits = fc.property(text, fc.integer({ min: 0, max: 300 }), (original, room) => {
    const cut = cutText(original, room);
    if (cut === undefined) return;
    assert.ok(size(cut.text) <= room);
    assert.ok(cut.text.isWellFormed());
    assert.ok(cut.text.startsWith(original.toWellFormed().slice(0, cut.shown)));
  });
  fc.assert(fits, { seed: SEED, numRuns: runs(500, 10_000) });
});

/** Everything of `part` is also in `whole`, of the same type: strings begin alike, lists are not longer. */
function assertPartOf(part: unknown, whole: unknown): void {
  assert.equal(typeof part, typeof whole);
  assert.equal(Array.isArray(part), Array.isArray(whole));
  if (typeof part === 'string') {
    const [start] = part.split('\n\n[... ');
    assert.ok(String(whole).toWellFormed().startsWith(start!.toWellFormed()) || part === whole);
  } else if (typeof part === 'object' && part !== null) {
    if (Array.isArray(part)) assert.ok(part.length <= (whole as unknown[]).length);
    else for (const name of Object.keys(part)) assert.ok(Object.hasOwn(whole as object, name), name);
  } else {
    assert.equal(part, whole);
  }
}

const page = (number: number, length: number) => ({
  markdown: `# Page ${number}\n\n${'A line of text.\n'.repeat(length / 16)}`,
  metadata: { title: `Page ${number}`, url: `https://example.com/${number}`, scrapeId: `id-${number}` },
});

test('small parts stay whole, and long texts share the room equally', () => {
  const data = [page(1, 32), page(2, 100_000), page(3, 100_000)];
  const { value, texts, lists } = shorten({ status: 'completed', data }, 20_000);
  assert.equal(value.data[0], data[0]);
  assert.deepEqual(
    value.data.map(({ metadata }) => metadata),
    data.map(({ metadata }) => metadata),
  );
  const [, second, third] = value.data;
  assert.ok(Math.abs(second!.markdown.length - third!.markdown.length) < 100);
  assert.match(second!.markdown, /A line of text\.\n\n\[\.\.\. \d+ more characters\]$/);
  assert.deepEqual(lists, []);
  assert.deepEqual(
    texts.map(({ path }) => path),
    ['.data[1].markdown', '.data[2].markdown'],
  );
  assert.ok(size(value) > 19_000, 'the room is used');
});

test('a list of many long entries has fewer of them, each long enough to be of use', () => {
  const data = Array.from({ length: 100 }, (_, index) => page(index, 16_000));
  const { value, lists } = shorten({ data }, 20_000);
  assert.equal(value.data.length, 9);
  assert.deepEqual(lists, [{ path: '.data', shown: 9, total: 100 }]);
  for (const { markdown, metadata } of value.data) assert.ok(markdown.length > 1_000 && metadata.scrapeId);
});

test('short entries of a long list stay whole', () => {
  const links = Array.from({ length: 30_000 }, (_, index) => ({ url: `https://example.com/page/${index}` }));
  const { value, lists } = shorten({ success: true, links }, 10_000);
  assert.equal(value.success, true);
  assert.deepEqual(value.links, links.slice(0, lists[0]!.shown));
  assert.ok(value.links.length > 200);
});

test('an object with very many members keeps small ones', () => {
  const data = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, 'x'.repeat(50)]));
  const { value, dropped } = shorten({ id: 'the id', data }, 5_000);
  assert.equal(value.id, 'the id');
  assert.ok(Object.keys(value.data).length > 30);
  assert.ok(dropped.length <= 20);
});
