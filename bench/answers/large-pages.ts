// Pages that make the answers of formats as large as their limits allow.
import { page, reply, type Site, send } from '../../test/support/web/reply.ts';

export const HOST = 'large.test';

const SENTENCE = 'The "quick" brown fox of São Paulo jumps over the lazy dog, and nobody knows why it does so. ';
const MB = 1024 * 1024;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const each = (count: number, write: (number: number) => string) => numbers(count).map(write).join('\n');
const jsonLd = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

const text = (bytes: number) => each(Math.ceil(bytes / (40 * SENTENCE.length)), () => `<p>${SENTENCE.repeat(40)}</p>`);

const offers = (price: number) => ({ '@type': 'Offer', price: `${price}.50`, priceCurrency: 'EUR' });

const products = {
  '@context': 'https://schema.org',
  '@graph': numbers(4_000).map((number) => ({
    '@type': 'Product',
    '@id': `https://large.test/p/${number}`,
    name: `Product ${number}`,
    description: SENTENCE.repeat(4),
    sku: `sku-${number}`,
    brand: { '@type': 'Brand', name: `Brand ${number % 50}` },
    offers: offers(number),
    isRelatedTo: { '@id': `https://large.test/p/${(number * 7) % 4_000}` },
  })),
};

const variants = {
  '@context': 'https://schema.org',
  '@type': 'ProductGroup',
  name: 'A shirt in every colour',
  description: SENTENCE.repeat(100),
  hasVariant: numbers(5_000).map((number) => ({
    '@type': 'Product',
    name: `Shirt ${number}`,
    color: `colour ${number}`,
    description: SENTENCE.repeat(5),
    offers: offers(number),
  })),
};

const menu = {
  '@context': 'https://schema.org',
  '@type': 'Restaurant',
  name: 'The large menu',
  hasMenu: {
    '@type': 'Menu',
    hasMenuSection: numbers(200).map((section) => ({
      '@type': 'MenuSection',
      name: `Section ${section}`,
      hasMenuItem: numbers(10).map((item) => ({
        '@type': 'MenuItem',
        name: `Dish ${section}.${item}`,
        description: SENTENCE.repeat(10),
        offers: offers(item),
      })),
    })),
  },
};

/** Short lines, all different from one visit to the next. */
const lines = (count: number, visit: number) =>
  page('Lines', `<pre>${each(count, (line) => `${visit}.${line % 7}`)}</pre>`);

const table = (rows: number) =>
  `<table><tr><th>Name</th><th>Price</th></tr>${each(rows, (row) => `<tr><td>Row ${row}</td><td>${row} EUR</td></tr>`)}</table>`;

export const largePages = (): Site => ({
  '/text': reply(() => page('Text', text(40 * MB))),
  '/file.bin': reply(() => Buffer.alloc(45 * MB, 0xa7), { type: 'application/octet-stream' }),
  '/links': reply(() =>
    page(
      'Links',
      each(200_000, (n) => `<a href="/articles/${n}/a-title-of-some-length">${n}</a>`),
    ),
  ),
  '/images': reply(() =>
    page(
      'Images',
      each(200_000, (n) => `<img src="/pictures/${n}/of-some-length.jpg" alt="Picture ${n}">`),
    ),
  ),
  '/attributes': reply(() =>
    page(
      'Attributes',
      each(100_000, (n) => `<i data-x="${'x'.repeat(300)}${n}"></i>`),
    ),
  ),
  '/data': reply(() => page('Data', `${jsonLd(products)}<h1>Products</h1>${table(2_000)}${text(MB)}`)),
  '/product': reply(() => page('Product', `${jsonLd(variants)}<h1>A shirt in every colour</h1>${text(MB)}`)),
  '/menu': reply(() => page('Menu', `${jsonLd(menu)}<h1>The large menu</h1>${text(MB)}`)),
  '/look': reply(() =>
    page(
      'Look',
      each(2_000, (n) => `<p style="color:rgb(${n % 256},9,9)"><button>${n}</button>${SENTENCE}</p>`),
    ),
  ),
  '/lines': (exchange) => send(exchange, lines(120_000, exchange.visit)),
});
