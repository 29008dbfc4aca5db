// The product of a page, from schema.org, shop data and what the page shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProduct } from '../../../../src/understand/product/product.ts';
import { pageSource } from '../../../support/page-source.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const productOf = (html: string, url?: string) => findProduct(pageSource(html, url));
const offer = (price: unknown, more: object = {}) => ({ '@type': 'Offer', price, priceCurrency: 'EUR', ...more });

test('schema.org: title, brand, category, images, price and availability', () => {
  const html = jsonLd({
    '@type': 'Product',
    name: 'Oak Lamp',
    brand: { '@type': 'Brand', name: 'Acme' },
    category: 'Lamps',
    description: 'A lamp.',
    sku: 'L-1',
    image: ['/a.jpg'],
    offers: offer('129.95', { availability: 'https://schema.org/OutOfStock' }),
  });
  assert.deepEqual(productOf(html), {
    title: 'Oak Lamp',
    url: 'https://shop.test/p/1',
    brand: 'Acme',
    category: 'Lamps',
    description: 'A lamp.',
    variants: [
      {
        sku: 'L-1',
        title: 'Oak Lamp',
        price: { amount: 129.95, currency: 'EUR' },
        availability: { inStock: false, text: 'OutOfStock' },
        images: [{ url: 'https://shop.test/a.jpg' }],
      },
    ],
  });
});

test('schema.org: variants of a group have their own values, prices and stock', () => {
  const variant = (color: string, price: number, stock: string) => ({
    '@type': 'Product',
    sku: color,
    color,
    size: 'M',
    offers: offer(price, { availability: stock }),
  });
  const html = jsonLd({
    '@type': 'ProductGroup',
    name: 'Shirt',
    variesBy: ['color'],
    hasVariant: [variant('red', 20, 'InStock'), variant('blue', 25, 'SoldOut')],
  });
  assert.deepEqual(
    productOf(html)?.variants.map(({ sku, values, price, availability }) => [
      sku,
      values,
      price?.amount,
      availability.inStock,
    ]),
    [
      ['red', { color: 'red', size: 'M' }, 20, true],
      ['blue', { color: 'blue', size: 'M' }, 25, false],
    ],
  );
});

test('schema.org: offers with names are variants, offers of several sellers are not; a range starts low', () => {
  const named = jsonLd({
    '@type': 'Product',
    name: 'Tea',
    offers: [offer(5, { name: '100 g' }), offer(9, { name: '250 g' })],
  });
  assert.deepEqual(
    productOf(named)?.variants.map(({ title }) => title),
    ['100 g', '250 g'],
  );
  const sellers = jsonLd({
    '@type': 'Product',
    name: 'Tea',
    offers: [offer(5, { seller: 'A' }), offer(6, { seller: 'B' })],
  });
  assert.deepEqual(
    productOf(sellers)?.variants.map(({ price }) => price?.amount),
    [5],
  );
  const range = jsonLd({
    '@type': 'Product',
    name: 'Tea',
    offers: { '@type': 'AggregateOffer', lowPrice: '4.00', highPrice: '9', priceCurrency: 'USD' },
  });
  assert.deepEqual(productOf(range)?.variants[0]?.price, { amount: 4, currency: 'USD' });
});

test('a price before the sale comes from the data or from the page, and only if it is higher', () => {
  const stated = jsonLd({
    '@type': 'Product',
    name: 'Tea',
    offers: offer(5, {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/ListPrice',
        price: 8,
        priceCurrency: 'EUR',
      },
    }),
  });
  assert.deepEqual(productOf(stated)?.variants[0]?.sale, { originalPrice: { amount: 8, currency: 'EUR' } });
  const shown = (old: string) =>
    `${jsonLd({ '@type': 'Product', name: 'Tea', offers: offer(5) })}<h1>Tea</h1><div class="price"><del>${old}</del> 5,00 €</div>`;
  assert.equal(productOf(shown('8,00 €'))?.variants[0]?.sale?.originalPrice.amount, 8);
  assert.equal(productOf(shown('4,00 €'))?.variants[0]?.sale, undefined);
  assert.equal(productOf(shown('$8.00'))?.variants[0]?.sale, undefined);
});

test('shop data: themes with prices in cents, variations of forms, the state of an application', () => {
  const theme = `<title>Mug – Shop</title><h1>Mug</h1><script type="application/json">${JSON.stringify({
    id: 1,
    title: 'Mug',
    handle: 'mug',
    vendor: 'Potter',
    price: 1850,
    options: ['Glaze'],
    variants: [
      { id: 11, title: 'Blue', option1: 'Blue', sku: 'M-B', price: 1850, compare_at_price: 2200, available: true },
      { id: 12, title: 'Green', option1: 'Green', sku: 'M-G', price: 1900, compare_at_price: null, available: false },
    ],
  })}</script><meta property="og:price:currency" content="GBP">`;
  const mug = productOf(theme);
  assert.equal(mug?.brand, 'Potter');
  assert.equal(mug?.variants[0]?.price?.currency, 'GBP');
  assert.deepEqual(
    mug?.variants.map(({ sku, values, price, sale, availability }) => [
      sku,
      values,
      price?.amount,
      sale?.originalPrice.amount,
      availability.inStock,
    ]),
    [
      ['M-B', { Glaze: 'Blue' }, 18.5, 22, true],
      ['M-G', { Glaze: 'Green' }, 19, undefined, false],
    ],
  );
  const form = `<h1>Hat</h1><form data-product_variations='${JSON.stringify([
    {
      variation_id: 7,
      sku: 'H-S',
      display_price: 12,
      display_regular_price: 15,
      is_in_stock: true,
      attributes: { attribute_pa_size: 's' },
    },
    {
      variation_id: 8,
      sku: 'H-L',
      display_price: 12,
      display_regular_price: 12,
      is_in_stock: false,
      attributes: { attribute_pa_size: 'l' },
    },
  ])}'></form>`;
  assert.deepEqual(
    productOf(form)?.variants.map(({ id, values, sale, availability }) => [
      id,
      values,
      sale?.originalPrice.amount,
      availability.inStock,
    ]),
    [
      ['7', { size: 's' }, 15, true],
      ['8', { size: 'l' }, undefined, false],
    ],
  );
  const state = `<h1>Chair</h1><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
    props: {
      related: [{ name: 'Table', price: 99 }],
      product: { name: 'Chair', price: { amount: '49.00', currencyCode: 'USD' }, inStock: true },
    },
  })}</script>`;
  assert.deepEqual(productOf(state)?.variants, [
    { title: 'Chair', price: { amount: 49, currency: 'USD' }, availability: { inStock: true } },
  ]);
});

test('what the page shows: title, price, brand, number and stock by their usual markup', () => {
  const html = `<html lang="de"><title>Kanne | Laden</title><h1>Kanne</h1><div class="produkt-preis">1.299,00 €</div>
    <p class="stock">Auf Lager</p><button>In den Warenkorb</button><dl><dt>Marke</dt><dd>Acme</dd><dt>Artikelnummer</dt><dd>K-9</dd></dl>
    <h2>Ähnliche</h2><ul><li><a href="/a">A</a> <span class="preis">1,00 €</span></li><li><a href="/b">B</a> <span class="preis">2,00 €</span></li></ul></html>`;
  const product = productOf(html);
  assert.equal(product?.title, 'Kanne');
  assert.equal(product?.brand, 'Acme');
  assert.deepEqual(product?.variants, [
    {
      sku: 'K-9',
      price: { amount: 1299, currency: 'EUR', formatted: '1.299,00 €' },
      availability: { inStock: true, text: 'Auf Lager' },
    },
  ]);
});

test('the first source wins, later ones fill its gaps', () => {
  const html = `${jsonLd({ '@type': 'Product', name: 'Lamp', offers: offer(50) })}<h1>Lamp</h1><meta property="og:title" content="Lamp">
    <meta property="product:price:amount" content="99"><meta property="product:brand" content="Acme"><p class="availability">In stock</p>`;
  const product = productOf(html);
  assert.equal(product?.variants[0]?.price?.amount, 50);
  assert.equal(product?.brand, 'Acme');
  assert.deepEqual(product?.variants[0]?.availability, { inStock: true, text: 'In stock' });
});

const NOT_PRODUCTS: Record<string, string> = {
  'a list of products in JSON-LD': jsonLd([
    { '@type': 'Product', name: 'A', offers: offer(1) },
    { '@type': 'Product', name: 'B', offers: offer(2) },
    { '@type': 'Product', name: 'C', offers: offer(3) },
  ]),
  'an ItemList': jsonLd({
    '@type': 'ItemList',
    itemListElement: [{ '@type': 'ListItem', item: { '@type': 'Product', name: 'A', offers: offer(1) } }],
  }),
  'cards of a category': `<title>Lamps</title><h1>Lamps</h1><ul>${['A', 'B', 'C'].map((name) => `<li class="card"><h3>${name}</h3><span class="price">$1.00</span><button>Add to cart</button></li>`).join('')}</ul>`,
  'an article that mentions a price': `<title>News</title><h1>Prices rise</h1><p>A loaf of bread costs <b>$4.00</b> now, in stock or not.</p>${jsonLd({ '@type': 'NewsArticle', headline: 'Prices rise' })}`,
  'a review of a product': jsonLd([
    { '@type': 'Article', headline: 'We tried the lamp' },
    { '@type': 'Product', name: 'Lamp', review: { '@type': 'Review', reviewBody: 'Good.' } },
  ]),
  'tickets for an event':
    '<title>Gig</title><h1>Gig</h1><p class="price">$25</p><a class="button" href="/t">Buy tickets</a>',
  'a price that readers cannot see': `<title>T</title><h1>T</h1><p>${'Some text of the page. '.repeat(20)}</p><div style="display:none"><p class="price">$5</p><button>Add to cart</button></div>`,
  'an empty page': '',
};
for (const [what, html] of Object.entries(NOT_PRODUCTS)) {
  test(`${what} is no product page`, () => assert.equal(productOf(html), undefined));
}

test('of several products, the one with the address or the title of the page is its product', () => {
  const list = [
    { '@type': 'Product', name: 'Other', url: 'https://shop.test/p/2', offers: offer(2) },
    { '@type': 'Product', name: 'Mine', url: 'https://shop.test/p/1?x=1', offers: offer(1) },
  ];
  assert.equal(productOf(jsonLd(list), 'https://shop.test/p/1?x=1')?.title, 'Mine');
  assert.equal(productOf(`<h1>Other</h1>${jsonLd(list)}`, 'https://shop.test/x')?.title, 'Other');
});
