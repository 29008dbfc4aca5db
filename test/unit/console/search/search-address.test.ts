// The address of the search page holds everything that is looked for, and nothing that could not be sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexSearchRequest } from '../../../../src/contracts/search/index-search.ts';
import {
  readAddress,
  relaxedBy,
  requestOf,
  toggled,
  withoutPart,
  writeAddress,
} from '../../../../web/console/search/search-address.ts';

const ADDRESS = '/console/search?q=grey+seal&host=a.example&host=b.example&lang=de&kind=pdf&time=qdr%3Aw&sort=date';

test('an address is read and written without loss', () => {
  assert.equal(writeAddress(readAddress(ADDRESS)), ADDRESS);
  assert.equal(writeAddress(readAddress('/console/search')), '/console/search');
});

test('whatever an address holds, the request is valid', () => {
  for (const address of [
    ADDRESS,
    `/console/search?q=${'x'.repeat(2_000)}`,
    `/console/search?q=${encodeURIComponent('🦭'.repeat(600))}`,
    '/console/search?host=https://a/&host=&lang=english&kind=%3Cb%3E&time=yesterday&sort=up',
    `/console/search?${Array.from({ length: 50 }, (_, n) => `kind=k${n}`).join('&')}`,
  ])
    assert.ok(indexSearchRequest.safeParse(requestOf(readAddress(address))).success, address.slice(0, 60));
});

test('without a query the newest pages come first', () => {
  assert.equal(requestOf(readAddress('/console/search')).tbs, 'sbd:1');
  assert.equal(requestOf(readAddress('/console/search?q=a')).tbs, undefined);
  assert.equal(requestOf(readAddress('/console/search?q=a&time=qdr:d&sort=date')).tbs, 'qdr:d,sbd:1');
});

test('filters are toggled, and dropped where they exclude everything', () => {
  const looked = readAddress(ADDRESS);
  assert.deepEqual(toggled(looked, 'hosts', 'a.example').hosts, ['b.example']);
  assert.deepEqual(toggled(looked, 'kinds', 'news').kinds, ['pdf', 'news']);
  assert.deepEqual(relaxedBy(looked, { condition: 'includeDomains', isFilter: true, query: '' }).hosts, []);
  assert.equal(relaxedBy(looked, { condition: 'tbs', isFilter: true, query: '' }).time, '');
  assert.equal(relaxedBy(looked, { condition: '-seal', isFilter: false, query: 'grey' }).query, 'grey');
});

test('a condition is taken out of the text without doubling spaces', () => {
  assert.equal(withoutPart('grey -site:a.example seal', { start: 5, end: 20 }), 'grey seal');
  assert.equal(withoutPart('"grey seal"', { start: 0, end: 11 }), '');
});
