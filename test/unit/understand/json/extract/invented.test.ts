// What a model made up is left out of its answer and named; what it judged, chose or said in its own words stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standsOnPage } from '../../../../../src/understand/data/stands-on-page.ts';
import { leftOutWarnings, withoutInvented } from '../../../../../src/understand/json/extract/invented.ts';
import { finishAnswers } from '../../../../../src/understand/json/json-work.ts';

const PAGE = {
  url: 'https://shop.example/kettle',
  markdown:
    '# Blue kettle\n\nOnly 49,90 €, while it lasts. Since 3 March 2026.\n\nTags: tin, camping\n\n- Ann Lee, sales\n- Bo Ek, workshop',
  language: 'en',
};
const text = { type: 'string' };
const number = { type: 'number' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object) => ({ type: 'array', items });

function check(value: unknown, schema?: Record<string, unknown>, prompt?: string) {
  const { value: kept, left } = withoutInvented(
    value,
    { ...(schema && { schema }), ...(prompt && { prompt }) },
    standsOnPage(PAGE),
  );
  return { kept, warnings: leftOutWarnings('json', left) };
}

test('an invented value is left out and named, what was converted stays', () => {
  const schema = object({
    name: text,
    price: number,
    since: { type: 'string', format: 'date' },
    ceo: text,
    votes: number,
  });
  const answer = { name: 'blue  KETTLE', price: 49.9, since: '2026-03-03', ceo: 'Jane Roe', votes: 212 };
  assert.deepEqual(check(answer, schema), {
    kept: { name: 'blue  KETTLE', price: 49.9, since: '2026-03-03' },
    warnings: ['`json.ceo` and `json.votes` were left out: they do not stand on the page.'],
  });
  assert.deepEqual(check({ name: 'Blue kettle', ceo: 'Jane Roe' }).warnings, [
    '`json.ceo` was left out: it does not stand on the page.',
  ]);
});

test('truth values, choices, running text and what is to be put in other words are the judgement of the model', () => {
  const summary = 'For campers.';
  const schema = object({
    isSturdy: { type: 'boolean' },
    kind: { enum: ['pot', 'pan', 7] },
    material: { anyOf: [{ const: 'steel' }, { type: 'null' }] },
    note: text,
    summary: text,
    audience: { type: 'string', description: 'Classify who would buy it.' },
    title_de: { type: 'string', description: 'The title, translated to German' },
    topics: { ...list(text), description: 'Categorize the page' },
    score: { type: 'number', description: 'Sentiment from 0 to 1' },
    translator: text,
  });
  const answer = {
    ...{ isSturdy: true, kind: 7, material: 'steel', summary, audience: 'hikers', title_de: 'Blauer Kessel' },
    ...{ topics: ['outdoor'], score: 0.87 },
    note: 'It is one of those things which everybody who sleeps in a tent will want to have around.',
  };
  assert.deepEqual(check({ ...answer, translator: 'Eve Moe' }, schema), {
    kept: answer,
    warnings: ['`json.translator` was left out: it does not stand on the page.'],
  });
  assert.deepEqual(check({ name: 'Blauer Kessel', price: 77 }, undefined, 'Translate the name to German').kept, {
    name: 'Blauer Kessel',
  });
  assert.deepEqual(check({ answer: 'Probably.', isGood: 'yes' }, undefined, 'Is it good?').warnings, []);
});

test('invented entries of a list are dropped with all that they say, others lose only what was invented', () => {
  const person = object({ name: text, role: text, age: number, isBoss: { type: 'boolean' } });
  const people = [
    { name: 'Max Moe', role: 'sales', isBoss: true },
    { name: 'Ann Lee', role: 'queen', isBoss: true },
    { name: 'Bo Ek', role: 'workshop', age: 61 },
    { name: 'Eve Moe', age: 62 },
  ];
  assert.deepEqual(check({ people, tags: ['tin', 'gold'] }, object({ people: list(person), tags: list(text) })), {
    kept: {
      people: [
        { name: 'Ann Lee', isBoss: true },
        { name: 'Bo Ek', role: 'workshop' },
      ],
      tags: ['tin'],
    },
    warnings: [
      '`json.people[0].role`, `json.people[1].age`, 2 entries of `json.people` and an entry of `json.tags` were left out: they do not stand on the page.',
    ],
  });
  assert.deepEqual(check(people, list(person)).warnings, [
    '`json[0].role`, `json[1].age` and 2 entries of `json` were left out: they do not stand on the page.',
  ]);
});

test('what is required and left out is missing, or null where the schema allows it', () => {
  const schema = object(
    {
      name: text,
      ceo: { type: ['string', 'null'] },
      votes: number,
      address: object({ city: text, isHq: { type: 'boolean' } }),
    },
    { required: ['name', 'ceo', 'votes'] },
  );
  const answer = { name: 'Blue kettle', ceo: 'Jane Roe', votes: 212, address: { city: 'Oslo', isHq: true } };
  const { value, problems, leftOut, mistakes } = finishAnswers({ schema }, [answer], PAGE);
  assert.deepEqual(value, { name: 'Blue kettle', ceo: null });
  assert.deepEqual(problems, ['`votes` is missing']);
  assert.deepEqual(leftOut, [
    '`json.ceo`, `json.votes` and `json.address.city` were left out: they do not stand on the page.',
  ]);
  assert.deepEqual(mistakes, ['`ceo`, `votes` and `address.city` were left out: they do not stand on the page.']);
});

test('a value that one part of a page does not have is taken from the part that has it', () => {
  const schema = object({ name: text, price: number, people: list(object({ name: text })) });
  const answers = [
    { name: 'Red kettle', people: [{ name: 'Max Moe' }, { name: 'Ann Lee' }] },
    { name: 'Blue kettle', price: 50, people: [{ name: 'Bo Ek' }, { name: 'Eve Moe' }] },
  ];
  const { value, leftOut } = finishAnswers({ schema }, answers, PAGE);
  assert.deepEqual(value, { name: 'Blue kettle', people: [{ name: 'Ann Lee' }, { name: 'Bo Ek' }] });
  assert.deepEqual(leftOut, [
    '2 entries of `json.people` and `json.price` were left out: they do not stand on the page.',
  ]);
});

test('many names are cut, and names that all objects share are names like any other', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, `Nobody ${at}`]));
  assert.match(check(many).warnings[0]!, /^`json\.f0`, .* and 20 more were left out/);
  const hostile = JSON.parse('{"__proto__": {"a": "Nobody"}, "constructor": "tin", "a": null}');
  assert.deepEqual(JSON.stringify(check(hostile).kept), '{"constructor":"tin","a":null}');
});
