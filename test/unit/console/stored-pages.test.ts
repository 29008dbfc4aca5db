// The page "Pages" of the console: its addresses, and how a diff is laid out in two sides.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Diff, diffRows, diffSize } from '../../../web/console/pages/diff-rows.ts';
import {
  pathOf,
  placeAddress,
  readPlace,
  scrapeAddress,
  searchAddress,
} from '../../../web/console/pages/page-addresses.ts';

describe('addresses', () => {
  test('a place is written and read again, whatever its URL contains', () => {
    for (const url of ['https://a.test/?q=1&url=b#c', 'http://a.test:8080/ä b', 'javascript:alert(1)', 'no url']) {
      const query = Object.fromEntries(new URL(placeAddress({ host: 'a.test', url }), 'http://x').searchParams);
      assert.deepEqual(readPlace(query), { host: 'a.test', url });
    }
    assert.equal(placeAddress({}), '/console/pages');
  });

  test('a page that is named without a host belongs to that of its URL', () => {
    assert.deepEqual(readPlace({ url: 'https://a.test:8080/x' }), {
      host: 'a.test:8080',
      url: 'https://a.test:8080/x',
    });
    assert.deepEqual(readPlace({ url: 'no url' }), { url: 'no url' });
    assert.deepEqual(readPlace({ host: '', url: '' }), {});
  });

  test('other pages are named as they read them', () => {
    assert.equal(
      scrapeAddress('https://a.test/?a&b'),
      '/console/playground/scrape?url=https%3A%2F%2Fa.test%2F%3Fa%26b',
    );
    assert.equal(searchAddress('a.test:8080'), '/console/search?q=site%3Aa.test');
    assert.equal(pathOf('https://a.test/x?y#z'), '/x?y');
    assert.equal(pathOf('no url'), 'no url');
  });
});

type Change = Diff['json']['files'][number]['chunks'][number]['changes'][number];

const del = (ln: number, text: string): Change => ({ type: 'del', del: true, ln, content: `-${text}` });
const add = (ln: number, text: string): Change => ({ type: 'add', add: true, ln, content: `+${text}` });
const same = (line: number, text: string): Change => ({
  ...{ type: 'normal', normal: true, ln1: line, ln2: line, content: ` ${text}` },
});
const diffOf = (...chunks: Change[][]): Diff => ({
  text: '',
  json: { files: [{ from: 'previous', to: 'current', chunks: chunks.map((changes) => ({ content: '@@', changes })) }] },
});

describe('a diff in rows', () => {
  test('lines that replace others stand beside them, and what is left stands alone', () => {
    const rows = diffRows(
      diffOf([same(1, 'a'), del(2, 'old'), del(3, 'gone'), add(2, 'new'), same(3, 'b'), add(4, 'more')]),
    );
    const line = (number: number, text: string) => ({ number, text });
    assert.deepEqual(rows, [
      { kind: 'gap', text: '@@' },
      { kind: 'same', before: line(1, 'a'), after: line(1, 'a') },
      { kind: 'changed', before: line(2, 'old'), after: line(2, 'new') },
      { kind: 'changed', before: line(3, 'gone') },
      { kind: 'same', before: line(3, 'b'), after: line(3, 'b') },
      { kind: 'changed', after: line(4, 'more') },
    ]);
    assert.deepEqual(diffSize(rows), { added: 2, removed: 2 });
  });

  test('parts that are not connected stay apart, and say where they begin', () => {
    const content = (text: string): Diff => ({
      text: '',
      json: { files: [{ from: null, to: null, chunks: [{ content: text, changes: [] }] }] },
    });
    assert.deepEqual(diffRows(content('@@ -4,6 +4,6 @@')), [{ kind: 'gap', text: 'From line 4' }]);
    assert.deepEqual(diffRows(content('@@ -4,6 +9,1 @@')), [{ kind: 'gap', text: 'From line 9, before: line 4' }]);
    const rows = diffRows(diffOf([del(1, 'a')], [add(9, 'b')]));
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['gap', 'changed', 'gap', 'changed'],
    );
    assert.deepEqual(diffRows(diffOf()), []);
  });
});
