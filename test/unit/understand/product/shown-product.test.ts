// What a page shows beside its heading: sold-out texts in ten languages, prices old and new, utility classes, and what must
// not be taken for the product's own price or stock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOfferedProduct, findProduct } from '../../../../src/understand/product/product.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const SOLD_OUT: readonly (readonly [language: string, text: string])[] = [
  ['en', 'Sold out'],
  ['en', 'Currently unavailable. We don’t know when or if this item will be back in stock.'],
  ['en', 'This item is no longer available'],
  ['de', 'Ausverkauft'],
  ['de', 'Dieser Artikel ist zurzeit leider nicht lieferbar.'],
  ['fr', 'Épuisé'],
  ['fr', 'Ce produit n’est plus disponible'],
  ['fr', 'En rupture de stock'],
  ['es', 'Agotado temporalmente'],
  ['es', 'No disponible por el momento'],
  ['it', 'Esaurito'],
  ['it', 'Al momento non disponibile'],
  ['nl', 'Tijdelijk uitverkocht'],
  ['nl', 'Dit artikel is niet meer leverbaar'],
  ['pt', 'Produto esgotado'],
  ['pt', 'Indisponível'],
  ['pl', 'Produkt chwilowo niedostępny'],
  ['pl', 'Wyprzedane'],
  ['sv', 'Tillfälligt slut i lager'],
  ['ja', '現在在庫切れです'],
];
const IN_STOCK: readonly (readonly [language: string, text: string])[] = [
  ['en', 'Only 3 left in stock'],
  ['de', 'Auf Lager, in 2–3 Werktagen bei dir'],
  ['fr', 'En stock – expédié sous 24 h'],
  ['es', 'Disponible'],
  ['it', 'Disponibilità immediata'],
  ['nl', 'Op voorraad'],
  ['pt', 'Em estoque'],
  ['pl', 'Produkt dostępny'],
  ['sv', 'Finns i lager'],
  ['ja', '在庫あり'],
];

/** The rest of a shop's page, which says other things about other products. */
const RELATED = `<section class="mt-12"><h2 class="text-xl">You may also like</h2><div class="grid">
  <a class="block" href="/p/a"><p>Vase</p><p>€9.00</p><p>Sold out</p></a><a class="block" href="/p/b"><p>Bowl</p><p>€19.00</p><p>In stock</p></a></div></section>
  <section><h2>Reviews</h2><div><p>It was out of stock last year, now I have one.</p><p>Auf Lager</p></div></section>`;
const page = (language: string, main: string): string =>
  `<!doctype html><html lang="${language}"><head><title>Luna – Shop</title></head><body><header class="flex"><a href="/">Shop</a> <span>0,00 €</span></header><main class="grid">${main}</main>${RELATED}<footer>Sold out soon</footer></body></html>`;

/** Pages with the same facts: with telling names, with utility classes, as plain elements, as rows, with a button. */
const SHAPES: Readonly<Record<string, (stock: string) => string>> = {
  named: (stock) =>
    `<h1>Luna</h1><p class="price">49,90 €</p><p class="stock">${stock}</p><button>Add to cart</button>`,
  utility: (stock) =>
    `<div><img src="/luna.jpg" alt="Luna"></div><div class="flex flex-col gap-3"><h1 class="text-3xl font-bold">Luna</h1><div class="flex gap-2"><span class="text-2xl">49,90 €</span></div><p class="text-sm text-red-700">${stock}</p><button class="bg-black" disabled>Add to cart</button></div>`,
  plain: (stock) => `<div><h1>Luna</h1>49,90 €<br>${stock}<br><a href="#notify">Questions?</a></div>`,
  columns: (stock) =>
    `<div class="w-1/2"><img src="/luna.jpg"><h1>Luna</h1><p>A lamp.</p></div><div class="w-1/2"><div>49,90 €</div><div><span>●</span> <span>${stock}</span></div><button>Add to cart</button></div>`,
  button: (stock) => `<h1>Luna</h1><p>49,90 €</p><button disabled>${stock}</button>`,
};

for (const [shape, html] of Object.entries(SHAPES)) {
  for (const [language, text] of SOLD_OUT) {
    test(`"${text}" is not in stock (${language}, ${shape})`, () => {
      const variant = findProduct(pageSource(page(language, html(text))))?.variants[0];
      assert.equal(variant?.price?.amount, 49.9);
      assert.equal(variant.availability.inStock, false);
      assert.notEqual(variant.availability.text, undefined);
    });
  }
  for (const [language, text] of shape === 'button' ? [] : IN_STOCK) {
    test(`"${text}" is in stock (${language}, ${shape})`, () => {
      const { availability } = findProduct(pageSource(page(language, html(text))))!.variants[0]!;
      assert.deepEqual([availability.inStock, availability.text !== undefined], [true, true]);
    });
  }
}

const PRICES: readonly (readonly [what: string, html: string, price: number, original?: number])[] = [
  ['a line through by tag', '<p><del>89,00 €</del> 59,00 €</p>', 59, 89],
  [
    'a line through by class',
    '<div><span class="text-gray-500 line-through">89,00 €</span><span class="font-bold">59,00 €</span></div>',
    59,
    89,
  ],
  [
    'a line through by style',
    '<p><span style="text-decoration: line-through">89,00 €</span> <b>59,00 €</b></p>',
    59,
    89,
  ],
  [
    'the new price first',
    '<div class="flex"><p class="text-2xl">59,00 €</p><p class="line-through">89,00 €</p></div>',
    59,
    89,
  ],
  ['was and now', '<p>Was €89.00</p><p>Now €59.00</p>', 59, 89],
  ['a label of its own', '<div><span>UVP</span></div><div>89,00 €</div><div>59,00 €</div>', 59, 89],
  ['statt', '<p>statt 89,00 € nur 59,00 €</p>', 59, 89],
  ['au lieu de', '<p>59,00 € au lieu de 89,00 €</p>', 59, 89],
  ['antes', '<p>Antes 89,00 €</p><p>59,00 €</p>', 59, 89],
  ['invece di', '<p>59,00 € invece di 89,00 €</p>', 59, 89],
  ['van and voor', '<p>van € 89,00 voor € 59,00</p>', 59, 89],
  ['the lowest price of 30 days', '<p>59,00 €</p><p>Najniższa cena z 30 dni: 89,00 €</p>', 59, 89],
  ['an old price by name', '<p><span class="old-price">89,00 €</span><span>59,00 €</span></p>', 59, 89],
  ['a price per unit behind', '<p>59,00 €</p><p>€ 3,98 / kg</p>', 59],
  ['a price per unit before', '<p class="text-xs">3,98 € / 100 g</p><p class="text-2xl">59,00 €</p>', 59],
  ['a base price in brackets', '<p>59,00 € (1 kg = 3,98 €)</p>', 59],
  ['a range', '<p>59,00 € – 89,00 €</p>', 59],
  ['a range with one sign', '<p>59 – 89 €</p>', 59],
  ['a saving', '<p>Sie sparen 30,00 €</p><p>59,00 €</p>', 59],
  ['instalments', '<p>12 x 5,25 €</p><p>59,00 €</p><p>or 4 payments of €14.75</p>', 59],
  ['shipping', '<p>Free shipping over €49</p><p>59,00 €</p><p>4,90 € Versand</p>', 59],
  ['extras', '<p>59,00 €</p><p>Gift wrap +3,00 €</p>', 59],
  ['raised cents', '<p>59<sup>90</sup> €</p>', 59.9],
  ['cents apart', '<p><span>€</span><span>59</span><span>.</span><span>90</span></p>', 59.9],
];
for (const [what, html, price, original] of PRICES) {
  test(`prices: ${what}`, () => {
    const source = pageSource(page('en', `<div><h1>Luna</h1>${html}<button>Add to cart</button></div>`));
    const variant = findProduct(source)?.variants[0];
    assert.deepEqual([variant?.price?.amount, variant?.price?.currency], [price, 'EUR']);
    assert.equal(variant?.sale?.originalPrice.amount, original);
  });
}

test('nothing is said about the stock: true only beside a price and a button that can be pressed', () => {
  const read = (html: string) => findOfferedProduct(pageSource(page('en', html)));
  const open = read('<h1>Luna</h1><p>€59.00</p><button>Add to cart</button>');
  assert.deepEqual([open?.product.variants[0]?.availability, open?.isStockAssumed], [{ inStock: true }, true]);
  const off = read('<h1>Luna</h1><p>€59.00</p><button disabled>Add to cart</button>');
  assert.deepEqual(off?.product.variants[0]?.availability, { inStock: false });
  const data = read(
    `<h1>Luna</h1>${jsonLd({ '@type': 'Product', name: 'Luna', offers: { price: 59, priceCurrency: 'EUR' } })}`,
  );
  assert.deepEqual([data?.product.variants[0]?.availability, data?.isStockAssumed], [{ inStock: false }, true]);
  const said = read('<h1>Luna</h1><p>€59.00</p><p>In stock</p>');
  assert.equal(said?.isStockAssumed, false);
});

test('the data win unless the page contradicts them', () => {
  const data = (price: number, stock: string) =>
    jsonLd({ '@type': 'Product', name: 'Luna', offers: { price, priceCurrency: 'EUR', availability: stock } });
  const read = (html: string) => findProduct(pageSource(page('de', html)))!.variants[0]!;
  const shown = '<h1>Luna</h1><p><s>89,00 €</s> 59,00 €</p><p>Ausverkauft</p><button>In den Warenkorb</button>';
  const crossed = read(data(89, 'InStock') + shown);
  assert.deepEqual(
    [crossed.price?.amount, crossed.sale?.originalPrice.amount, crossed.availability],
    [59, 89, { inStock: false, text: 'Ausverkauft' }],
  );
  assert.equal(read(data(49, 'InStock') + shown).price?.amount, 59);
  const silent = read(`${data(59, 'OutOfStock')}<h1>Luna</h1><p>59,00 €</p><button>In den Warenkorb</button>`);
  assert.deepEqual(silent.availability, { inStock: false, text: 'OutOfStock' });
  const variants = read(
    `${data(59, 'InStock')}<h1>Luna</h1><p>ab 59,00 €</p><p>Groß: 79,00 €</p><button>In den Warenkorb</button>`,
  );
  assert.equal(variants.price?.amount, 59);
});

test('a page without telling names has its brand, number and picture, too', () => {
  const html = page(
    'de',
    `<div><img class="w-full" src="/luna.webp" alt="Luna"></div><div><a class="text-sm" href="/marken/nord">Nord</a><h1 class="text-3xl">Luna</h1>
     <div class="flex"><span class="line-through">89,00 €</span><span class="text-2xl">59,00 €</span></div><p>Lieferbar</p>
     <div class="divide-y"><div class="flex"><span>Material</span><span>Glas</span></div><div class="flex"><span>Artikelnummer</span><span>L-204</span></div></div></div>`,
  );
  const product = findProduct(pageSource(html));
  assert.equal(product?.brand, 'Nord');
  assert.deepEqual(product?.variants, [
    {
      sku: 'L-204',
      price: { amount: 59, currency: 'EUR', formatted: '59,00 €' },
      sale: { originalPrice: { amount: 89, currency: 'EUR', formatted: '89,00 €' } },
      availability: { inStock: true, text: 'Lieferbar' },
      images: [{ url: 'https://shop.test/luna.webp', alt: 'Luna' }],
    },
  ]);
});

const SILENT: Readonly<Record<string, string>> = {
  'a single card of another product': '<div class="mt-8"><a href="/p/z">Zeus</a><p>€12.00</p><p>Sold out</p></div>',
  'a size that is gone': '<label><input type="radio"> XL – sold out</label>',
  'a list of choices': '<select><option>Blue – sold out</option><option>Red</option></select>',
  'a sentence of the description': '<p>This lamp was sold out for years before we made it again for you.</p>',
  'a filter': '<aside><p>In stock</p><p>Sold out</p></aside>',
  'a script': '<script>var state = "Sold out";</script><template>Sold out</template>',
  'the seller': '<p>Vendido por Luz</p>',
};
for (const [what, html] of Object.entries(SILENT)) {
  test(`the stock of the product is not said by ${what}`, () => {
    const source = pageSource(page('en', `<div><h1>Luna</h1><p>€59.00</p><button>Add to cart</button></div>${html}`));
    assert.deepEqual(findProduct(source)?.variants[0]?.availability, { inStock: true });
  });
}
