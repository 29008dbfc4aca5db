// The measure of extracted text, on cases small enough to count by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, snippetShare } from '../../../../bench/extract/extract-score.ts';
import { gramScore, wordScore } from '../../../../scripts/labelled/score.ts';

const tidy = (markdown: string) => plainText(markdown).replace(/\s+/g, ' ').trim();

test('each word counts as often as both texts have it', () => {
  // Shared: a, and one of the two b.
  assert.deepEqual(wordScore('a b b x', 'A, b: c d!'), { precision: 1 / 2, recall: 1 / 2, f1: 1 / 2 });
  assert.deepEqual(wordScore('a b b', 'A: b.'), { precision: 2 / 3, recall: 1, f1: 4 / 5 });
});

test('the same words in another order are a perfect word score and no perfect score of runs', () => {
  assert.equal(wordScore('four three two one zero', 'zero one two three four').f1, 1);
  assert.equal(gramScore('four three two one zero', 'zero one two three four').f1, 0);
});

test('runs of four words are counted, and a shorter text is one run', () => {
  // Runs of the text: abcd, bcde; of the truth: abcd, bcdx, cdxy.
  const { precision, recall } = gramScore('a b c d e', 'a b c d x y');
  assert.equal(precision, 1 / 2);
  assert.equal(recall, 1 / 3);
  assert.equal(gramScore('a b', 'a b').f1, 1);
  assert.equal(gramScore('a b', 'a b c').f1, 0);
});

test('nothing found is nothing right, unless there is nothing to find', () => {
  assert.deepEqual(wordScore('', 'word'), { precision: 0, recall: 0, f1: 0 });
  assert.deepEqual(wordScore('word', '!'), { precision: 0, recall: 0, f1: 0 });
  assert.deepEqual(wordScore('', '...'), { precision: 1, recall: 1, f1: 1 });
  assert.deepEqual(gramScore('', ''), { precision: 1, recall: 1, f1: 1 });
});

test('words are of any script, and a digit or an underscore belongs to them', () => {
  assert.equal(wordScore('Ünïcode 中文 snake_case 42', 'ünïcode 中文 snake_case 42').f1, 1);
  assert.equal(wordScore('snake case', 'snake_case').f1, 0);
});

test('addresses and images of Markdown are not text, what links say is', () => {
  assert.equal(tidy('See [the *plan*](https://a.test/x_(y) "Title") now.'), 'See [the plan] now.');
  assert.equal(tidy('[![Logo [small]](logo.png)](/home) Home'), '[ ] Home');
  assert.equal(tidy('[odd](<a b>) ![](x.png) end'), '[odd] end');
});

test('fences, tags, escapes and emphasis leave only what they enclose', () => {
  assert.equal(tidy('```ts\nconst a = `b`;\n```\nafter'), 'const a = b; after');
  assert.equal(tidy('a<br>b **bold** 1\\. \\*star\\*'), 'a b bold 1. star');
});

test('snippets are found in any letter case', () => {
  assert.equal(snippetShare('The Quick brown fox', ['quick BROWN', 'lazy dog']), 1 / 2);
});
