// The cache of decoded postings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostingCache } from '../../../../../src/index/segments/postings/word-postings.ts';

const word = (postings: number) => ({
  df: postings,
  list: { docIds: new Int32Array(postings), weights: new Uint8Array(postings) },
});

test('the least recently used words are evicted', () => {
  const cache = createPostingCache(20_000);
  const loaded: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      loaded.push(key);
      return word(1_000);
    });
  for (const key of ['a', 'b', 'c', 'a', 'b', 'd', 'a', 'b', 'c']) get(key);
  assert.deepEqual(loaded, ['a', 'b', 'c', 'd', 'c']);
});

test('a word too large for the cache is loaded each time', () => {
  const cache = createPostingCache(1_000);
  let loads = 0;
  const load = () => {
    loads += 1;
    return word(1_000);
  };
  assert.equal(cache.get('a', load).df, 1_000);
  assert.equal(cache.get('a', load).df, 1_000);
  assert.equal(loads, 2);
});

test('nothing is cached after a clear', () => {
  const cache = createPostingCache(20_000);
  cache.get('a', () => word(1));
  cache.clear();
  assert.equal(cache.get('a', () => word(2)).df, 2);
});
