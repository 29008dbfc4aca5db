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
