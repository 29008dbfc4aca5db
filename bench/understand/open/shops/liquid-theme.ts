// A theme of a hosted shop: vendor above the title, money with a code, options as fieldsets, a product type in a script.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Merino Beanie',
    vendor: 'Loom & Fleece',
    price: '$38.00 CAD',
    n: 38,
    was: '$52.00 CAD',
    w: 52,
    colour: 'Heather',
    size: 'One size',
    off: '27%',
    sku: 'LF-BN-HTH',
  },
  {
    name: 'Alpine Wool Socks (2-pack)',
    vendor: 'Fernwood',
    price: '$24.50 CAD',
    n: 24.5,
    was: '$30.00 CAD',
    w: 30,
    colour: 'Charcoal',
    size: 'M',
    off: '18%',
    sku: 'FW-SK-2M',
  },
];

export const liquidTheme = pagesOf({
  kind: 'shop',
  name: 'liquid-theme',
  items: ITEMS,
  url: ({ name }) => `https://northlayer.example/products/${slug(name)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      vendor: { type: 'string', description: 'brand that makes the product' },
      price: { type: 'object', properties: { amount: { type: 'number' }, currency: { type: 'string' } } },
      compareAtPrice: { type: 'number' },
      selectedColor: { type: 'string' },
      inStock: { type: 'boolean' },
      sku: { type: 'string' },
      description: { type: 'string' },
      mainImage: { type: 'string', format: 'uri' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-CA"><head><title>${item.name} – Northlayer</title></head><body><div class="announcement-bar"><p>Free shipping over $75</p></div><header class="site-header"><a href="/" class="site-header__logo">Northlayer</a><a href="/cart">Cart (0)</a></header>
<main id="MainContent"><div class="product grid"><div class="product__media"><img src="//cdn.northlayer.example/files/${slug(item.name)}.jpg?v=1" alt="${item.name}"></div><div class="product__info-wrapper"><p class="product__text caption-with-letter-spacing">${item.vendor}</p><div class="product__title"><h1>${item.name}</h1></div>
<div class="price price--on-sale"><div class="price__container"><div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">${item.was}</s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale">${item.price}</span></div></div><span class="badge">Save ${item.off}</span></div>
<fieldset class="product-form__input"><legend class="form__label">Color: <span>${item.colour}</span></legend><input type="radio" checked><label>${item.colour}</label><label>Rust</label></fieldset><p class="product__inventory">In stock, ready to ship</p><button type="submit">Add to cart</button><p class="product__sku">SKU: ${item.sku}</p>
<div class="product__description rte"><p>Knitted from traceable wool on machines that are older than we are.</p></div></div></div></main><section><h2>You may also like</h2><ul><li><a href="/products/a">Liner Gloves</a><span class="price-item">$29.00 CAD</span></li><li><a href="/products/b">Neck Tube</a><span class="price-item">$26.00 CAD</span></li></ul></section></body></html>`,
  expected: (item) => ({
    title: item.name,
    vendor: item.vendor,
    price: { amount: item.n, currency: 'CAD' },
    compareAtPrice: item.w,
    selectedColor: item.colour,
    inStock: true,
    sku: item.sku,
    description: 'Knitted from traceable wool on machines that are older than we are.',
    mainImage: anyOf(`https://cdn.northlayer.example/files/${slug(item.name)}.jpg?v=1`),
  }),
});
