// Single fields in the text of a page, where its data does not have them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFact, nameStems } from '../../../../src/understand/gather/find-facts.ts';
import { fieldOf } from '../../../../src/understand/json/schema/schema-field.ts';

function factIn(name: string, schema: object, markdown: string, others: string[] = []): unknown {
  const field = fieldOf({}, schema as Record<string, unknown>);
  const shared = new Set(others.flatMap(nameStems));
  const fact = findFact({ name, field, shared }, { url: 'https://a.test/', language: 'en', markdown, links: [] });
  if (fact) assert.ok(markdown.slice(fact.start, fact.end).trim() === markdown.slice(fact.start, fact.end));
  return fact?.value;
}

const number = (description?: string) => ({ type: 'number', description });
const text = { type: 'string' };

test('a label and its value are found, also among others in one line', () => {
  const line =
    'Town of X Total spending: $48,310,000 Streets: $8,240,000 Libraries: $2,115,000 Finance director: Rosa Lind';
  assert.equal(factIn('libraries', number('in dollars'), line), 2_115_000);
  assert.equal(factIn('financeDirector', text, '# Y\n\n- **Finance director:** Rosa Lind'), 'Rosa Lind');
  assert.equal(factIn('financeDirector', text, line), 'Rosa Lind');
  assert.equal(factIn('referee', text, 'Referee: Kim Bolt. The match was played in rain.'), 'Kim Bolt');
});

test('a cell is found by its row and column', () => {
  const table = '| Option | Type | Default |\n| --- | --- | --- |\n| port | number | 80 |\n| max_jobs | number | 256 |';
  assert.equal(factIn('maxJobs', { type: 'integer', description: 'default of max_jobs' }, table), 256);
  assert.equal(factIn('weight', text, '| Size | 20 cm |\n| --- | --- |\n| Weight | 6.8 kg |'), '6.8 kg');
});

test('in a sentence that names the field, the nearest number of the right kind counts', () => {
  const fees = 'The subscription for the season 2025/26 is £165, or £55 a term. Students pay £40 for the season.';
  const names = ['seasonSubscription', 'termSubscription', 'studentSubscription'];
  const found = names.map((name) =>
    factIn(
      name,
      number('in pounds'),
      fees,
      names.filter((other) => other !== name),
    ),
  );
  assert.deepEqual(found, [165, 55, 40]);
  assert.equal(
    factIn('openingDate', { type: 'string', format: 'date' }, 'The opening was moved to 18 July 2026.'),
    '2026-07-18',
  );
});

test('what the text does not name is not found', () => {
  assert.equal(factIn('vatNumber', text, 'Price: 5 EUR. Phone: 123. The VAT is included.'), undefined);
  assert.equal(factIn('libraries', number(), 'The town has 3 parks.'), undefined);
});

test('long texts of colons and cells take time in proportion to their length', () => {
  assert.equal(factIn('weight', text, 'a: '.repeat(100_000)), undefined);
  assert.equal(factIn('weight', text, '|a'.repeat(100_000)), undefined);
});

test('nothing is read from the addresses of links', () => {
  const link = 'See the [warranty years of the lamp](http://shop.test:8080/warranty/5).';
  assert.equal(factIn('warrantyYears', { type: 'integer' }, link), undefined);
});
