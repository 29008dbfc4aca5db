// Which URLs are the same page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareName, type KeyRules, urlKey } from '../../../../src/crawl/frontier/url-key.ts';

const EXACT: KeyRules = { similar: false, ignoreQuery: false };
const SIMILAR: KeyRules = { similar: true, ignoreQuery: false };

const key = (text: string, rules: KeyRules) => urlKey(new URL(text), rules);

function assertSame(rules: KeyRules, ...texts: string[]) {
  const [first, ...others] = texts.map((text) => key(text, rules));
  for (const [index, other] of others.entries()) assert.equal(other, first, texts[index + 1]);
}

function assertDifferent(rules: KeyRules, ...texts: string[]) {
  assert.equal(new Set(texts.map((text) => key(text, rules))).size, texts.length, texts.join(' '));
}

test('fragments, default ports, root dots and percent-encoding do not change the key', () => {
  assertSame(
    EXACT,
    'https://example.com/~a/b%2Fc',
    'https://example.com/~a/b%2Fc#top',
    'https://example.com:443/~a/b%2Fc',
    'https://example.com./~a/b%2Fc',
    'https://example.com/%7ea/b%2fc',
    'https://EXAMPLE.com/%7E%61/b%2fc?',
  );
  assert.equal(key('https://example.com./%7ea?b=%3d#c', EXACT), 'https://example.com/~a?b=%3D');
});

test('an escaped separator differs from the separator itself', () => {
  assertDifferent(SIMILAR, 'https://example.com/a%2Fb', 'https://example.com/a/b');
  assertDifferent(SIMILAR, 'https://example.com/?a=1%26b=2', 'https://example.com/?a=1&b=2');
});

test('the order of different parameters does not matter, the order of repeated ones does', () => {
  assertSame(EXACT, 'https://example.com/?a=1&b=2', 'https://example.com/?b=2&a=1', 'https://example.com/?&b=2&&a=1&');
  assertDifferent(EXACT, 'https://example.com/?a=1&a=2', 'https://example.com/?a=2&a=1');
  assert.equal(key('https://example.com/?b=2&a=9&b=1', EXACT), 'https://example.com/?a=9&b=2&b=1');
});

test('without `similar`, variants of a URL have different keys', () => {
  assertDifferent(
    EXACT,
    'https://example.com/a',
    'http://example.com/a',
    'https://www.example.com/a',
    'https://example.com/a/',
    'https://example.com/A',
    'https://example.com//a',
    'https://example.com/a/index.html',
    'https://example.com/a?utm_source=x',
  );
});

test('with `similar`, variants of a URL have the same key', () => {
  assertSame(
    SIMILAR,
    'https://example.com/docs',
    'http://example.com/docs',
    'http://www.example.com/docs/',
    'https://www.example.com.:443/Docs/index.html',
    'https://example.com/docs/INDEX.php',
    'https://example.com//docs//default.aspx',
    'https://example.com/docs/index.htm?utm_source=a&UTM_Medium=b&gclid=1&fbclid=2&msclkid=3&mc_eid=4&_ga=5',
    'https://example.com/docs?PHPSESSID=abc&ASPSESSIONIDQWERTZ=1',
    'https://example.com/docs;jsessionid=0A1B2C?jsessionid=9',
    'https://example.com/docs?sid=4f9a1c7e2b6d8f0a3c5e7b9d1f2a4c6e',
  );
  assert.equal(key('https://www.example.com/Docs/index.html?b=1&a=2', SIMILAR), 'example.com/docs?a=2&b=1');
});

test('all spellings of a home page have the same key', () =>
  assertSame(
    SIMILAR,
    'https://example.com',
    'http://www.example.com/',
    'https://example.com/index.html',
    'https://example.com/default.asp/',
    'https://example.com/?utm_campaign=x#y',
  ));

test('parts that may select the content keep keys different', () => {
  assertDifferent(
    SIMILAR,
    'https://example.com/',
    'https://example.com/?sid=3',
    'https://example.com/?sid=introduction-to-the-2031-session',
    'https://example.com/?ref=a',
    'https://example.com/?id=1',
    'https://example.com/?id=2',
    'https://example.com:8080/',
    'https://blog.example.com/',
    'https://example.com/main.html',
    'https://example.com/indexes.html',
    'https://example.com/index.pdf',
  );
});

test('escaped non-ASCII letters keep their case, the letters around them are lower-cased', () =>
  assert.equal(key('https://example.com/Caf%c3%89/%41', SIMILAR), 'example.com/caf%C3%89/a'));

test('ignoreQuery drops the query from the key', () => {
  assertSame({ similar: false, ignoreQuery: true }, 'https://example.com/a?b=1', 'https://example.com/a');
  assertSame({ similar: true, ignoreQuery: true }, 'https://example.com/a/?b=1', 'http://www.example.com/a');
});

test('the part of a key before the question mark is the key of the path', () => {
  const [path] = key('https://example.com/list/?page=2', SIMILAR).split('?');
  assert.equal(path, key('https://example.com/list', SIMILAR));
});

test('www is dropped only if a domain remains', () => {
  assert.equal(bareName('www.example.com.'), 'example.com');
  assert.equal(bareName('www.com'), 'www.com');
  assert.equal(bareName('wwwexample.com'), 'wwwexample.com');
  assert.equal(bareName('[::1]'), '[::1]');
});
