// Answers and highlights without a model: sentences of the page, found by their words and by what stands above them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerPassages, highlightPassages } from '../../../../src/understand/passages/find-passages.ts';

const FERRY = `# Harbour Ferry

The Harbour Ferry connects the old town with **Gull Island**. [The crossing](/crossing) takes 25 minutes.

## Opening hours

The ticket office is open:

- Monday to Friday: 8:00 to 18:00
- Saturday: 9:00 to 14:00

## Fares

| Ticket | Single | Return |
| --- | --- | --- |
| Adult | €4.50 | €8.00 |
| Child | €2.00 | €3.50 |

### Can I take my dog?

Yes, on a lead. Large dogs need a muzzle.

\`\`\`sh
curl https://api.ferry.example/v1/departures
\`\`\``;

const answer = (question: string, markdown = FERRY, title = 'Harbour Ferry') =>
  answerPassages(markdown, { question, title }).spans.map(({ start, end }) => markdown.slice(start, end));

test('a sentence that has the words of the question answers it', () => {
  assert.deepEqual(answer('How long does the crossing take?'), ['[The crossing](/crossing) takes 25 minutes.']);
});

test('items, rows and answers count with the heading, label or header above them', () => {
  assert.ok(answer('When is the ticket office open on Saturday?').includes('Saturday: 9:00 to 14:00'));
  assert.deepEqual(answer('What does a child ticket cost?'), ['Child | €2.00 | €3.50']);
  assert.match(answer('Can I take a dog?').join(' '), /Yes, on a lead\./);
  assert.ok(!answer('Can I take a dog?').join(' ').includes('?'));
});

test('a question that the page does not answer has no passage', () => {
  for (const question of [
    'Who founded the company?',
    'Do you sell coffee?',
    'How many passengers fit on board?',
    '???',
  ]) {
    assert.deepEqual(answer(question), [], question);
  }
  assert.deepEqual(answerPassages('', { question: 'Anything?' }).spans, []);
});

test('highlights are verbatim and in the order of the page', () => {
  const spans = highlightPassages(FERRY, { question: 'dogs and children on the ferry' });
  assert.ok(spans.length > 1);
  assert.deepEqual(
    spans,
    spans.toSorted((a, b) => a.start - b.start),
  );
  assert.deepEqual(highlightPassages(FERRY, { question: 'zebra' }), []);
});

test('languages without spaces are answered, too', () => {
  const shop = '# 喫茶店\n\n当店は毎朝十時に開店します。定休日は月曜日です。駐車場はありません。';
  assert.deepEqual(answer('定休日はいつですか', shop, '喫茶店'), ['定休日は月曜日です。']);
});

test('addresses of links do not count as words of the page', () => {
  const page = '# List\n\n[One](https://a.example/price-of-gold-today)\n\nThe price of gold is not given here, sorry.';
  assert.deepEqual(answer('What is the price of gold?', page, 'List'), ['The price of gold is not given here, sorry.']);
});

test('a label that says the asked word in another word answers, in five languages', () => {
  for (const [language, question, answer, markdown] of [
    ['en', 'What does it cost?', 'Price: €49', '# Lamp\n\nPrice: €49\n\nWeight: 2 kg'],
    ['de', 'Wie hoch ist das Gehalt?', '**Vergütung:** 50.000 €', '# Stelle\n\n- **Vergütung:** 50.000 €\n- Ort: Köln'],
    [
      'fr',
      'Quel est le salaire ?',
      'Rémunération | 40 000 €',
      '# Poste\n\n| | |\n|---|---|\n| Rémunération | 40 000 € |',
    ],
    ['es', '¿Cuál es el precio?', 'Coste: 40 €', '# Lámpara\n\n- Coste: 40 €\n- Peso: 2 kg'],
    ['it', 'Qual è il prezzo?', 'Costo: 40 €', '# Lampada\n\nCosto: 40 €'],
  ] as const) {
    const { spans } = answerPassages(markdown, { question, language });
    assert.deepEqual(
      spans.map(({ start, end }) => markdown.slice(start, end)),
      [answer],
      language,
    );
  }
});

test('a label that means something else does not answer', () => {
  const { spans } = answerPassages('# Stelle\n\n- Arbeitsort: Köln\n- Beginn: sofort', {
    question: 'Wie hoch ist das Gehalt?',
    language: 'de',
  });
  assert.deepEqual(spans, []);
});
