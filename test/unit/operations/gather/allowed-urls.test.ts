// Which URLs a run may read if its caller has limited it to some.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAllowedUrls } from '../../../../src/operations/gather/allowed-urls.ts';

test('a URL and everything below its path is inside, and nothing else', () => {
  const isAllowed = createAllowedUrls(['https://shop.test/shoes', 'other.test/*']);
  for (const url of [
    'https://shop.test/shoes',
    'https://shop.test/shoes/',
    'https://shop.test/shoes?page=2',
    'https://shop.test/shoes/red/42',
    'https://www.shop.test/shoes/red',
    'http://other.test/anything',
    'https://other.test/',
  ]) {
    assert.ok(isAllowed(url), url);
  }
  for (const url of [
    'https://shop.test/',
    'https://shop.test/shoes-for-kids',
    'https://shop.test/hats',
    'http://shop.test/shoes',
    'https://shop.test:8443/shoes',
    'https://evil.test/shoes',
    'https://shop.test.evil.test/shoes',
    'https://shop.test/shoes/../hats',
    'https://shop.test@evil.test/shoes',
    'ftp://shop.test/shoes',
    'not a url',
  ]) {
    assert.ok(!isAllowed(url), url);
  }
});

test('a URL with a query is one page: another value of the query is another page', () => {
  const isAllowed = createAllowedUrls(['https://shop.test/product?id=5']);
  assert.ok(isAllowed('https://shop.test/product?id=5'));
  assert.ok(isAllowed('https://shop.test/product?id=5&tab=reviews'));
  assert.ok(!isAllowed('https://shop.test/product?id=6'));
  assert.ok(!isAllowed('https://shop.test/product'));
});

test('without a list everything is allowed, and a list without a readable URL allows nothing', () => {
  assert.ok(createAllowedUrls(undefined)('https://a.test/'));
  assert.ok(!createAllowedUrls(['::'])('https://a.test/'));
  assert.ok(!createAllowedUrls([])('https://a.test/'));
});
