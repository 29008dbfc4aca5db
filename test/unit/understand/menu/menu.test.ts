// The menu of a page, from schema.org, the data of an ordering page, and what the page shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { menu as menuSchema } from '../../../../src/contracts/formats/menu.ts';
import { findMenu } from '../../../../src/understand/menu/menu.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const menuOf = (html: string, url = 'https://roma.test/menu', modifiers = false) =>
  findMenu(pageSource(html, url), modifiers);
const dishes = (menu: ReturnType<typeof menuOf>) =>
  menu?.sections.map(({ name, items }) => [name, items.map((item) => [item.name, item.price?.amount])]);

const RESTAURANT = jsonLd({
  '@type': 'Restaurant',
  name: 'Roma',
  servesCuisine: 'Italian',
  address: { '@type': 'PostalAddress', streetAddress: '1 Way', addressLocality: 'Bath' },
  hasMenu: {
    '@type': 'Menu',
    hasMenuSection: [
      {
        '@type': 'MenuSection',
        name: 'Pizza',
        hasMenuItem: [
          {
            '@type': 'MenuItem',
            name: 'Margherita',
            description: 'Tomato, mozzarella',
            offers: { '@type': 'Offer', price: '8.50', priceCurrency: 'GBP' },
            suitableForDiet: 'https://schema.org/VegetarianDiet',
            nutrition: { '@type': 'NutritionInformation', calories: '700 kcal' },
            menuAddOn: {
              '@type': 'MenuItem',
              name: 'Olives',
              offers: { '@type': 'Offer', price: 1, priceCurrency: 'GBP' },
            },
          },
          {
            '@type': 'MenuItem',
            name: 'Margherita',
            offers: { '@type': 'Offer', price: '10.50', priceCurrency: 'GBP' },
          },
        ],
        hasMenuSection: {
          '@type': 'MenuSection',
          name: 'White pizza',
          hasMenuItem: { '@type': 'MenuItem', name: 'Bianca' },
        },
      },
    ],
  },
});

test('schema.org: merchant, nested sections, items with price, diet and calories, ids of their own', () => {
  const menu = menuOf(RESTAURANT);
  assert.ok(menu);
  assert.deepEqual(menuSchema.parse(menu), menu);
  assert.deepEqual(menu.merchant, { name: 'Roma', type: 'Italian', location: '1 Way, Bath' });
  assert.deepEqual(dishes(menu), [
    [
      'Pizza',
      [
        ['Margherita', 8.5],
        ['Margherita', 10.5],
      ],
    ],
    ['White pizza', [['Bianca', undefined]]],
  ]);
  assert.equal(menu.currency, 'GBP');
  const [first, second] = menu.sections[0]!.items;
  assert.deepEqual([first?.dietary, first?.calories, first?.optionGroups], [['vegetarian'], 700, []]);
  assert.notEqual(first?.id, second?.id);
  assert.deepEqual(menuOf(RESTAURANT), menu, 'the same page gives the same ids');
});

test('options of the items are listed with `modifiers` only', () => {
  const [item] = menuOf(RESTAURANT, undefined, true)!.sections[0]!.items;
  assert.deepEqual(
    item?.optionGroups.map(({ name, options }) => [name, options.map((option) => [option.name, option.price?.amount])]),
    [['Extras', [['Olives', 1]]]],
  );
});

test('the data of an ordering page: sections, items, availability and options', () => {
  const html = `<title>Sushi Bar</title><meta property="og:site_name" content="Sushi Bar"><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(
    {
      props: {
        menu: {
          categories: [
            {
              name: 'Rolls',
              items: [
                { id: 'r1', name: 'Maki', price: 4.5, currency: 'EUR', isAvailable: false },
                {
                  id: 'r2',
                  name: 'Uramaki',
                  price: 6,
                  currency: 'EUR',
                  modifierGroups: [{ name: 'Sauce', options: [{ name: 'Soy', price: 0.5 }] }],
                },
                { id: 'r3', name: 'Temaki', price: 5, currency: 'EUR' },
              ],
            },
          ],
        },
      },
    },
  )}</script>`;
  const menu = menuOf(html, 'https://sushi.test/order', true);
  assert.deepEqual(dishes(menu), [
    [
      'Rolls',
      [
        ['Maki', 4.5],
        ['Uramaki', 6],
        ['Temaki', 5],
      ],
    ],
  ]);
  assert.deepEqual(menu?.merchant, { name: 'Sushi Bar' });
  const [maki, uramaki] = menu!.sections[0]!.items;
  assert.deepEqual([maki?.availability, maki?.identifiers], [{ inStock: false }, { merchantItemId: 'r1' }]);
  assert.equal(uramaki?.optionGroups[0]?.options[0]?.name, 'Soy');
});

test('what the page shows: blocks under headings, and tables', () => {
  const dish = (name: string, price: string, text = '') =>
    `<li><b>${name}</b> <span class="preis">${price}</span>${text}</li>`;
  const list = `<html lang="de"><title>Speisekarte | Zum Löwen</title><h1>Speisekarte</h1><h2>Vorspeisen</h2>
    <ul>${dish('Suppe', '4,50 €', '<p>mit Brot, vegan</p>')}${dish('Salat', '6,00 €')}</ul>
    <h2>Hauptgerichte</h2><ul>${dish('Schnitzel', '14,90 €')}${dish('Spätzle', '11,00 €')}</ul></html>`;
  const menu = menuOf(list, 'https://loewen.test/karte');
  assert.deepEqual(dishes(menu), [
    [
      'Vorspeisen',
      [
        ['Suppe', 4.5],
        ['Salat', 6],
      ],
    ],
    [
      'Hauptgerichte',
      [
        ['Schnitzel', 14.9],
        ['Spätzle', 11],
      ],
    ],
  ]);
  assert.equal(menu?.merchant.name, 'Zum Löwen');
  assert.deepEqual(
    [menu?.sections[0]?.items[0]?.description, menu?.sections[0]?.items[0]?.dietary],
    ['mit Brot, vegan', ['vegan']],
  );
  const table = `<title>Menu – Trattoria</title><h1>Our menu</h1><h2>Pizza</h2><table><tr><td>Margherita</td><td>tomato</td><td>$8.50</td></tr>
    <tr><td>Diavola</td><td>salami</td><td>$9.50</td></tr><tr><td>Marinara</td><td>garlic (v)</td><td>$7.00</td></tr></table>`;
  assert.deepEqual(dishes(menuOf(table)), [
    [
      'Pizza',
      [
        ['Margherita', 8.5],
        ['Diavola', 9.5],
        ['Marinara', 7],
      ],
    ],
  ]);
});

const NOT_MENUS: Record<string, [html: string, url?: string]> = {
  'the products of a shop': [
    `<title>Lamps</title><h1>Lamps</h1><ul>${['A', 'B', 'C', 'D'].map((name) => `<li><h3>Lamp ${name}</h3><span class="price">$1.00</span></li>`).join('')}</ul>`,
    'https://shop.test/lamps',
  ],
  'a page of a restaurant without dishes': [
    jsonLd({ '@type': 'Restaurant', name: 'Roma' }),
    'https://roma.test/contact',
  ],
  'a navigation menu': [
    '<title>Menu</title><nav><ul><li><a href="/a">A</a> $1</li><li><a href="/b">B</a> $2</li></ul></nav>',
  ],
  'an empty page': [''],
};
for (const [what, [html, url]] of Object.entries(NOT_MENUS)) {
  test(`${what} is no menu`, () => assert.equal(menuOf(html, url), undefined));
}
