// market.test: a product, a menu and a list of products, with the data that shops and restaurants put into their pages.
import { reply, type Site } from './reply.ts';

const page = (title: string, data: object, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title><script type="application/ld+json">${JSON.stringify(data)}</script></head>
<body><main>${body}</main></body></html>`;

const TEAPOT = {
  '@context': 'https://schema.org',
  '@type': 'ProductGroup',
  name: 'Stoneware Teapot',
  description: 'A teapot for four cups, thrown by hand.',
  brand: { '@type': 'Brand', name: 'Harbour Pottery' },
  hasVariant: ['Blue', 'Green'].map((color) => ({
    '@type': 'Product',
    sku: `TP-${color.slice(0, 1)}`,
    color,
    offers: {
      '@type': 'Offer',
      price: color === 'Blue' ? '48.00' : '52.00',
      priceCurrency: 'GBP',
      availability: `https://schema.org/${color === 'Blue' ? 'InStock' : 'OutOfStock'}`,
    },
  })),
};

const DISHES = [
  ['Tomato soup', '£5.50', 'With bread, vegan'],
  ['Onion tart', '£7.00', 'With a green salad'],
];
const MAINS = [
  ['Fish pie', '£14.50', 'Cod, leek and mash'],
  ['Bean stew', '£11.00', 'With rice'],
];
const dishes = (list: string[][]) =>
  `<ul>${list.map(([name, price, text]) => `<li class="dish"><h3>${name}</h3><span class="price">${price}</span><p class="description">${text}</p></li>`).join('')}</ul>`;

export const market: Record<string, Site> = {
  'market.test': {
    '/teapot': reply(
      page(
        'Stoneware Teapot | Harbour Pottery',
        TEAPOT,
        '<h1>Stoneware Teapot</h1><p>A teapot for four cups, thrown by hand from local clay and glazed in our own kiln.</p><p class="price">£48.00</p>',
      ),
    ),
    '/menu': reply(
      page(
        'Menu | The Quay',
        {
          '@type': 'Restaurant',
          name: 'The Quay',
          servesCuisine: 'British',
          address: { '@type': 'PostalAddress', streetAddress: '2 Harbour Street', addressLocality: 'Whitby' },
        },
        `<h1>Menu</h1><h2>Starters</h2>${dishes(DISHES)}<h2>Mains</h2>${dishes(MAINS)}`,
      ),
    ),
    '/teapots': reply(
      page(
        'Teapots | Harbour Pottery',
        { '@type': 'CollectionPage', name: 'Teapots' },
        `<h1>Teapots</h1>${dishes(DISHES)}<p>All our teapots are made by hand, and no two of them are alike.</p>`,
      ),
    ),
  },
};
