// Reading the fields of untrusted answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  httpUrl,
  list,
  plainText,
  positive,
  record,
  text,
} from '../../../../../src/search/providers/toolkit/answer-fields.ts';

const ODD = [undefined, null, true, 0, Number.NaN, '', 'text', [], {}, [null], Symbol('s'), () => 1];

test('any value gives the right type without throwing', () => {
  for (const value of ODD) {
    assert.equal(typeof record(value), 'object');
    assert.ok(!Array.isArray(record(value)));
    assert.ok(Array.isArray(list(value)));
    assert.equal(typeof text(value), 'string');
    assert.equal(typeof plainText(value), 'string');
    assert.equal(httpUrl(value), undefined);
    assert.equal(positive(value), undefined);
  }
});

test('markup is removed, its words stay, and blocks do not run together', () => {
  assert.equal(text('High <strong>water</strong>s at <a href="x">Dover</a>'), 'High waters at Dover');
  assert.equal(text('<p>One</p><p>Two</p>three<br/>four'), 'One Two three four');
  assert.equal(text('<!-- note -->kept'), 'kept');
});

test('characters that only look like markup stay', () => {
  assert.equal(text('a < b and c > d'), 'a < b and c > d');
  assert.equal(text('1 <2> 3'), '1 <2> 3');
  assert.equal(plainText('a List<String> of <b>'), 'a List<String> of <b>');
});

test('entities are decoded once, after the markup is removed', () => {
  assert.equal(text('Tom &amp; Jerry&#39;s &lt;b&gt; caf&eacute;'), "Tom & Jerry's <b> café");
  assert.equal(text('&amp;lt;'), '&lt;');
  assert.equal(text('?a=1&copy=2'), '?a=1&copy=2');
});

test('any white space becomes one space', () => {
  assert.equal(text('  a\u00a0\u0000\n\t b&nbsp;c\u2003 '), 'a b c');
});

test('long text is cut at a word, and never within a character', () => {
  assert.equal(text('one two three', 9), 'one two');
  assert.equal(text('one two', 7), 'one two');
  assert.equal(text('\u{1f30a}'.repeat(10), 7), '\u{1f30a}'.repeat(3));
  assert.ok(text('word '.repeat(100_000)).length <= 1000);
  assert.ok(text('\ud83c').isWellFormed());
});

test('a number is accepted as text', () => {
  assert.equal(text(2026), '2026');
});

test('only absolute web URLs are accepted', () => {
  assert.equal(httpUrl(' HTTPS://Example.com/a b '), 'https://example.com/a%20b');
  assert.equal(httpUrl('//cdn.example/x.jpg'), 'https://cdn.example/x.jpg');
  for (const bad of [
    '/a',
    'example.com',
    'ftp://a.example/',
    'data:,x',
    'javascript:1',
    'http://',
    'https://u:p@a.example/',
  ]) {
    assert.equal(httpUrl(bad), undefined, bad);
  }
  assert.equal(httpUrl(`https://a.example/${'x'.repeat(9000)}`), undefined);
});

test('sizes are positive whole numbers, as numbers or strings', () => {
  assert.equal(positive(1920), 1920);
  assert.equal(positive('1080'), 1080);
  assert.equal(positive(99.6), 100);
  for (const bad of [-1, 0, 0.2, '12px', ' ', Number.POSITIVE_INFINITY, 1e300]) assert.equal(positive(bad), undefined);
});
