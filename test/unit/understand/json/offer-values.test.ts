// What `json` says about price and stock: the same as `product`, and nothing where the page says nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillSchema } from '../../../../src/understand/json/json-work.ts';
import { pageSource } from '../../../support/page-source.ts';
import { PRICES, SHAPES, SOLD_OUT, shopPage } from '../../../support/shop/shop-pages.ts';
import { jsonLd } from '../../../support/structured-data.ts';

const SCHEMA = {
  type: 'object',
  properties: { price: { type: 'number' }, originalPrice: { type: 'number' }, inStock: { type: 'boolean' } },
};
const read = (html: string): unknown => fillSchema(SCHEMA, { ...pageSource(html), html }, { confidence: 0.5 }).value;

for (const [shape, html] of Object.entries(SHAPES)) {
  test(`sold-out texts in ten languages are read (${shape})`, () => {
    for (const [language, text] of SOLD_OUT)
      assert.deepEqual(read(shopPage(language, html(text))), { price: 49.9, inStock: false }, text);
  });
}

test('the price to pay and the one before it are told apart, from those per unit, ranges and savings', () => {
  for (const [what, html, price, originalPrice] of PRICES)
    assert.deepEqual(
      read(shopPage('en', `<div><h1>Luna</h1>${html}<button>Add to cart</button></div>`)),
      { price, ...(originalPrice !== undefined && { originalPrice }) },
      what,
    );
});

test('a button to buy says nothing about the stock', () => {
  const html = shopPage('en', '<h1>Luna</h1><p>€59.00</p><button>Add to cart</button>');
  assert.deepEqual(read(html), { price: 59 });
});

test('the page corrects its data: a crossed-out price, a product that is sold out', () => {
  const data = jsonLd({
    '@type': 'Product',
    name: 'Luna',
    offers: { '@type': 'Offer', price: '89.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  });
  const shown = '<h1>Luna</h1><p><s>89,00 €</s> 59,00 €</p>';
  assert.deepEqual(read(shopPage('de', `${data}${shown}<p>Zurzeit leider ausverkauft</p>`)), {
    price: 59,
    originalPrice: 89,
    inStock: false,
  });
  assert.deepEqual(read(shopPage('de', `${data}<h1>Luna</h1><p>89,00 €</p>`)), { price: 89, inStock: true });
});
