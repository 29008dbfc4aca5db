// Arrays of objects from a page without a language model: tables of one kind, cards, teams, price lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillFromPage } from '../../../../../src/understand/json/fill/fill.ts';
import { menuPages } from '../../../../support/menus/menu-pages.ts';
import { pageSource } from '../../../../support/page-source.ts';

type Kind = 'string' | 'number';
const listOf = (name: string, fields: Record<string, Kind>) => ({
  type: 'object',
  properties: {
    [name]: {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }])),
      },
    },
  },
});

function fill(html: string, name: string, fields: Record<string, Kind>, url = 'https://site.test/page') {
  const { value } = fillFromPage(listOf(name, fields), { ...pageSource(html, url), html }, { threshold: 0.5 });
  return (value as Record<string, unknown> | undefined)?.[name];
}

test('tables with the same header are one list, with the heading of each', () => {
  const table = (rows: string[][]) =>
    `<table><thead><tr><th>Train</th><th>Departure</th><th>Platform</th></tr></thead>${rows
      .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
      .join('')}</table>`;
  const html = `<title>Trains</title><h1>Trains</h1>
    <h2>Leeds</h2>${table([
      ['TP 12', '10:05', '4'],
      ['TP 14', '10:35', ''],
    ])}
    <h2>York</h2>${table([
      ['GC 7', '11:00', '1'],
      ['GC 9', '12:20', '2'],
      ['GC 11', '13:40', '2'],
    ])}
    <h2>Staff</h2><table><tr><th>Name</th><th>Shift</th></tr><tr><td>Ann</td><td>early</td></tr><tr><td>Bob</td><td>late</td></tr></table>`;
  assert.deepEqual(
    fill(html, 'trains', { train: 'string', departure: 'string', platform: 'string', section: 'string' }),
    [
      { train: 'TP 12', departure: '10:05', platform: '4', section: 'Leeds' },
      { train: 'TP 14', departure: '10:35', section: 'Leeds' },
      { train: 'GC 7', departure: '11:00', platform: '1', section: 'York' },
      { train: 'GC 9', departure: '12:20', platform: '2', section: 'York' },
      { train: 'GC 11', departure: '13:40', platform: '2', section: 'York' },
    ],
  );
});

const TEAMS: Record<string, string> = {
  'cards with classes that say nothing': `<div class="grid">${[
    ['Ann Lee', 'Head of Research'],
    ['Bob Stone', 'Designer'],
    ['Cora Díaz-Ruiz', 'Office manager'],
  ]
    .map(([name, role]) => `<div class="col"><img src="/x.jpg" alt=""><h3>${name}</h3><p>${role}</p></div>`)
    .join('')}</div>`,
  'list items with a line break': `<ul>${[
    ['Ann Lee', 'Head of Research'],
    ['Bob Stone', 'Designer'],
    ['Cora Díaz-Ruiz', 'Office manager'],
  ]
    .map(([name, role]) => `<li><strong>${name}</strong><br>${role}</li>`)
    .join('')}</ul>`,
  'figures in two sections': `<section class="board"><h2>Board</h2><figure><img src="/1.jpg"><figcaption><b>Ann Lee</b><span>Head of Research</span></figcaption></figure></section>
    <section class="staff"><h2>Staff</h2><figure><img src="/2.jpg"><figcaption><b>Bob Stone</b><span>Designer</span></figcaption></figure>
    <figure><img src="/3.jpg"><figcaption><b>Cora Díaz-Ruiz</b><span>Office manager</span></figcaption></figure></section>`,
};
for (const [what, body] of Object.entries(TEAMS)) {
  test(`a team: ${what}`, () => {
    const html = `<title>Our team</title><h1>Our team</h1><p>We are glad to meet you.</p>${body}`;
    assert.deepEqual(fill(html, 'people', { name: 'string', role: 'string' }), [
      { name: 'Ann Lee', role: 'Head of Research' },
      { name: 'Bob Stone', role: 'Designer' },
      { name: 'Cora Díaz-Ruiz', role: 'Office manager' },
    ]);
  });
}

test('cards in several parts of a page are one list', () => {
  const card = (name: string, price: string) => `<div class="card"><h3>${name}</h3><p class="cost">${price}</p></div>`;
  const html = `<title>Lamps</title><h1>Lamps</h1><section class="new"><h2>New</h2>${card('Arc', '$59')}${card('Brass', '$84')}</section>
    <section class="classic"><h2>Classic</h2>${card('Clip', '$19')}${card('Studio', '$139')}${card('Banker', '$99')}</section>`;
  assert.deepEqual(fill(html, 'lamps', { name: 'string', price: 'number', section: 'string' }), [
    { name: 'Arc', price: 59, section: 'New' },
    { name: 'Brass', price: 84, section: 'New' },
    { name: 'Clip', price: 19, section: 'Classic' },
    { name: 'Studio', price: 139, section: 'Classic' },
    { name: 'Banker', price: 99, section: 'Classic' },
  ]);
});

for (const { what, html, url, sections } of menuPages) {
  test(`dishes with prices: ${what}`, () => {
    const dishes = sections.flatMap(([, all]) => all);
    // Columns of bare numbers are prices only by their names.
    const isBare = what.includes('tables');
    const expected = dishes.map(([name, price, description]) => ({
      name,
      ...(typeof price === 'number' ? { price } : !isBare && { price: Object.values(price)[0] }),
      ...(description !== undefined && { description }),
    }));
    assert.deepEqual(fill(html, 'dishes', { name: 'string', price: 'number', description: 'string' }, url), expected);
  });
}

test('lines that end in a number are no prices where the page has none', () => {
  const html = `<title>Standings</title><h1>Standings</h1><table><tr><th>Club</th><th>Points</th></tr>
    <tr><td>Rovers</td><td>31</td></tr><tr><td>United</td><td>28</td></tr><tr><td>Albion</td><td>22</td></tr></table>`;
  assert.deepEqual(fill(html, 'clubs', { club: 'string', points: 'number', price: 'number' }), [
    { club: 'Rovers', points: 31 },
    { club: 'United', points: 28 },
    { club: 'Albion', points: 22 },
  ]);
});

test('a compound name in a row is not answered by a part of it', () => {
  const table = `<title>Lamps</title><h1>Lamps</h1><table><thead><tr><th>Lamp</th><th>Price</th><th>Shipping price</th></tr></thead>${[
    ['Luna', '€20', '€4'],
    ['Sol', '€30', '€5'],
  ]
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;
  const rows = (without: string) =>
    fill(table.replaceAll(without, 'Colour'), 'lamps', { name: 'string', price: 'number', shippingPrice: 'number' });
  assert.deepEqual(rows('nothing'), [
    { name: 'Luna', price: 20, shippingPrice: 4 },
    { name: 'Sol', price: 30, shippingPrice: 5 },
  ]);
  assert.deepEqual(rows('Shipping price'), [
    { name: 'Luna', price: 20 },
    { name: 'Sol', price: 30 },
  ]);
  assert.deepEqual(fill(table, 'lamps', { name: 'string', ceoName: 'string', lampPrice: 'number' }), [
    { name: 'Luna', lampPrice: 20 },
    { name: 'Sol', lampPrice: 30 },
  ]);
});

test('sentences under a heading that is called like the list are not its rows', () => {
  const read = (lines: string) => {
    const source = pageSource('<title>Our shop</title>', 'https://site.test/', `# Our shop\n\n## Lamps\n\n${lines}`);
    return fillFromPage(listOf('lamps', { name: 'string', price: 'number' }), source, { threshold: 0.5 }).value;
  };
  assert.equal(read('One of the lamps of our shop.\n\nAll of them are made here.'), undefined);
  assert.deepEqual(read('- Red lamp\n- Blue lamp'), { lamps: [{ name: 'Red lamp' }, { name: 'Blue lamp' }] });
});
