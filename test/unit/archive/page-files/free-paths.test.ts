// Paths of pages in an archive: every page has its own, on every system.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFreePaths } from '../../../../src/archive/page-files/free-paths.ts';
import { runs, seedOr } from '../../../support/runs.ts';

const SEED = seedOr(20_261_116);
const take = (...urls: string[]) => {
  const paths = createFreePaths('index');
  return urls.map((url) => paths.take(url));
};

test('pages that differ by case, form or ending get different paths', () => {
  const [first, ...others] = take(
    'https://example.com/Guide',
    'https://example.com/guide',
    'https://example.com/guide.html',
    'https://example.com/GUIDE',
  );
  assert.equal(first, 'example.com/Guide');
  assert.equal(new Set(others).size, 3);
  for (const path of others) assert.match(path, /^example\.com\/guide-[0-9a-f]{10}$/i);
  const [composed, decomposed] = take('https://example.com/caf%C3%A9', 'https://example.com/cafe%CC%81');
  assert.notEqual(composed, decomposed);
  const [sharp, double] = take('https://example.com/stra%C3%9Fe', 'https://example.com/strasse');
  assert.deepEqual([sharp, double!.startsWith('example.com/strasse-')], ['example.com/straße', true]);
});

test('the same page many times is numbered', () => {
  const url = 'https://example.com/page';
  const [first, second, third, fourth] = take(url, url, url, url);
  assert.deepEqual([first, third, fourth], ['example.com/page', `${second}-2`, `${second}-3`]);
});

test('a reserved path is given to no page', () => {
  assert.match(take('index')[0]!, /^index-[0-9a-f]{10}$/);
});

test('no folder has the name of a file', () => {
  assert.deepEqual(take('https://example.com/docs', 'https://example.com/docs.md/intro'), [
    'example.com/docs',
    'example.com/docs.md_/intro',
  ]);
  assert.equal(take('https://index.json/')[0], 'index.json_/index');
  assert.deepEqual(take('https://example.com/x', 'https://example.com/x.raw'), ['example.com/x', 'example.com/x.raw_']);
});

test(`no two files of any pages are the same file, and none is a folder of another (seed ${SEED})`, () => {
  const word = fc.constantFrom(
    'a',
    'A',
    'a.md',
    'a.raw',
    'a.html',
    'a.json',
    '%2e%2e',
    'ä',
    'a%CC%88',
    'con',
    '',
    'a-2',
  );
  const url = fc.array(word, { maxLength: 4 }).map((parts) => `https://example.com/${parts.join('/')}`);
  const property = fc.property(fc.array(url, { maxLength: 60 }), (urls) => {
    const paths = createFreePaths('index');
    const files = urls
      .map((each) => paths.take(each))
      .flatMap((path) => ['.md', '.json', '.html', '.raw.html'].map((ending) => `${path}${ending}`))
      .map((file) => file.normalize('NFC').toLowerCase());
    assert.equal(new Set(files).size, files.length);
    const folders = new Set(files.flatMap((file) => file.split('/').map((_, at, all) => all.slice(0, at).join('/'))));
    for (const file of files) assert.ok(!folders.has(file), file);
  });
  fc.assert(property, { seed: SEED, numRuns: runs(200, 10_000) });
});
