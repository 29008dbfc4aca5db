// The text scores, on cases small enough to count by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, snippetShare } from '../../../../bench/extract/extract-score.ts';
import { gramScore, wordScore } from '../../../../scripts/labelled/score.ts';

const tidy = (markdown: string) => plainText(markdown).replace(/\s+/g, ' ').trim();

test('each word counts as often as it occurs in both texts', () => {
  // Shared: a, and one of the two b's.
  assert.deepEqual(wordScore('a b b x', 'A, b: c d!'), { precision: 1 / 2, recall: 1 / 2, f1: 1 / 2 });
  assert.deepEqual(wordScore('a b b', 'A: b.'), { precision: 2 / 3, recall: 1, f1: 4 / 5 });
});

test('the same words in another order have a perfect word score but not a perfect 4-gram score', () => {
  assert.equal(wordScore('four three two one zero', 'zero one two three four').f1, 1);
  assert.equal(gramScore('four three two one zero', 'zero one two three four').f1, 0);
});

test('4-grams are counted, and a shorter text is one gram', () => {
  // 4-grams of the text: abcd, bcde; of the truth: abcd, bcdx, cdxy.
  const { precision, recall } = gramScore('a b c d e', 'a b c d x y');
  assert.equal(precision, 1 / 2);
  assert.equal(recall, 1 / 3);
  assert.equal(gramScore('a b', 'a b').f1, 1);
  assert.equal(gramScore('a b', 'a b c').f1, 0);
});

test('an empty answer scores zero unless the truth is empty too', () => {
  assert.deepEqual(wordScore('', 'word'), { precision: 0, recall: 0, f1: 0 });
  assert.deepEqual(wordScore('word', '!'), { precision: 0, recall: 0, f1: 0 });
  assert.deepEqual(wordScore('', '...'), { precision: 1, recall: 1, f1: 1 });
  assert.deepEqual(gramScore('', ''), { precision: 1, recall: 1, f1: 1 });
});

test('words may be in any script and contain digits and underscores', () => {
  assert.equal(wordScore('Ünïcode 中文 snake_case 42', 'ünïcode 中文 snake_case 42').f1, 1);
  assert.equal(wordScore('snake case', 'snake_case').f1, 0);
});

test('Markdown link targets and images are not text, but link texts are', () => {
  assert.equal(tidy('See [the *plan*](https://a.test/x_(y) "Title") now.'), 'See the plan now.');
  assert.equal(tidy('[![Logo [small]](logo.png)](/home) Home'), 'Home');
  assert.equal(tidy('[odd](<a b>) ![](x.png) end'), 'odd end');
  assert.equal(tidy('“[the plan](/a)”, [plan](/b)s [one](/c)[two](/d) [a] (b)'), '“the plan”, plans one two [a] (b)');
  assert.equal(tidy('[a [b] \\] c](/x) [not closed'), 'a [b] ] c [not closed');
});

test('fences, tags, escapes and emphasis leave only their content', () => {
  assert.equal(tidy('```ts\nconst a = `b`;\n```\nafter'), 'const a = b; after');
  assert.equal(tidy('a<br>b **bold** 1\\. \\*star\\*'), 'a b bold 1. star');
});

test('snippets are matched case-insensitively', () => {
  assert.equal(snippetShare('The Quick brown fox', ['quick BROWN', 'lazy dog']), 1 / 2);
});
