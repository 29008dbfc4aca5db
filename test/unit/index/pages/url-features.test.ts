// What the index derives from URLs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryOfHost, hostOf, isFrontPage, siteLabel, urlWords } from '../../../../src/index/pages/url-features.ts';
import { urlKey } from '../../../../src/index/pages/url-key.ts';

test('a host is the same with and without www or a root dot', () => {
  assert.equal(hostOf('WWW.Example.com.'), 'example.com');
  assert.equal(hostOf('www.com'), 'www.com');
  assert.equal(hostOf('docs.example.com'), 'docs.example.com');
});

test('the site label is the one below the public suffix', () => {
  const labels = ['docs.example.co.uk', 'example.com', 'example.com.br', 'localhost', '127.0.0.1', 'com.example.org'];
  assert.deepEqual(labels.map(siteLabel), ['example', 'example', 'example', 'localhost', '', 'example']);
});

test('the top-level domain gives the country of a host, if it stands for one', () => {
  const hosts = ['a.example.de', 'example.co.uk', 'example.com', 'example.io', 'de', '10.0.0.12'];
  assert.deepEqual(hosts.map(countryOfHost), ['DE', 'GB', '', '', '', '']);
});

test('the words of a URL are decoded and lower-cased', () => {
  const words = urlWords(new URL('https://www.xn--mnchen-3ya.example/caf%C3%A9/Grey-Seals_2031.html?q=polar+bear'));
  assert.deepEqual(words.slice(0, 2), ['münchen', 'example']);
  for (const word of ['café', 'grey', 'seals', '2031', 'polar', 'bear']) assert.ok(words.includes(word), word);
  assert.ok(urlWords(new URL('https://a.example/%E0%A4%A')).includes('example'), 'broken escapes are tolerated');
  assert.ok(urlWords(new URL(`https://a.example/${'a/'.repeat(1_000)}`)).length <= 40);
});

test('a front page is recognised by its path', () => {
  const pages = ['/', '/index.html', '/home', '/about', '/?page=2', '/index.html/more'];
  const found = pages.filter((page) => isFrontPage(new URL(page, 'https://a.example')));
  assert.deepEqual(found, ['/', '/index.html', '/home']);
});

test('equivalent spellings of a URL have the same key', () => {
  const key = urlKey('https://example.com/page');
  for (const same of ['http://example.com/page', 'https://www.example.com/page/', 'https://example.com/page#part']) {
    assert.equal(urlKey(same), key, same);
  }
  assert.notEqual(urlKey('https://example.com/page?x'), key);
  assert.notEqual(urlKey('https://example.com/pages'), key);
});

test('the keys of many URLs are distinct 52-bit integers', () => {
  const keys = new Set<number>();
  for (let i = 0; i < 200_000; i++) keys.add(urlKey(`https://host${i % 500}.example/p/${i}`));
  assert.equal(keys.size, 200_000);
  for (const key of keys) assert.ok(Number.isSafeInteger(key) && key >= 0 && key < 2 ** 52);
});
