// A category page of a shop: cards with bare classes, some with a reduced price, an advertisement in between.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const card = (name: string, price: number, was: number | null = null, rating: number | null = null) => ({
  name,
  price,
  was,
  rating,
});
const ITEMS = [
  {
    title: 'Hiking boots',
    cards: [
      card('Ridge GTX Mid', 189, 219, 4.5),
      card('Fell Runner', 129.5, null, 4.1),
      card('Moor Low', 99),
      card('Summit Pro', 249.95, 299.95, 4.8),
      card('Lakeland Classic', 159, null, 3.9),
    ],
  },
  {
    title: 'Desk lamps',
    cards: [
      card('Arc One', 59, null, 4.4),
      card('Bankers Brass', 84.99, 99.99),
      card('Clip Mini', 19.5, null, 4.0),
      card('Studio Arm', 139, 149, 4.7),
    ],
  },
  {
    title: 'Board games',
    cards: [
      card('Tides of Trade', 39.99, null, 4.9),
      card('Fox & Hen', 14.95),
      card('Nine Bridges', 54, 60, 4.3),
      card('Orchard Thieves', 24.5, null, 4.2),
      card('Lighthouse', 31, null, 3.7),
      card('Cobble Street', 45.95, 49.95, 4.6),
    ],
  },
  {
    title: 'Rain jackets',
    cards: [card('Drizzle Shell', 79, 95, 4.2), card('Gale 3-Layer', 229), card('Packable Anorak', 64.5, null, 4.0)],
  },
  {
    title: 'Cookware',
    cards: [
      card('Carbon Steel Pan 28 cm', 44.9, null, 4.8),
      card('Stockpot 8 L', 72),
      card('Cast Iron Casserole', 1149.5, 1299, 4.9),
      card('Milk Pan', 23, null, 4.1),
      card('Steamer Insert', 18.75),
    ],
  },
];

const money = (value: number): string => `$${value.toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

export const cardGrid = pagesOf({
  kind: 'listing',
  name: 'card-grid',
  items: ITEMS,
  url: ({ title }) => `https://goodthings.example/c/${slug(title)}`,
  schema: {
    type: 'object',
    properties: {
      products: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            price: { type: 'number' },
            url: { type: 'string' },
            rating: { type: 'number' },
          },
          required: ['name', 'price'],
        },
      },
      category: { type: 'string' },
    },
    required: ['products'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.title} | Good Things</title></head><body><header><a href="/">Good Things</a><nav><a href="/c/new">New</a><a href="/c/sale">Sale</a></nav></header>
<h1>${item.title}</h1><div class="filters"><label><input type="checkbox"> On sale</label><label><input type="checkbox"> In stock</label> Sort by <select><option>Price</option><option>Rating</option></select></div>
<div class="grid">${each(
    item.cards,
    (card, at) =>
      `${at === 2 ? '<div class="promo"><a href="/club">Join the club and save 10 %</a></div>' : ''}<div class="card"><a class="card-link" href="/p/${slug(card.name)}"><img src="/i/${at}.jpg" alt="${card.name}"></a><h3 class="card-title"><a href="/p/${slug(card.name)}">${card.name}</a></h3>${card.rating === null ? '' : `<span class="card-rating">${card.rating} ★</span>`}<div class="card-price">${card.was === null ? '' : `<del>${money(card.was)}</del> `}<span class="now">${money(card.price)}</span></div><button>Add to basket</button></div>`,
  )}</div><footer><ul><li><a href="/help">Help</a></li><li><a href="/returns">Returns</a></li><li><a href="/jobs">Jobs</a></li></ul></footer></body></html>`,
  expected: (item) => ({
    products: item.cards.map(({ name, price, rating }) => ({
      name,
      price,
      url: `https://goodthings.example/p/${slug(name)}`,
      rating,
    })),
    category: item.title,
  }),
});
