// How a text is cut for the reader, and which parts are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseWindows, windowsOf } from '../../../../src/encoders/reader/windows.ts';

const wordsOf = (text: string) =>
  [...text.matchAll(/\S+/g)].map(({ index, 0: word }) => ({ start: index, end: index + word.length, ids: [1] }));
const cut = (text: string, room: number, overlap = 0.35) =>
  windowsOf(text, wordsOf(text), { room, overlap }).map(({ from, to }) =>
    wordsOf(text)
      .slice(from, to)
      .map(({ start, end }) => text.slice(start, end))
      .join(' '),
  );

test('windows end at line ends where they can, and begin with a line of the one before', () => {
  assert.deepEqual(cut('a b c\nd e\nf\ng h i', 8), ['a b c d e f', 'f g h i']);
  assert.deepEqual(cut('a b c d e f g h', 5, 0.2), ['a b c d e', 'e f g h']);
});

test('every word stands in a window, however long, and the last window ends the text', () => {
  const text = 'one\ntwo three four five six seven\neight nine';
  for (const room of [1, 2, 3, 5, 100]) {
    const seen = new Set(cut(text, room).flatMap((window) => window.split(' ')));
    assert.equal(seen.size, 9, String(room));
  }
  assert.deepEqual(windowsOf('', [], { room: 5, overlap: 0.3 }), []);
  assert.equal(windowsOf('abc', [{ start: 0, end: 3, ids: [1, 2, 3, 4] }], { room: 2, overlap: 0.3 }).length, 1);
});

test('windows with words of the question and places to judge are read first', () => {
  const text = 'hello there. nothing here. the price is 5. other words.';
  const windows = [0, 13, 27, 43].map((start, at, all) => ({ start, end: all[at + 1] ?? text.length }));
  const question = { question: 'What is the price?', places: [] };
  assert.deepEqual(chooseWindows(text, windows, question, 1), [2]);
  assert.deepEqual(chooseWindows(text, windows, { ...question, places: [{ start: 43, end: 48 }] }, 2), [2, 3]);
  assert.deepEqual(chooseWindows(text, windows, question, 9), [0, 1, 2, 3]);
});
