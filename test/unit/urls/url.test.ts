// URLs as callers write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, normaliseUrl, readUrl } from '../../../src/urls/url.ts';

const href = (text: string) => {
  const url = readUrl(text);
  return typeof url === 'string' ? url : url.href;
};

test('a missing scheme and surrounding spaces are forgiven', () => {
  assert.equal(href(' example.com/a '), 'http://example.com/a');
  assert.equal(href('example.com:8080/a'), 'http://example.com:8080/a');
  assert.equal(href('HTTPS://EXAMPLE.com'), 'https://example.com/');
});

test('a space inside is encoded as a browser does', () =>
  assert.equal(href('https://example.com/a b'), 'https://example.com/a%20b'));

test('invalid URLs are rejected with a specific reason', () => {
  assert.equal(href(''), 'empty');
  assert.equal(href('http://127.0.0.1\\@1.1.1.1/'), 'ambiguous');
  assert.equal(href('http://exa\nmple.com/'), 'ambiguous');
  assert.equal(href('http://user:pw@example.com/'), 'userinfo');
  assert.equal(href('user@example.com'), 'userinfo');
  assert.equal(href('file:///etc/passwd'), 'scheme');
  assert.equal(href('javascript:alert(1)'), 'scheme');
  assert.equal(href('http://'), 'malformed');
  assert.equal(href('http://[::1'), 'malformed');
  assert.equal(href(`http://example.com/${'a'.repeat(20_000)}`), 'too-long');
});

test('normalising removes the fragment and a root dot', () => {
  assert.equal(normaliseUrl(new URL('https://example.com./a?b=1#c')), 'https://example.com/a?b=1');
});

test('a text has one address, however it is written, and what is no URL stays', () => {
  for (const text of ['Docs.test/a', ' http://docs.test:80/a', 'http://docs.test/x/../a']) {
    assert.equal(addressOf(text), 'http://docs.test/a');
  }
  assert.equal(addressOf('The report.pdf'), 'The report.pdf');
});
