// Whatever the Markdown: the chunks are the page, in order and complete, nothing is cut that must stay whole, and a change of
// one section leaves the ids of others as they are. For every page of test/pages, and for random Markdown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Chunk } from '../../src/contracts/formats/chunk.ts';
import { estimateTokens } from '../../src/text/estimate-tokens.ts';
import { makeChunks } from '../../src/understand/chunks/make-chunks.ts';
import { scanBlocks } from '../../src/understand/chunks/scan-blocks.ts';
import { readCases } from '../support/expected.ts';
import { runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_119);
const LIMITS = [50, 120, 400].flatMap((maxTokens) => [0, 10, 24].map((overlap) => ({ maxTokens, overlap })));
type Limits = (typeof LIMITS)[number];

const pages = ['pages', 'texts', 'documents'].flatMap((folder) => {
  const root = join(import.meta.dirname, '..', folder);
  return readCases(root).map(({ name, folder: path }) => ({
    name: `${folder}/${name}`,
    markdown: readFileSync(join(path, 'expected.md'), 'utf8'),
  }));
});

const chunksOf = (markdown: string, limits: Limits) =>
  makeChunks({ url: 'https://a.test/', title: 'A page', markdown }, limits);

function checkChunks(markdown: string, limits: Limits): Chunk[] {
  const chunks = chunksOf(markdown, limits);
  assert.deepEqual(chunksOf(markdown, limits), chunks, 'deterministic');
  let end = 0;
  for (const chunk of chunks) {
    assert.ok(chunk.start <= end && (limits.overlap > 0 || chunk.start === end), 'no gap');
    assert.ok(chunk.end > end, 'something new');
    end = chunk.end;
    assert.equal(chunk.tokens, estimateTokens(chunk.text));
    assert.equal(chunk.oversized, chunk.tokens > limits.maxTokens ? true : undefined);
    assert.ok(chunk.text.includes(markdown.slice(chunk.start, chunk.end).trim()), 'the slice is in the text');
    assert.notEqual(chunk.text.trim(), '');
  }
  assert.equal(end, markdown.trim() === '' ? 0 : markdown.length);
  assert.equal(new Set(chunks.map(({ id }) => id)).size, chunks.length, 'ids are unique');
  assert.deepEqual(
    chunks.map(({ nextId }) => nextId),
    [...chunks.slice(1).map(({ id }) => id), ...(chunks.length > 0 ? [undefined] : [])],
  );
  checkBorders(markdown, chunks, limits);
  return chunks;
}

/** No row, item, fence or heading is cut: a border inside of a block is where a part of it begins. */
function checkBorders(markdown: string, chunks: readonly Chunk[], { maxTokens, overlap }: Limits): void {
  const blocks = scanBlocks(markdown);
  assert.equal(blocks.map(({ start, end }) => markdown.slice(start, end)).join(''), blocks.length > 0 ? markdown : '');
  let at = 0;
  for (const { start, text, oversized } of chunks.toSorted((a, b) => a.start - b.start)) {
    while (at < blocks.length - 1 && blocks[at]!.end <= start) at += 1;
    const block = blocks[at];
    if (!block || block.start === start) continue;
    const { lines, first, items, kind } = block;
    if (kind === 'heading') assert.fail('a heading is cut');
    if (kind !== 'paragraph') assert.ok(lines.starts.includes(start), `a line of the ${kind} is cut`);
    if (kind === 'list')
      assert.ok(
        items.some((line) => lines.starts[line] === start),
        'an item is cut',
      );
    if (oversized) continue;
    if (kind === 'table') {
      assert.ok(lines.starts.indexOf(start) > first + 2, 'the header is cut');
      const header = markdown.slice(lines.starts[first], lines.starts[first + 2]);
      const isLong = estimateTokens(header) > (maxTokens - overlap) / 2;
      assert.ok(isLong || text.startsWith(header), 'the header is repeated');
    }
  }
}

test('the chunks of every page of the tests are the page, and nothing in it is cut', () => {
  assert.ok(pages.length > 100);
  for (const { name, markdown } of pages) {
    for (const limits of LIMITS) {
      try {
        checkChunks(markdown, limits);
      } catch (error) {
        throw new Error(`${name}, ${JSON.stringify(limits)}`, { cause: error });
      }
    }
  }
});

const piece = fc.oneof(
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 3, arbitrary: fc.constantFrom('Some words. More words here! ', '漢字。', 'a, b ', 'word '.repeat(30)) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...['# ', '## ', '###### ', '- ', '1. ', '> ', '> > ', '    ', '  ', '\t', '```\n', '````js\n', '~~~\n'],
      ...[
        '| a | b |\n| - | - |\n',
        '| c | d |\n',
        '|',
        '\n',
        '\n\n',
        '***\n',
        '$$\n',
        '<div>\n',
        '<!--',
        '-->',
        '<pre>',
      ],
      ...['[', '](', ')', '![', '`', '``', '\\', '*', ':\n\n', '\r\n', '\u00a0'],
    ),
  },
);
const anyMarkdown = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));

test(`the chunks of any Markdown are the Markdown (seed ${SEED})`, () => {
  const property = fc.property(anyMarkdown, fc.constantFrom(...LIMITS), (markdown, limits) => {
    checkChunks(markdown, limits);
  });
  fc.assert(property, { seed: SEED, numRuns: runs(1_500, 50_000) });
});

const text = fc.constantFrom(
  'Some words. More words here!',
  'word '.repeat(30),
  '- item\n- item',
  '| a |\n| - |\n| b |',
);
const body = fc.array(text, { minLength: 1, maxLength: 4 });
const heading = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('A', 'B', 'C', 'D', 'E'));
const section = fc.tuple(heading, fc.oneof({ weight: 4, arbitrary: body }, fc.constant([])));
type Written = [[level: number, name: string], texts: readonly string[]];
const written = (sections: readonly Written[]) =>
  sections.map(([[level, name], texts]) => `${'#'.repeat(level)} ${[name, ...texts].join('\n\n')}\n\n`).join('');

test(`chunks that share none with a changed section keep their ids (seed ${SEED})`, () => {
  const property = fc.property(
    fc.array(section, { maxLength: 10 }),
    fc.tuple(heading, body),
    fc.array(section, { maxLength: 10 }),
    body,
    fc.constantFrom(...LIMITS),
    (above, changed, below, changedTexts, limits) => {
      const [first, last] = [written(above), written(below)];
      const [before, after] = [written([changed]), written([[changed[0], changedTexts]])];
      const shift = after.length - before.length;
      const isApart = (chunk: Chunk, part: string) =>
        chunk.end <= first.length || chunk.start >= first.length + part.length;
      const found = chunksOf(first + after + last, limits);
      for (const chunk of chunksOf(first + before + last, limits)) {
        if (!isApart(chunk, before)) continue;
        const moved = chunk.start < first.length ? 0 : shift;
        const [start, end] = [chunk.start + moved, chunk.end + moved];
        const there = found.filter((other) => other.start < end && other.end > start);
        if (there.some((other) => !isApart(other, after))) continue;
        const same = there.find((other) => other.start === start && other.end === end);
        // Its number among equal chunks may change.
        assert.equal(same?.id.split('-')[0], chunk.id.split('-')[0]);
      }
    },
  );
  fc.assert(property, { seed: SEED, numRuns: runs(1_000, 30_000) });
});
