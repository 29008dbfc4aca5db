// How page scores become figures: what is averaged over which pages, and how columns are laid out.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import {
  type ExtractorResult,
  type PageResult,
  rowsOf,
  scorePage,
  shingleScore,
} from '../../../../bench/extract/extract-report.ts';
import { readPages } from '../../../../bench/extract/labelled-sets.ts';
import { table } from '../../../../bench/report.ts';
import type { LabelledPage } from '../../../../scripts/labelled/pages.ts';

const page = (changes: Partial<LabelledPage> = {}): LabelledPage => ({
  set: 'news',
  position: 0,
  id: '1',
  type: 'article',
  url: 'https://a.test/',
  html: '',
  truth: 'one two three four',
  with: [],
  without: [],
  ...changes,
});

const result = (labelled: LabelledPage, markdown: string, cpuMs: number): PageResult => ({
  ...scorePage(labelled, markdown),
  error: undefined,
  dense: { bytes: 50_000, cpuMs },
  raw: { bytes: 200_000, cpuMs: cpuMs * 2 },
});

const measured = (system: string, pages: PageResult[]): ExtractorResult => ({
  system,
  pages,
  peakMb: { dense: 90, raw: 120 },
});

const figureOf = (rows: ReturnType<typeof rowsOf>, measure: string) =>
  rows.find((row) => row.measure === measure)?.value;

test('scores are averages over pages, per set and per type if a set has several', () => {
  const rows = rowsOf(
    measured('Trawl', [
      result(page(), 'one two three four', 1),
      result(page({ type: 'forum' }), 'five', 1),
      result(page({ set: 'shops', type: 'product' }), 'one two', 1),
    ]),
    undefined,
  );
  assert.equal(figureOf(rows, 'news: F1'), 0.5);
  assert.equal(figureOf(rows, 'news, article: F1'), 1);
  assert.equal(figureOf(rows, 'news, article: recall'), 1);
  assert.equal(figureOf(rows, 'news, forum: F1'), 0);
  assert.equal(figureOf(rows, 'news, article, 4-gram: F1'), 1);
  assert.equal(figureOf(rows, 'shops: precision'), 1);
  assert.equal(figureOf(rows, 'shops: recall'), 0.5);
  assert.equal(figureOf(rows, 'shops, product: F1'), undefined);
  assert.equal(figureOf(rows, 'shops: wanted snippets'), undefined);
});

test('a set with snippets only has snippet shares and no F1', () => {
  const snippets = page({ truth: '', with: ['good', 'better'], without: ['advert'] });
  const bare = page({ truth: '' });
  const rows = rowsOf(measured('Trawl', [result(snippets, 'good advert', 1), result(bare, '', 1)]), undefined);
  assert.equal(figureOf(rows, 'news: F1'), undefined);
  assert.equal(figureOf(rows, 'news: wanted snippets'), 0.75);
  assert.equal(figureOf(rows, 'news: unwanted snippets'), 0.5);
});

test('in the 4-gram score an empty answer lowers recall only; a wrong one also lowers precision', () => {
  const right = scorePage(page(), 'one two three four');
  const empty = scorePage(page(), '');
  const wrong = scorePage(page(), 'five six seven eight');
  assert.deepEqual(shingleScore([right, empty], 'shingles'), { precision: 1, recall: 1 / 2, f1: 2 / 3 });
  assert.equal(shingleScore([right, wrong], 'shingles').f1, 1 / 2);
  assert.equal(shingleScore([empty], 'shingles').f1, 0);
});

test('articles are also scored without the leading h1, in either notation', () => {
  const text = '\n\none two three four';
  for (const title of ['# The title', '![hero](a.png)\n\n# The title', 'The title\n=========']) {
    const { shingles, untitledShingles } = scorePage(page(), title + text);
    assert.ok(shingles!.precision < 1, title);
    assert.equal(untitledShingles!.precision, 1, title);
  }
  for (const start of ['## Not the title', 'Some text\n\n# Later']) {
    assert.ok(scorePage(page(), start + text).untitledShingles!.precision < 1, start);
  }
});

test('cost is CPU time per 100,000 bytes over all pages, with its ratio to the rival', () => {
  const ours = measured('Trawl', [result(page(), '', 2), result(page(), '', 4)]);
  const rival = measured('Readability', [result(page(), '', 30), result(page(), '', 90)]);
  const rows = rowsOf(ours, rival);
  assert.equal(figureOf(rows, 'dense pages: CPU per 100 KB'), 6);
  assert.equal(figureOf(rows, 'raw pages: CPU per 100 KB'), 3);
  assert.equal(figureOf(rows, 'dense pages: cheaper than Readability'), 20);
  assert.equal(figureOf(rows, 'raw pages: peak memory'), 120);
});

test('systems are shown side by side, with a gap where one has no figure', () => {
  const lines = table([
    { measure: 'speed', value: 1.234, unit: 'ms', aim: '<= 2', system: 'A' },
    { measure: 'speed', value: 12.34, unit: 'ms', system: 'B' },
    { measure: 'pages', value: 7, unit: '', system: 'B' },
  ]).split('\n');
  assert.deepEqual(
    lines.map((line) => line.trimEnd()),
    [
      'measure     A     B  unit  aim',
      '-------  ----  ----  ----  ----',
      'speed    1.23  12.3  ms    <= 2',
      'pages             7',
    ],
  );
});

test('a folder is read set by set, taking every n-th page of each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-bench-'));
  try {
    for (const set of ['b', 'a']) {
      const lines = [0, 1, 2, 3, 4].map((n) => JSON.stringify(page({ id: `${set}${n}` })));
      writeFileSync(join(folder, `${set}.jsonl.br`), brotliCompressSync(`${lines.join('\n')}\n`));
    }
    const read = [...readPages(folder, 2)].map(({ set, id, position }) => `${set} ${id} ${position}`);
    assert.deepEqual(read, ['a a0 0', 'a a2 2', 'a a4 4', 'b b0 0', 'b b2 2', 'b b4 4']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder without sets is reported as an error', () => {
  assert.throws(() => [...readPages(import.meta.dirname, 1)], /no set of labelled pages/);
});
