// The whole command on a small synthetic data set: it reads the sets, learns, and writes the same bytes every time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { readSet } from '../../../scripts/labelled/pages.ts';
import { BLOCK_PARAMS } from '../../../scripts/train-extractor/gbdt.ts';
import { createRandom, SEED } from './synthetic.ts';

const COMMAND = join(import.meta.dirname, '../../../scripts/train-extractor/train.ts');
const folder = mkdtempSync(join(tmpdir(), 'trawl-train-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const random = createRandom(SEED);
const words = (count: number) => Array.from({ length: count }, () => `word${Math.floor(random() * 3000)}`).join(' ');

/** Two pages each have the same menu and notice. */
const sites = new Map<number, { menu: string; notice: string }>();
function siteOf(id: number) {
  const number = Math.floor(id / 2);
  const menu = Array.from({ length: 12 }, (_, i) => `<li><a href="/${i}">${words(2)}</a></li>`).join('');
  const site = sites.get(number) ?? { menu, notice: words(9) };
  sites.set(number, site);
  return { number, ...site };
}

function makePage(id: number, type: string, isWhole: boolean) {
  const paragraphs = Array.from({ length: 4 + (id % 4) }, () => `${words(25)}.`);
  const { number, menu, notice } = siteOf(id);
  const body =
    type === 'forum'
      ? paragraphs.map((text) => `<div class="post">${text}</div>`)
      : paragraphs.map((text) => `<p>${text}</p>`);
  return {
    id: String(id),
    type: isWhole ? type : 'mixed',
    url: `https://site${number}.example/${type}/${id}`,
    truth: isWhole ? paragraphs.join('\n\n') : '',
    with: isWhole ? [] : [paragraphs[1]!.slice(0, 60)],
    without: isWhole ? [] : [notice],
    html: `<html><body><nav><ul>${menu}</ul></nav><main>${body.join('')}</main><footer>${notice}</footer></body></html>`,
  };
}

function writeSet(to: string, set: string, count: number, type: (i: number) => string, isWhole = true): void {
  const pages = Array.from({ length: count }, (_, i) => JSON.stringify(makePage(i + count * 1000, type(i), isWhole)));
  writeFileSync(join(to, `${set}.jsonl.br`), brotliCompressSync(`${pages.join('\n')}\n`));
}

test('the command learns from the sets in a folder and is reproducible', { timeout: 100_000 }, () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  writeSet(data, 'wcxb-dev', 36, (i) => ['article', 'forum', 'product'][i % 3]!);
  writeSet(data, 'trafi', 10, () => 'article', false);
  writeSet(data, 'magic-article', 8, () => 'article');
  writeSet(data, 'magic-forum', 7, () => 'forum');
  writeSet(data, 'ceb', 6, () => 'article', false);
  const read = [...readSet(data, 'trafi')];
  assert.equal(read.length, 10);
  assert.equal(read[0]!.set, 'trafi');

  const outputs = ['first', 'second'].map((name) => {
    const out = join(folder, name);
    // The second run reads the examples from the cache of the first.
    const options = ['--folds', '2', '--out', out, '--cache', join(folder, 'cache'), '--date', '2026-01-01'];
    execFileSync(process.execPath, [COMMAND, data, ...options, '--threads', name === 'first' ? '2' : '1']);
    return Object.fromEntries(readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'utf8')]));
  });
  const [first, second] = outputs;
  assert.deepEqual(Object.keys(first!).sort(), [
    'main-content-model.json',
    'main-content-model.md',
    'main-content-scores.json',
  ]);
  for (const [file, text] of Object.entries(first!)) assert.ok(second![file] === text, `${file} differs`);

  const { scores, bySiblings } = JSON.parse(first!['main-content-scores.json']!);
  const whole = scores.find(({ pages }: { pages: string }) => pages === 'wcxb-dev');
  assert.equal(whole.count, 36);
  assert.ok(whole.f1 > 0.95, `F1 ${whole.f1}`);
  const withSiblings = bySiblings.find(({ pages }: { pages: string }) => pages === 'wcxb-dev, with siblings');
  assert.equal(withSiblings.count, 36);
  const model = JSON.parse(first!['main-content-model.json']!);
  assert.equal(model.blocks.roots.length, BLOCK_PARAMS.trees);
  assert.equal(model.pageTypes.roots.length % model.pageTypes.types.length, 0);
});
