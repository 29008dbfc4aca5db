import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestPassage, bestPassages } from '../../../../src/text/passages/passages.ts';
import { queryWords } from '../../../../src/text/words/terms.ts';

const PAGE = `Home | Products | Eiffel Tower | Tickets | Contact
The Eiffel Tower
The Eiffel Tower is a wrought-iron lattice tower on the Champ de Mars in Paris, France. It is named after the engineer Gustave Eiffel, whose company designed and built the tower from 1887 to 1889. Locally nicknamed "La dame de fer", it was constructed as the centerpiece of the 1889 World's Fair.
The tower received 5,889,000 visitors in 2022. It is the most visited monument with an entrance fee in the world.
The tower is 330 metres (1,083 ft) tall, about the same height as an 81-storey building. Its base is square, measuring 125 metres on each side. During its construction, the Eiffel Tower surpassed the Washington Monument to become the tallest human-made structure in the world, a title it held for 41 years until the Chrysler Building in New York City was finished in 1930.`;

const passage = (
  query: string,
  options: { phrases?: string[]; text?: string; language?: string; maxLength?: number } = {},
) =>
  bestPassage(
    options.text ?? PAGE,
    options.language ?? 'en',
    { words: queryWords(query), phrases: options.phrases ?? [] },
    options.maxLength,
  );

const answers: [question: string, answer: string][] = [
  ['how tall is the tower in metres', '330 metres'],
  ['who designed and built the tower', 'Gustave Eiffel'],
  ['how many visitors in 2022', '5,889,000'],
  ['what shape has the base', 'square'],
  ['what is the nickname of the tower', 'La dame de fer'],
  ['which monument did it surpass', 'Washington Monument'],
  ['world fair 1889', "World's Fair"],
];

for (const [question, answer] of answers) {
  test(`the passage for '${question}' contains the answer`, () => {
    const found = passage(question) ?? '';
    assert.ok(found.includes(answer), found);
    assert.ok(found.length <= 300);
  });
}

test('a sentence is preferred to a heading or a row of links with the same words', () => {
  assert.ok(passage('eiffel tower')!.startsWith('The Eiffel Tower is a wrought-iron lattice tower'));
  const links =
    'Solar panels | Solar batteries | Solar panels cost | Contact\nSolar panels cost less than they did ten years ago.';
  assert.equal(passage('solar panels cost', { text: links }), 'Solar panels cost less than they did ten years ago.');
});

test('a text without any of the words, or an empty one, has no passage', () => {
  assert.equal(passage('zebra'), undefined);
  assert.equal(passage(''), undefined);
  assert.equal(passage('tower', { text: '' }), undefined);
  assert.equal(passage('', { text: '', phrases: [''] }), undefined);
});

test('stop words count only if there are no other words', () => {
  const text = 'It is what it is and the rest of it is not. A zebra eats grass.';
  assert.equal(passage('what is the zebra', { text, maxLength: 30 }), 'A zebra eats grass.');
  assert.ok(passage('what is it', { text, maxLength: 50 })!.startsWith('It is what it is'));
});

test('the sentence with the exact phrase wins over one with the words alone', () => {
  const text = 'The fish was big and blue, a blue fish, a big big fish. We saw a big fish there.';
  assert.equal(passage('', { text, phrases: ['big fish there'], maxLength: 40 }), 'We saw a big fish there.');
});

test('two sentences that contain the words between them are joined, in text order', () => {
  const filler = 'Nothing of interest is said in this sentence at all, whoever may read it.\n'.repeat(5);
  const text = `Bees make honey.\n${filler}Wax is made by workers.`;
  assert.equal(passage('wax honey', { text }), 'Bees make honey. … Wax is made by workers.');
});

test('a passage includes neighbouring sentences but does not cross the end of a line', () => {
  const text = 'A title\nFirst comes this. The zebra eats grass. Then it sleeps.\nAnother block.';
  assert.equal(passage('zebra', { text }), 'First comes this. The zebra eats grass. Then it sleeps.');
});

test('a sentence that is too long is cut to the part with the words, at word borders', () => {
  const text = `${'lorem ipsum '.repeat(50)}the zebra eats green grass ${'dolor sit '.repeat(50)}`;
  const found = passage('zebra grass', { text, maxLength: 80 })!;
  assert.ok(found.includes('the zebra eats green grass'), found);
  assert.ok(found.length <= 80 && found.length > 60);
  assert.ok(` ${text} `.includes(` ${found} `), found);
});

test('words are found in other forms and languages', () => {
  assert.ok(passage('visitor receiving')!.includes('received 5,889,000 visitors'));
  const german = 'Die Stadt ist alt. Die Universitäten wurden später gegründet.';
  assert.equal(
    passage('Universität', { text: german, language: 'de', maxLength: 45 }),
    'Die Universitäten wurden später gegründet.',
  );
  const japanese = '京都は古い都です。東京は日本の首都です。大阪は商業の町です。';
  assert.equal(passage('日本の首都', { text: japanese, language: 'ja', maxLength: 12 }), '東京は日本の首都です。');
});

test('only the start of a very long text is searched, up to a whole word', () => {
  const filler = 'grass grows. '.repeat(20_000);
  assert.equal(passage('zebra', { text: `${filler}A zebra.` }), undefined);
  assert.equal(passage('zebra', { text: `A zebra.\n${filler}` }), 'A zebra.');
  const words = `${'x'.repeat(149_990)} zebra ${'zebra'.repeat(50)}`;
  assert.equal(passage('zebra', { text: words, maxLength: 20 }), 'zebra');
});

test('several passages come best first, do not overlap, and end when no sentence has the words', () => {
  const text = [
    'Olives ripen late. They are pressed in autumn. The press turns slowly.',
    'Nothing is said here about fruit at all, only about the weather of the coast.',
    'Olives and figs are sold at the same market. Figs spoil fast.',
  ].join('\n');
  const query = { words: queryWords('olives figs'), phrases: [] };
  const found = bestPassages(text, 'en', query, 5, 200);
  assert.deepEqual(
    found.map((passage) => passage.text),
    [
      'Olives and figs are sold at the same market. Figs spoil fast.',
      'Olives ripen late. They are pressed in autumn. The press turns slowly.',
    ],
  );
  assert.ok(found[0]!.score > found[1]!.score);
  assert.equal(bestPassages(text, 'en', query, 1, 200).length, 1);
  assert.ok(bestPassages(text, 'en', query, 9, 30).every((passage) => passage.text.length <= 30));
  assert.deepEqual(bestPassages('', 'en', query, 3, 200), []);
});
