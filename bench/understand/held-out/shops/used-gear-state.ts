// A market for used instruments: the state of the page in a script as an assignment, data attributes, prose by the seller.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'Orsini P-60 Bass, sunburst',
    maker: 'Orsini',
    year: 1978,
    condition: 'Good',
    cents: 189_900,
    seller: 'lowend_larry',
    place: 'Austin, TX',
    case: true,
  },
  {
    title: 'Weber & Klein Upright Piano',
    maker: 'Weber & Klein',
    year: 1964,
    condition: 'Fair',
    cents: 75_000,
    seller: 'pianobarn',
    place: 'Duluth, MN',
    case: false,
  },
  {
    title: 'Tanager TR-9 Drum Machine',
    maker: 'Tanager',
    year: 1984,
    condition: 'Excellent',
    cents: 412_550,
    seller: 'clockdivider',
    place: 'Oakland, CA',
    case: false,
  },
  {
    title: 'Silverline Student Flute',
    maker: 'Silverline',
    year: 2015,
    condition: 'Very Good',
    cents: 22_500,
    seller: 'bandmom3',
    place: 'Akron, OH',
    case: true,
  },
  {
    title: 'Mesquite 2x12 Guitar Cabinet',
    maker: 'Mesquite',
    year: 1999,
    condition: 'Good',
    cents: 34_900,
    seller: 'tubejunkie',
    place: 'Tulsa, OK',
    case: false,
  },
];

const dollars = (cents: number): string => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

export const usedGearState = pagesOf({
  kind: 'shop',
  name: 'used-gear-state',
  items: ITEMS,
  url: ({ title }) => `https://secondset.example/item/${slug(title)}`,
  schema: {
    title: 'UsedItem',
    type: 'object',
    properties: {
      listing_title: { type: 'string' },
      make: { type: 'string', description: 'Manufacturer' },
      year: { type: 'integer', description: 'Year made' },
      condition: { type: 'string' },
      asking_price: { type: 'number', description: 'in US dollars' },
      seller: { type: 'string', description: 'User name of the seller' },
      location: { type: 'string', description: 'Where the item is' },
      shipping_cost: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'Shipping within the US' },
      accepts_offers: { type: 'boolean' },
    },
    required: ['listing_title', 'asking_price'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.title} | Second Set</title><script>window.__STATE__ = ${JSON.stringify(
    {
      listing: {
        title: item.title,
        make: item.maker,
        condition: { slug: slug(item.condition), display_name: item.condition },
        price: { amount: dollars(item.cents), amount_cents: item.cents, currency: 'USD' },
        year: String(item.year),
        shop: { slug: item.seller },
        offers_enabled: true,
      },
      similar: [{ title: 'Something else', price: { amount: '10.00' } }],
      user: null,
    },
  )};</script></head><body><header><a href="/">Second Set</a><input placeholder="Search used gear"></header>
<div class="listing" data-price="${item.cents / 100}" data-currency="USD" data-condition="${slug(item.condition)}"><h1>${item.title}</h1><p><strong>${item.condition}</strong> · Used</p><p class="ask">$${dollars(item.cents)}</p><p>+ $45 Shipping</p>
<p>Sold by <a href="/shop/${item.seller}">${item.seller}</a></p><p>Located in ${item.place}</p>
<div class="story"><p>Selling because I am moving. Made by ${item.maker} in ${item.year}, and it has never left the house since I bought it. ${item.case ? 'Comes with its original case.' : 'No case, sorry.'} A few marks on the back, which you can see in the pictures.</p><p>Make me an offer, I accept reasonable ones. Cash on pickup is fine.</p></div>
<table><tr><th>Brand</th><td><a href="/b">${item.maker}</a></td></tr><tr><th>Condition</th><td>${item.condition} (Used)</td></tr><tr><th>Year</th><td>${item.year}</td></tr></table></div>
<h2>Similar listings</h2><div class="rail"><div>Something else <b>$10.00</b></div><div>Another thing <b>$2,000.00</b></div></div></body></html>`,
  expected: (item) => ({
    listing_title: item.title,
    make: item.maker,
    year: item.year,
    condition: anyOf(item.condition, `${item.condition} (Used)`),
    asking_price: item.cents / 100,
    seller: item.seller,
    location: item.place,
    shipping_cost: 45,
    accepts_offers: true,
  }),
});
