// Values from the web: read without trust, cut before they are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText } from '../../../../web/console/ui/data/json-text.ts';
import { branchSize, childrenOf, leafText, startsOpen } from '../../../../web/console/ui/data/json-tree.ts';
import { cutLines, cutText, isWebUrl, plainLine } from '../../../../web/console/ui/data/untrusted.ts';

test('a text is cut between characters, and says how long it was', () => {
  assert.deepEqual(cutText('abc', 3), { text: 'abc' });
  assert.deepEqual(cutText('ab😀', 3), { text: 'ab', wholeLength: 4 });
  assert.deepEqual(cutLines('a\nb\nc', 100, 2), { text: 'a\nb', wholeLength: 5 });
  assert.deepEqual(cutLines('a\nb\n', 100, 2), { text: 'a\nb\n' });
});

test('characters that hide or reorder are shown as what they are', () => {
  assert.equal(plainLine('a\u202eb\u200bc\u0007'), 'a\\u202eb\\u200bc\\u0007');
  assert.equal(plainLine('שלום عالم 日本'), 'שלום عالم 日本');
});

test('only addresses of the web are links', () => {
  for (const bad of [
    'javascript:alert(1)',
    ' https://a.example',
    '//a.example',
    '/files/x',
    'https://',
    'data:text/html,x',
  ])
    assert.equal(isWebUrl(bad), false, bad);
  assert.equal(isWebUrl('HTTPS://a.example/x'), true);
});

test('JSON of any depth becomes text', () => {
  let deep: unknown = 'end';
  for (let at = 0; at < 200_000; at += 1) deep = at % 2 ? [deep, 1] : { a: deep, b: undefined };
  const text = jsonText(deep);
  assert.ok(text.startsWith('[{"a":[') && text.includes('"end"'));
  assert.equal(text.split('{').length, 100_001);
  assert.equal(jsonText({ a: [1, null, 'x'] }, 0), '{"a":[1,null,"x"]}');
});

test('a tree shows few children at first, and nothing of what is closed', () => {
  const many = Array.from({ length: 1_000_000 }, (_, at) => at);
  assert.equal(childrenOf(many, 100).length, 100);
  assert.equal(branchSize(many), '1,000,000 items');
  assert.equal(startsOpen(many, 1), false);
  assert.equal(startsOpen({ a: 1 }, 1), true);
  assert.equal(startsOpen({ a: 1 }, 2), false);
  assert.match(leafText('y'.repeat(5_000_000)), /^"y{2000}" … 5,000,000 characters$/);
});
