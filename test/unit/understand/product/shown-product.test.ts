// What a page shows beside its heading: sold-out texts in ten languages, prices old and new, utility classes, and what must
// not be taken for the product's own price or stock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOfferedProduct, findProduct } from '../../../../src/understand/product/product.ts';
import { pageSource } from '../../../support/page-source.ts';
import { IN_STOCK, PRICES, SHAPES, SOLD_OUT, shopPage } from '../../../support/shop/shop-pages.ts';
import { jsonLd } from '../../../support/structured-data.ts';

for (const [shape, html] of Object.entries(SHAPES)) {
  for (const [language, text] of SOLD_OUT) {
    test(`"${text}" is not in stock (${language}, ${shape})`, () => {
      const variant = findProduct(pageSource(shopPage(language, html(text))))?.variants[0];
      assert.equal(variant?.price?.amount, 49.9);
      assert.equal(variant.availability.inStock, false);
      assert.notEqual(variant.availability.text, undefined);
    });
  }
  for (const [language, text] of shape === 'button' ? [] : IN_STOCK) {
    test(`"${text}" is in stock (${language}, ${shape})`, () => {
      const { availability } = findProduct(pageSource(shopPage(language, html(text))))!.variants[0]!;
      assert.deepEqual([availability.inStock, availability.text !== undefined], [true, true]);
    });
  }
}

for (const [what, html, price, original] of PRICES) {
  test(`prices: ${what}`, () => {
    const source = pageSource(shopPage('en', `<div><h1>Luna</h1>${html}<button>Add to cart</button></div>`));
    const variant = findProduct(source)?.variants[0];
    assert.deepEqual([variant?.price?.amount, variant?.price?.currency], [price, 'EUR']);
    assert.equal(variant?.sale?.originalPrice.amount, original);
  });
}

test('nothing is said about the stock: true only beside a price and a button that can be pressed', () => {
  const read = (html: string) => findOfferedProduct(pageSource(shopPage('en', html)));
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
  const read = (html: string) => findProduct(pageSource(shopPage('de', html)))!.variants[0]!;
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
  const html = shopPage(
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
  'a size among buttons': '<div><button>M</button><button disabled>XL sold out</button></div>',
  'a list of choices': '<select><option>Blue – sold out</option><option>Red</option></select>',
  'a sentence of the description': '<p>This lamp was sold out for years before we made it again for you.</p>',
  'a filter': '<aside><p>In stock</p><p>Sold out</p></aside>',
  'a script': '<script>var state = "Sold out";</script><template>Sold out</template>',
  'the seller': '<p>Vendido por Luz</p>',
};
for (const [what, html] of Object.entries(SILENT)) {
  test(`the stock of the product is not said by ${what}`, () => {
    const source = pageSource(
      shopPage('en', `<div><h1>Luna</h1><p>€59.00</p><button>Add to cart</button></div>${html}`),
    );
    assert.deepEqual(findProduct(source)?.variants[0]?.availability, { inStock: true });
  });
}

test('an event that is sold out is no product', () => {
  const event = jsonLd({ '@type': 'MusicEvent', name: 'Luna', startDate: '2026-12-01' });
  assert.equal(findProduct(pageSource(shopPage('en', `${event}<h1>Luna</h1><p>€25.00</p><p>Sold out</p>`))), undefined);
});

test('sources that are less certain than asked for are not used', () => {
  const shown = '<h1>Luna</h1><p>€59.00</p><p>In stock</p><button>Add to cart</button>';
  const stated = jsonLd({ '@type': 'Product', name: 'Luna', sku: 'L-1', offers: { price: 59, priceCurrency: 'EUR' } });
  const read = (html: string, threshold?: number) => findOfferedProduct(pageSource(shopPage('en', html)), threshold);
  assert.equal(read(shown)?.product.variants[0]?.price?.amount, 59);
  assert.equal(read(shown, 0.9), undefined);
  const both = read(shown + stated, 0.9);
  assert.deepEqual([both?.product.variants[0]?.sku, both?.product.variants[0]?.price?.amount], ['L-1', 59]);
  // A price that a text mentions may be nothing that is sold.
  const text = '<h1>Luna</h1><p>€59.00</p>';
  assert.deepEqual([read(text), read(text, 0)?.product.variants[0]?.price?.amount], [undefined, 59]);
});

test('each value is as certain as the source that says it', () => {
  const stated = jsonLd({ '@type': 'Product', name: 'Luna', offers: { price: 59, priceCurrency: 'EUR' } });
  const found = findOfferedProduct(pageSource(shopPage('en', `<h1>Luna</h1><p>€59.00</p><p>Sold out</p>${stated}`)));
  assert.deepEqual(found?.origins['variants[0].price.amount'], { text: '€59.00', confidence: 0.95 });
  assert.deepEqual(found?.origins['variants[0].availability.text'], { text: '', confidence: 0.75 });
});
