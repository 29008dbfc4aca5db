import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { stemEnglish } from '../../../../src/text/words/stemmer.ts';

const STEMS =
  'hope rat tr sky bee oxidi control logic possib ration syzygy fizz agre us tax cr infer multidimension'.split(' ');
const ENDINGS = (
  's es ies sses ed eed ing y ational tional enci anci izer bli abli logi alli entli eli ousli ization ation ator alism ' +
  'iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ' +
  'ment ent ion sion tion ou ism ate iti ous ive ize e ll lle yed ying bling ating izing tted lled'
).split(' ');

/** Each word with its stem by SQLite, an independent implementation. */
function stemsBySqlite(words: readonly string[]): Map<string, string> {
  using database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter ascii')");
  database.exec('CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)');
  const insert = database.prepare('INSERT INTO words(rowid, word) VALUES (?, ?)');
  for (const [index, word] of words.entries()) insert.run(BigInt(index), word);
  const rows = database.prepare('SELECT doc, term FROM stems').all() as { doc: number; term: string }[];
  return new Map(rows.map(({ doc, term }) => [words[doc]!, term]));
}

test('every rule gives the same stems as SQLite', () => {
  const words = STEMS.flatMap((stem) => ['', ...ENDINGS].map((ending) => stem + ending));
  const expected = stemsBySqlite([...new Set(words)]);
  const wrong = [...expected].filter(([word, stem]) => stemEnglish(word) !== stem);
  assert.deepEqual(wrong, []);
  assert.ok(expected.size > 1_000);
});

test('the examples of the Porter paper have the stems it gives', () => {
  const pairs =
    'caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled motoring motor sing sing ' +
    'conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed fizz failing fail ' +
    'filing file happy happi sky sky relational relat conditional condit rational ration digitizer digit operator oper ' +
    'feudalism feudal decisiveness decis hopefulness hope formality formal triplicate triplic formative form goodness good ' +
    'revival reviv allowance allow airliner airlin adjustable adjust replacement replac adoption adopt communism commun ' +
    'activate activ effective effect probate probat rate rate cease ceas controlling control roll roll';
  const words = pairs.split(' ');
  for (let at = 0; at < words.length; at += 2) assert.equal(stemEnglish(words[at]!), words[at + 1], words[at]);
});

test('short words and anything but lower-case ASCII letters are returned unchanged', () => {
  for (const word of ['', 'a', 'is', '1990s', 'Running', 'naïves', 'c++']) assert.equal(stemEnglish(word), word);
});
