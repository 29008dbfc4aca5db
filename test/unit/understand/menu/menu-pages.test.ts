// Menus in the markup of real restaurants, and pages that only look like menus.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { menu as menuSchema } from '../../../../src/contracts/formats/menu.ts';
import { findMenu } from '../../../../src/understand/menu/menu.ts';
import { type MenuPage, menuPages } from '../../../support/menus/menu-pages.ts';
import { noMenus } from '../../../support/menus/no-menus.ts';
import { pageSource } from '../../../support/page-source.ts';

const menuOf = (html: string, url: string, modifiers = true) => findMenu(pageSource(html, url), modifiers);

const shown = (menu: ReturnType<typeof menuOf>): MenuPage['sections'] | undefined =>
  menu?.sections.map(({ name, items }) => [
    name,
    items.map(({ name: dish, price, description, optionGroups }) => {
      const [sizes] = optionGroups;
      const prices = sizes && Object.fromEntries(sizes.options.map((size) => [size.name, size.price!.amount]));
      return [dish, prices ?? price!.amount, ...(description === undefined ? [] : [description])] as never;
    }),
  ]);

for (const { what, html, url, sections } of menuPages) {
  test(`${what}: every section, dish, price and description, and nothing else`, () => {
    const menu = menuOf(html, url);
    assert.deepEqual(shown(menu), sections);
    assert.deepEqual(menuSchema.parse(menu), menu);
  });
}

for (const [what, { html, url }] of Object.entries(noMenus)) {
  test(`no menu: ${what}`, () => assert.equal(menuOf(html, url), undefined));
}

test('several prices of a dish stand in the text of its price where options are not requested', () => {
  const { html, url } = menuPages.find(({ url: each }) => each.includes('speisekarte'))!;
  const drinks = menuOf(html, url, false)!.sections.at(-1)!;
  assert.deepEqual(drinks.items[0]?.price, { amount: 3.2, formatted: '0,3 l 3,20 / 0,5 l 4,60' });
  assert.deepEqual(drinks.items[0]?.optionGroups, []);
});

test('marks of diets behind a name are read, codes of allergens stay where they stand', () => {
  const html = `<title>Menu</title><h1>Lunch menu</h1><ul><li>Leek tart <sup>A, G</sup> 7.50</li><li>Dal (vg, gf) 8.50</li><li>Roast hake 14.00 (A, D)</li></ul>`;
  const items = menuOf(html, 'https://inn.test/lunch')!.sections[0]!.items;
  assert.deepEqual(
    items.map(({ name, description, dietary, price }) => [name, description, dietary, price?.amount]),
    [
      ['Leek tart A, G', undefined, [], 7.5],
      ['Dal (vg, gf)', undefined, ['vegan', 'gluten-free'], 8.5],
      ['Roast hake', '(A, D)', [], 14],
    ],
  );
});

test('numbers of dishes, sizes in columns, and a dash where a size is not sold', () => {
  const html = `<html lang="de"><title>Speisekarte</title><h1>Speisekarte</h1><h2>Pizza</h2><table><tr><th>Nr.</th><th>Sorte</th><th>26 cm</th><th>32 cm</th></tr>
    <tr><td>1</td><td>Margherita<br><small>Tomaten, Käse</small></td><td>7,50</td><td>9,00</td></tr>
    <tr><td>2</td><td>Salami</td><td>8,50</td><td>10,00</td></tr><tr><td>3</td><td>Tonno</td><td>9,00</td><td>-</td></tr></table>`;
  assert.deepEqual(shown(menuOf(html, 'https://gino.test/')), [
    [
      'Pizza',
      [
        ['1 Margherita', { '26 cm': 7.5, '32 cm': 9 }, 'Tomaten, Käse'],
        ['2 Salami', { '26 cm': 8.5, '32 cm': 10 }],
        ['3 Tonno', 9],
      ],
    ],
  ]);
});

test('Markdown with one dish a paragraph: the lines below a price describe it, lists within are no headings', () => {
  const html = `<title>BELLA VISTA - MAIN MENU</title><h1>BELLA VISTA - MAIN MENU</h1><p>APPETIZERS</p>
    <p>Bruschetta - $12\nThree varieties</p><ul><li>Tomato and basil</li><li>Mushroom</li></ul><p>Served with bread</p>
    <p>Calamari - $14\nFresh squid rings\nwith marinara sauce</p><p>MAIN COURSES</p><p>Osso Buco - $28\nBraised veal shanks</p>`;
  assert.deepEqual(shown(menuOf(html, 'https://bella.test/')), [
    [
      'APPETIZERS',
      [
        ['Bruschetta', 12, 'Three varieties'],
        ['Calamari', 14, 'Fresh squid rings with marinara sauce'],
      ],
    ],
    ['MAIN COURSES', [['Osso Buco', 28, 'Braised veal shanks']]],
  ]);
});
