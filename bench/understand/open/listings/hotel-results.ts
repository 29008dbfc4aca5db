// Hotels: cards with data-testid names as large booking sites have them, scores in words, prices with hidden labels.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const hotel = (name: string, score: number, word: string, reviews: number, price: number, distance: string) => ({
  name,
  score,
  word,
  reviews,
  price,
  distance,
});
const ITEMS = [
  {
    city: 'Lisbon',
    hotels: [
      hotel('Casa do Miradouro', 9.1, 'Superb', 1204, 132, '0.8 km from centre'),
      hotel('Hotel Tejo Azul', 8.3, 'Very good', 356, 88, '2.1 km from centre'),
      hotel('Alfama Rooms', 7.9, 'Good', 97, 64, '1.2 km from centre'),
    ],
  },
  {
    city: 'Ghent',
    hotels: [
      hotel('The Old Bakery', 9.4, 'Superb', 512, 149, '400 m from centre'),
      hotel('Canal House', 8.8, 'Fabulous', 1890, 171, '0.3 km from centre'),
      hotel('Station Lodge', 7.2, 'Good', 2033, 79, '1.9 km from centre'),
      hotel('Park Inn Leie', 8.0, 'Very good', 640, 95, '1.1 km from centre'),
    ],
  },
];

export const hotelResults = pagesOf({
  kind: 'listing',
  name: 'hotel-results',
  items: ITEMS,
  url: ({ city }) => `https://staywell.example/search?city=${slug(city)}`,
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        hotel_name: { type: 'string' },
        review_score: { type: 'number' },
        review_count: { type: 'integer' },
        price_per_night: { type: 'number' },
        currency: { type: 'string' },
        distance: { type: 'string', description: 'distance from the centre' },
      },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="en"><head><title>Hotels in ${item.city}</title></head><body><header><a href="/">Staywell</a></header><main><h1>${item.city}: ${item.hotels.length} properties found</h1><div>${each(item.hotels, (h) => `<div data-testid="property-card" class="c066246e13"><div class="a1"><a data-testid="title-link" href="/hotel/${slug(h.name)}"><div data-testid="title" class="f6431b446c">${h.name}</div><div class="e2">Opens in new window</div></a><span data-testid="distance" class="ff1">${h.distance}</span></div><div data-testid="review-score"><div class="ac78a73c96" aria-label="Scored ${h.score.toFixed(1)}">${h.score.toFixed(1)}</div><div><div>${h.word}</div><div class="rc">${h.reviews.toLocaleString('en-US')} reviews</div></div></div><div class="pr"><div>1 night, 2 adults</div><span data-testid="price-and-discounted-price">€ ${h.price}</span><div>Includes taxes and charges</div></div></div>`)}</div></main></body></html>`,
  expected: (item) => ({
    '': item.hotels.map((h) => ({
      hotel_name: h.name,
      review_score: h.score,
      review_count: h.reviews,
      price_per_night: h.price,
      currency: 'EUR',
      distance: h.distance,
    })),
  }),
});
