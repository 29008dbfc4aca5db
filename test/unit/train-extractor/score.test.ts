// Scores: shared words and 4-grams, counted as often as both sides have them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gramScore, wordScore } from '../../../scripts/labelled/score.ts';
import { snippetShare } from '../../../scripts/train-extractor/snippets.ts';

test('words count as often as both texts have them', () => {
  assert.deepEqual(wordScore('the cat the cat', 'The dog, the cat!'), { precision: 0.75, recall: 0.75, f1: 0.75 });
  const partly = wordScore('a b', 'a b c d');
  assert.deepEqual([partly.precision, partly.recall], [1, 0.5]);
  assert.ok(Math.abs(partly.f1 - 2 / 3) < 1e-12);
});

test('an empty output scores 0, unless the truth is empty too', () => {
  assert.equal(wordScore('', 'something').f1, 0);
  assert.equal(wordScore('something', '').f1, 0);
  assert.equal(wordScore('', ' . ').f1, 1);
});

test('4-grams penalise insertions, words alone do not', () => {
  const truth = 'one two three four five six seven eight';
  const guess = 'one two three advertisement four five six seven eight';
  assert.ok(gramScore(guess, truth).f1 < 0.5);
  assert.ok(wordScore(guess, truth).f1 > 0.9);
  assert.equal(gramScore('short text', 'Short text').f1, 1);
});

test('snippets match regardless of case and line breaks', () => {
  assert.equal(snippetShare('Some\nTEXT here', ['some text', 'missing'], 1), 0.5);
  assert.equal(snippetShare('', [], 1), 1);
});
