// The pattern of a URL, shared by all pages of a family.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlPattern } from '../../../../src/crawl/frontier/url-pattern.ts';

const pattern = (rest: string) => urlPattern(new URL(`https://example.com${rest}`));

test('a URL without numbers or a query has no pattern', () => {
  for (const rest of ['/', '/about', '/blog/a-long-slug-of-words/', '/caf%C3%A9/%E4%B8%AD%E6%96%87', '/a#1', '/a?']) {
    assert.equal(pattern(rest), '', rest);
  }
});

test('numbers are replaced, the words around them stay', () => {
  const families: Record<string, string> = {
    '/item/17': '/item/#',
    '/item-17': '/item-#',
    '/item-17/photo2.html': '/item-#/photo#.html',
    '/2031': '/#',
    '/calendar/2031-04-05': '/calendar/#-#-#',
    '/2031/04/05/slug': '/#/#/#/slug',
    '/caf%C3%A9-3': '/caf%C3%A9-#',
    '/feed2031': '/feed#',
    '/mp3': '/mp#',
  };
  for (const [rest, family] of Object.entries(families)) assert.equal(pattern(rest), `example.com${family}`, rest);
});

test('ids are replaced whole, so that all of them share one pattern', () => {
  for (const id of [
    '550e8400-e29b-41d4-a716-446655440000',
    'deadbeef-abcd-abcd-abcd-abcdefabcdef',
    '9f86d081884c7d659a2feaa0c55ad015',
    'dQw4w9WgXcQ',
    '1234567890',
  ]) {
    assert.equal(pattern(`/watch/${id}/x`), 'example.com/watch/#/x', id);
  }
});

test('all queries of a path share one pattern', () => {
  assert.equal(pattern('/calendar?month=2031-04'), 'example.com/calendar?*');
  assert.equal(pattern('/calendar?month=april&view=list'), 'example.com/calendar?*');
  assert.equal(pattern('/item/3?a'), 'example.com/item/#?*');
});

test('different hosts and ports have different patterns', () => {
  assert.equal(urlPattern(new URL('http://a.test:8080/1')), 'a.test:8080/#');
  assert.notEqual(urlPattern(new URL('http://a.test/1')), urlPattern(new URL('http://b.test/1')));
});

test('paths that repeat their segments share one pattern, however often they do', () => {
  const turns = [3, 4, 9].map((times) => pattern('/about/team'.repeat(times)));
  assert.equal(new Set(turns).size, 1);
  assert.notEqual(turns[0], '');
  assert.equal(pattern('/a/b/c/d/e/f/g/a'), '');
});

test('a pattern has at most 512 characters', () => {
  const long = pattern(`/${'a1-'.repeat(600)}?b`);
  assert.equal(long.length, 512);
  assert.ok(long.endsWith('?*'));
});
