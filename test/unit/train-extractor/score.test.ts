// Scores: shared words and 4-grams, each counted as often as both sides have it.
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

test('nothing found scores 0, nothing wanted and nothing found 1', () => {
  assert.equal(wordScore('', 'something').f1, 0);
  assert.equal(wordScore('something', '').f1, 0);
  assert.equal(wordScore('', ' . ').f1, 1);
});

test('4-grams punish what is put in between, words alone do not', () => {
  const truth = 'one two three four five six seven eight';
  const guess = 'one two three advertisement four five six seven eight';
  assert.ok(gramScore(guess, truth).f1 < 0.5);
  assert.ok(wordScore(guess, truth).f1 > 0.9);
  assert.equal(gramScore('short text', 'Short text').f1, 1);
});

test('snippets are looked for regardless of case and line breaks', () => {
  assert.equal(snippetShare('Some\nTEXT here', ['some text', 'missing'], 1), 0.5);
  assert.equal(snippetShare('', [], 1), 1);
});
