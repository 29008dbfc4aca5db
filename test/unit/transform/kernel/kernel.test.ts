// The kernel and its twin in TypeScript agree bit by bit: on real pages, and on random texts from characters at the edges.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileKernel, KERNELS, RUSTC_VERSION, rustcVersion } from '../../../../scripts/kernel/compile.ts';
import type { HtmlTree } from '../../../../src/markup/html/html-tree.ts';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { createFingerprinter } from '../../../../src/transform/fingerprint/fingerprint.ts';
import { createKernel, type KernelFile } from '../../../../src/transform/kernel/kernel.ts';
import { createStatsReader } from '../../../../src/transform/main-content/blocks/text-stats.ts';
import { createFingerprinterTwin } from '../../../support/kernel-twin/fingerprint-twin.ts';
import { createStatsReaderTwin } from '../../../support/kernel-twin/text-stats-twin.ts';
import { seedOr } from '../../../support/runs.ts';
import { createDice, type Dice } from '../../../support/web/words.ts';

const SEED = seedOr(20_261_119);
const ROOT = join(import.meta.dirname, '../../../..');
const FILES = Object.keys(KERNELS) as KernelFile[];

const pages = (): HtmlTree[] => {
  const marked = readdirSync(join(ROOT, 'test/pages')).map((name) => join(ROOT, 'test/pages', name, 'source.html'));
  const verdicts = readdirSync(join(ROOT, 'test/pages-verdict')).map((name) => join(ROOT, 'test/pages-verdict', name));
  return [...marked, ...verdicts]
    .filter((file) => file.endsWith('.html') && existsSync(file))
    .map((file) => parseHtml(readFileSync(file, 'utf8')));
};

const PIECES = [
  ...[
    'word',
    'Ünïcode',
    'ΣΊΣΥΦΟΣ',
    'слово',
    'a',
    'Mai',
    'may',
    'oktober',
    'so',
    '7 April',
    '1st',
    '22ND',
    '3rd',
    '31',
    '00',
  ],
  ...['2026', '1899', '2200', '2026-11-19', '2026-11-19T10', '19.11.2026', '11/2026', '2026/27', '2026.5', '19/11/26'],
  ...[
    '9:41',
    '24:59',
    '25:00',
    '12:3',
    '10:30:15',
    '1,000.50',
    '€ 12',
    '12 %',
    '7\u00a0€',
    '$5',
    '12345678901234567',
    'a1b2c3d4e5f6a7b8',
  ],
  ...[
    '123e4567-e89b-12d3-a456-426614174000',
    '123e4567-e89b-12d3-a456-42661417400',
    '日本語です。',
    '한국어',
    'ไทย',
    '漢',
    '\u{1f600}',
  ],
  ...['.', '!', '…', ',', '、', '-', '/', ':', ' ', ' ', ' ', '\n', '\u00ad', '\ufeff', '\u2009', '\ud800'],
];

function randomText(dice: Dice): string {
  const anyUnit = () => String.fromCharCode(dice.roll(65_536));
  const digit = () => String(dice.roll(10));
  const some = [() => dice.pick(PIECES), () => dice.pick(PIECES), () => dice.pick(PIECES), digit, anyUnit];
  return Array.from({ length: 1 + dice.roll(120) }, () => dice.pick(some)()).join(dice.pick(['', ' ']));
}

const textsOf = (tree: HtmlTree): string[] =>
  Array.from({ length: tree.size }, (_, node) => tree.text(node)).filter((text) => text !== '');

for (const file of FILES) {
  test(`${file} gives pages the same fingerprints as its twin`, () => {
    const fingerprinter = createFingerprinter(createKernel(file));
    const twin = createFingerprinterTwin();
    for (const tree of pages()) assert.deepEqual(fingerprinter.ofPage(tree), twin.ofPage(tree));
  });

  test(`${file} gives random texts the same fingerprints as its twin (seed ${SEED})`, () => {
    const dice = createDice(SEED);
    const fingerprinter = createFingerprinter(createKernel(file));
    const twin = createFingerprinterTwin();
    for (let run = 0; run < 2_000; run++) {
      const text = randomText(dice);
      assert.deepEqual(fingerprinter.ofText(text), twin.ofText(text), JSON.stringify(text));
    }
  });

  test(`${file} counts the characters of pages and random texts as its twin does (seed ${SEED})`, () => {
    const dice = createDice(SEED + 1);
    const reader = createStatsReader(createKernel(file));
    const twin = createStatsReaderTwin();
    const random = Array.from({ length: 300 }, () => Array.from({ length: 1 + dice.roll(5) }, () => randomText(dice)));
    // Longer than what the kernel is given at once.
    random.push(['A long one, 日本語. '.repeat(3_000)], ['x'.repeat(40_000)]);
    for (const texts of [...pages().map(textsOf), ...random]) {
      for (const each of [reader, twin]) each.start();
      for (const text of texts) {
        assert.equal(reader.add(text), twin.add(text));
        if (dice.roll(4) === 0) for (const each of [reader, twin]) each.breakWord();
      }
      assert.deepEqual(reader.stats(), twin.stats());
    }
  });
}

const installed = rustcVersion();
const skip = installed !== RUSTC_VERSION && `needs rustc ${RUSTC_VERSION}`;
test('the modules are what rustc makes of the source', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-kernel-'));
  try {
    for (const [name, features] of Object.entries(KERNELS)) {
      compileKernel(features, join(folder, name));
      const kept = readFileSync(join(ROOT, 'src/transform/kernel', name));
      assert.ok(kept.equals(readFileSync(join(folder, name))), `${name} is not built from this source.`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
