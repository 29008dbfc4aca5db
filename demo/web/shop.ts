// The shop of the small web: one page a product, and a list of all.
import { escapeHtml, writePage } from './layout.ts';
import products from './products.json' with { type: 'json' };

export type Product = (typeof products)[number];

export const PRODUCTS: readonly Product[] = products;

export const priceOf = ({ price, ...product }: Product): string =>
  `£${price.toFixed(2)}${'unit' in product ? ` ${product.unit}` : ''}`;

export const productPath = ({ id }: Pick<Product, 'id'>): string => `/shop/${id}`;

export function writeShop(): Record<string, string> {
  const pages = PRODUCTS.map((product) => [productPath(product), writeProduct(product)]);
  return { '/shop/': writeList(), ...Object.fromEntries(pages) };
}

export const productCards = (): string => `<ul class="cards">${PRODUCTS.map(writeCard).join('\n')}</ul>`;

function writeList(): string {
  return writePage({
    title: 'Shop – Saltmarsh Chandlery',
    description: 'Lamps, rope, instruments and clothing for people who go out in weather.',
    main: `<h1>Shop</h1>
<p class="lead">Lamps, rope, instruments and clothing for people who go out in weather. Everything here has been to sea with one of us.</p>
${productCards()}
<p>All of it on paper: <a href="/price-list.pdf">the price list</a>.</p>`,
  });
}

const writeCard = (product: Product): string => `<li>
  <a href="${productPath(product)}"><img src="/images/${product.id}.svg" alt="${escapeHtml(product.name)}" width="320" height="240"></a>
  <h3><a href="${productPath(product)}">${escapeHtml(product.name)}</a></h3>
  <p class="price">${priceOf(product)}</p>
  <p>${escapeHtml(product.summary)}</p>
</li>`;

function writeProduct(product: Product): string {
  const { id, name, category, price, stock, summary, text, facts } = product;
  const rows = Object.entries(facts).map(([key, value]) => `<tr><th>${key}</th><td>${escapeHtml(value)}</td></tr>`);
  const offer = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    category,
    description: summary,
    sku: id,
    offers: {
      '@type': 'Offer',
      price: price.toFixed(2),
      priceCurrency: 'GBP',
      availability: `https://schema.org/${stock > 0 ? 'InStock' : 'OutOfStock'}`,
    },
  };
  return writePage({
    title: `${name} – Saltmarsh Chandlery`,
    description: summary,
    head: `<script type="application/ld+json">${JSON.stringify(offer)}</script>`,
    main: `<article class="product">
  <img src="/images/${id}.svg" alt="${escapeHtml(name)}" width="420" height="315">
  <div>
    <h1>${escapeHtml(name)}</h1>
    <p class="price">${priceOf(product)}</p>
    <p class="stock${stock > 0 ? '' : ' none'}">${stock > 0 ? `In stock: ${stock}` : 'Sold out'}</p>
    ${text.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n    ')}
    <button class="buy" type="button"${stock > 0 ? '' : ' disabled'}>Add to basket</button>
    <h2>Facts</h2>
    <table>${rows.join('')}</table>
    <p><a href="/shop/">All products</a></p>
  </div>
</article>`,
  });
}
