import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachSentence } from '../../../../src/text/passages/sentences.ts';

const sentencesOf = (text: string) => {
  const sentences: string[] = [];
  eachSentence(text, (start, end) => sentences.push(text.slice(start, end)));
  return sentences;
};

const cases: [what: string, sentences: string[], joint?: string][] = [
  ['full stops, exclamation and question marks end them', ['One is here.', 'Two!', 'Is three?', 'Four']],
  ['closing quotes and brackets belong to them', ['He said "no."', '(So it was.)', 'Then she left.']],
  [
    'titles, initials and abbreviations do not end them',
    ['Dr. J. R. Smith of Acme Inc. met Mrs. Jones, e.g. on Feb. 3, see fig. 2 in no. 4.', 'Then he left.'],
  ],
  ['numbers do not end them', ['It costs 3.14 euros, or 1.000 yen.', 'Version 2.0 is out.']],
  [
    'the day of a month does not end them',
    ['Die Messe beginnt am 3. April um 10 Uhr.', 'Er wurde 3.', 'Dann ging er.'],
  ],
  ['abbreviations in brackets do not end them', ['Tickets: 12 Euro (min. 2 Personen, max. 8).', 'Frei (bis 6.)']],
  ['a list number belongs to its item', ['1. Open the box.', '2. Close it.']],
  ['a lower-case letter continues the sentence', ['Yahoo! is a company.', 'He left … and came back.']],
  ['dots in host and file names do not end them', ['Read node.js at www.example.org today.', 'It works.']],
  ['a line break always ends one', ['A heading', 'Its text goes on here'], '\n'],
  ['ideographic stops need no space', ['東京は首都です。', '「本当？」', 'はい！'], ''],
  ['dandas and Arabic marks end them', ['यह एक है।', 'هل هذا كتاب؟', 'نعم.']],
];

for (const [what, sentences, joint = ' '] of cases) {
  test(`sentences: ${what}`, () => assert.deepEqual(sentencesOf(sentences.join(joint)), sentences));
}

test('whitespace around sentences is dropped, and an empty text has no sentences', () => {
  assert.deepEqual(sentencesOf('  One.  \n\n\t Two.\u00a0 '), ['One.', 'Two.']);
  assert.deepEqual(sentencesOf(' \n '), []);
});
