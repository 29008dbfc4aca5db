// A large shop: JSON-LD as a graph, an old price that only the page shows, related products with prices of their own.
import { each, jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    name: 'Aurora Trail 32L Daypack',
    brand: 'Norrfell',
    sku: 'NF-AT32-GRN',
    price: 129.95,
    was: '159.95',
    stock: true,
    rating: 4.6,
    reviews: 212,
    text: 'A light pack for long days above the tree line, with a frame sheet that moves with your back.',
  },
  {
    name: 'Copperline Pour-Over Kettle 0.9 L',
    brand: 'Halden & Rye',
    sku: 'HR-KTL-09',
    price: 64,
    was: '79.00',
    stock: true,
    rating: 4.2,
    reviews: 58,
    text: 'A gooseneck kettle with a thermometer in the lid. Works on gas and induction.',
  },
  {
    name: 'Mistral Wireless Mouse',
    brand: 'Keyra',
    sku: 'KY-MS-0031',
    price: 24.5,
    was: '34.50',
    stock: false,
    rating: 3.9,
    reviews: 1204,
    text: 'Silent switches, two Bluetooth profiles and a battery that lasts for months.',
  },
  {
    name: 'Harbour Wool Throw',
    brand: 'Skerry Mill',
    sku: 'SKM-THR-140',
    price: 89,
    was: '110.00',
    stock: true,
    rating: 4.9,
    reviews: 33,
    text: 'Woven from British wool in a mill by the sea, with a fringe twisted by hand.',
  },
  {
    name: 'Tundra Kids Snow Boots',
    brand: 'Pinemarten',
    sku: 'PM-TSB-28',
    price: 49.99,
    was: '69.99',
    stock: false,
    rating: 4.4,
    reviews: 417,
    text: 'Warm to minus twenty. The liner comes out to dry on the radiator.',
  },
];

export const graphShop = pagesOf({
  kind: 'shop',
  name: 'graph-shop',
  items: ITEMS,
  url: ({ name }) => `https://www.fjordandfield.example/p/${slug(name)}`,
  schema: {
    title: 'Product',
    type: 'object',
    properties: {
      product_name: { title: 'Product Name', type: 'string' },
      price: { title: 'Price', type: 'number', description: 'Current price, without the currency' },
      currency: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, description: 'ISO 4217 code' },
      brand: { title: 'Brand', type: 'string' },
      sku: { title: 'Sku', type: 'string' },
      in_stock: { title: 'In Stock', type: 'boolean' },
      average_rating: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
      review_count: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
      old_price: {
        anyOf: [{ type: 'number' }, { type: 'null' }],
        default: null,
        description: 'Price before the discount',
      },
    },
    required: ['product_name', 'price', 'brand', 'sku', 'in_stock'],
  },
  jsonLd: ['product_name', 'price', 'currency', 'brand', 'sku', 'in_stock', 'average_rating', 'review_count'],
  html: (
    item,
    at,
  ) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${item.name} | Fjord & Field</title>
<meta property="og:title" content="${item.name}"><meta property="og:site_name" content="Fjord & Field"><meta name="description" content="${item.text}">
${jsonLdScript({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Organization',
      '@id': 'https://www.fjordandfield.example/#org',
      name: 'Fjord & Field',
      url: 'https://www.fjordandfield.example/',
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home' },
        { '@type': 'ListItem', position: 2, name: 'Sale' },
      ],
    },
    {
      '@type': 'Product',
      name: item.name,
      description: item.text,
      sku: item.sku,
      brand: { '@type': 'Brand', name: item.brand },
      image: [`https://www.fjordandfield.example/img/${item.sku}.jpg`],
      offers: {
        '@type': 'Offer',
        price: String(item.price),
        priceCurrency: 'EUR',
        availability: `https://schema.org/${item.stock ? 'InStock' : 'OutOfStock'}`,
        seller: { '@id': 'https://www.fjordandfield.example/#org' },
      },
      aggregateRating: { '@type': 'AggregateRating', ratingValue: String(item.rating), reviewCount: item.reviews },
    },
  ],
})}</head><body><div id="cookie">We use cookies. <button>Accept all</button></div>
<header><a href="/">Fjord & Field</a><nav><a href="/sale">Sale</a><a href="/outdoor">Outdoor</a><a href="/home">Home</a></nav></header>
<main><div class="pdp"><h1 class="pdp__title">${item.name}</h1><div class="pdp__price"><s class="price-was">€${item.was}</s> <span class="price-now">€${item.price.toFixed(2)}</span></div>
<p class="pdp__stock">${item.stock ? 'In stock, ships tomorrow' : 'Sold out'}</p><div class="pdp__text"><p>${item.text}</p><p>Free returns within 60 days. Read more about our repair service.</p></div></div>
<section><h2>You may also like</h2>${each(
    ITEMS.filter((_, other) => other !== at),
    (other) =>
      `<a class="tile" href="/p/${slug(other.name)}"><b>${other.name}</b><span>€${other.price.toFixed(2)}</span></a>`,
  )}</section></main><footer><p>© Fjord & Field 2026. Prices include VAT.</p></footer></body></html>`,
  expected: (item) => ({
    product_name: item.name,
    price: item.price,
    currency: 'EUR',
    brand: item.brand,
    sku: item.sku,
    in_stock: item.stock,
    average_rating: item.rating,
    review_count: item.reviews,
    old_price: Number(item.was),
  }),
});
