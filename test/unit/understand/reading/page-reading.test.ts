// Where values stand in the text of a page, and the questions that fields stand for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldQuestion } from '../../../../src/understand/reading/field-question.ts';
import { labelBefore, pageText, placesOf } from '../../../../src/understand/reading/page-reading.ts';

const TEXT = 'Lamp Ada\nPrice\n€ 49.90\nDelivery: € 4.90 (lamp  ada)';

test('a value is found as whole words, whatever its case and white space', () => {
  const found = (value: string) => placesOf(TEXT, value).map(({ start, end }) => TEXT.slice(start, end));
  assert.deepEqual(found('Lamp Ada'), ['Lamp Ada', 'lamp  ada']);
  assert.deepEqual(found('4.90'), ['4.90']);
  assert.deepEqual(found('amp'), []);
  assert.deepEqual(found(' '), []);
  assert.deepEqual(placesOf('a (b) a.b', '(b)').length, 1);
});

test('the label of a value stands before it, else above it', () => {
  assert.equal(labelBefore(TEXT, TEXT.indexOf('4.90 (')), 'Delivery: €');
  assert.equal(labelBefore(TEXT, TEXT.indexOf('€ 49')), 'Price');
  assert.equal(labelBefore(TEXT, 0), '');
});

test('a page without HTML is read from its Markdown', () => {
  const source = {
    url: 'https://a.test/',
    title: 'A',
    markdown: '# Lamp\n\n- **Weight:** [2 kg](https://a.test/kg)\n',
  };
  const { title, text, pieces } = pageText(source);
  assert.deepEqual([title, text], ['A', 'Lamp\nWeight: 2 kg']);
  assert.ok(pieces.some(({ start, end }) => text.slice(start, end) === '2 kg'));
});

test('a field is asked for by its description, if that is a name, else by its own name', () => {
  assert.equal(fieldQuestion('price', 'Price of the car'), 'What is the price of the car?');
  assert.equal(fieldQuestion('shippingPrice', ''), 'What is the shipping price?');
  assert.equal(fieldQuestion('isbn_13', 'ISBN-13'), 'What is the ISBN-13?');
  assert.equal(fieldQuestion('author', ''), 'Who is the author?');
  assert.equal(fieldQuestion('x', 'How tall is he?'), 'How tall is he?');
  const long = 'everything that the page says about what the thing costs in any currency whatsoever';
  assert.equal(fieldQuestion('total_cost', long), 'What is the total cost?');
});
