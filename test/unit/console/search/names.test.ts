// A score in words and bars, and the words that an unfinished one was found as.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  barWidths,
  completedWords,
  type Hit,
  kindName,
  languageName,
  partName,
} from '../../../../web/console/search/names.ts';

test('a part of a score is said in words', () => {
  const occurrences = { title: 1, body: 4, anchors: 2 };
  assert.equal(
    partName({ part: 'word', value: 1, word: 'seal', occurrences }),
    '“seal”: 1× in the title, 4× in the text, 2× in links to it',
  );
  assert.equal(partName({ part: 'word', value: 0, word: 'seal', occurrences: {} }), '“seal”: not on this page');
  assert.equal(partName({ part: 'depth', value: -0.1 }), 'Lies deep in its site');
});

test('bars are shares of the largest part, whatever its sign', () => {
  assert.deepEqual(barWidths([{ value: 4 }, { value: -1 }, { value: 0 }]), [100, 25, 0]);
  assert.deepEqual(barWidths([{ value: 0 }]), [0]);
});

test('an unfinished word is shown as the words it was found as', () => {
  const title = ['Crawlers', ' and ', 'crawling', `craw${'l'.repeat(40)}`, 'Craw'].map((text) => ({
    ...{ text, isMatch: text !== ' and ' },
  }));
  const hits = [{ marked: { title, passages: [] } }] as unknown as Hit[];
  const word = { text: 'craw', terms: ['craw'], pages: 1, isIgnored: false };
  assert.deepEqual(completedWords(hits, { ...word, completions: ['crawl'] }), ['crawlers', 'crawling']);
  assert.deepEqual(completedWords(hits, word), []);
});

test('languages and kinds have names, also unknown ones', () => {
  assert.deepEqual([languageName('de'), languageName('und'), languageName('!')], ['German', 'Unknown', '!']);
  assert.deepEqual([kindName('page'), kindName('pdf')], ['Web page', 'PDF']);
});
