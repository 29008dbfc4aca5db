// Homes for rent: a JSON-LD ItemList has names, addresses and links; rooms and deposit stand only in the cards.
import { each, jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const home = (name: string, rent: number, rooms: number, area: number) => ({ name, rent, rooms, area });
const ITEMS = [
  {
    city: 'Utrecht',
    homes: [
      home('Canal-side studio', 1150, 1, 34),
      home('Family flat near the park', 1980, 4, 96),
      home('Loft on Oudegracht', 2400, 3, 88),
    ],
  },
  {
    city: 'Ghent',
    homes: [
      home('Attic flat Patershol', 890, 2, 52),
      home('Row house with garden', 1450, 5, 130),
      home('New-build Dok Noord', 1190, 3, 75),
      home('Student room', 430, 1, 18),
    ],
  },
  { city: 'Porto', homes: [home('T2 in Cedofeita', 1250, 3, 80), home('T1 with river view', 1400, 2, 55)] },
  {
    city: 'Leipzig',
    homes: [
      home('Altbau Südvorstadt', 980, 3, 84),
      home('Maisonette Plagwitz', 1320, 4, 110),
      home('Two rooms Gohlis', 640, 2, 58),
      home('Garden flat Schleußig', 1120, 3, 79),
      home('Micro flat Zentrum', 520, 1, 26),
    ],
  },
  {
    city: 'Malmö',
    homes: [
      home('Seafront two-bed', 1350, 3, 74),
      home('Lilla Torg studio', 950, 1, 30),
      home('Villa in Limhamn', 2900, 6, 168),
    ],
  },
];

export const homesItemList = pagesOf({
  kind: 'listing',
  name: 'homes-item-list',
  items: ITEMS,
  url: ({ city }) => `https://rentalcompass.example/${slug(city)}/to-rent`,
  schema: {
    type: 'object',
    properties: {
      listings: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            monthly_rent: { type: 'number', description: 'Rent per month in euros' },
            bedrooms_total: { type: 'integer', description: 'number of rooms' },
            area_sqm: { type: 'number', description: 'Living area in square metres' },
            link: { type: 'string', format: 'uri' },
          },
        },
      },
      city: { type: 'string' },
    },
  },
  jsonLd: ['listings[].title', 'listings[].monthly_rent', 'listings[].link'],
  html: (
    item,
  ) => `<!doctype html><html lang="en"><head><title>${item.homes.length} homes to rent in ${item.city} | Rental Compass</title>${jsonLdScript(
    {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      numberOfItems: item.homes.length,
      itemListElement: item.homes.map(({ name, rent }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        item: {
          '@type': 'Apartment',
          name,
          url: `https://rentalcompass.example/home/${slug(name)}`,
          offers: { '@type': 'Offer', price: rent, priceCurrency: 'EUR' },
        },
      })),
    },
  )}</head><body><nav><a href="/">Rental Compass</a><a href="/landlords">For landlords</a></nav><h1>Homes to rent in ${item.city}</h1><p>City: ${item.city}</p>
<section>${each(
    item.homes,
    ({ name, rent, rooms, area }) =>
      `<article><a href="/home/${slug(name)}"><h2>${name}</h2></a><ul><li>€ ${rent.toLocaleString('en-US')} pcm</li><li>${rooms} ${rooms === 1 ? 'room' : 'rooms'}</li><li>${area} m²</li><li>Deposit: € ${(rent * 2).toLocaleString('en-US')}</li></ul><p>Available from 1 April. Pets on request.</p></article>`,
  )}</section><p>Get alerts for new homes in ${item.city}</p></body></html>`,
  expected: (item) => ({
    listings: item.homes.map(({ name, rent, rooms, area }) => ({
      title: name,
      monthly_rent: rent,
      bedrooms_total: rooms,
      area_sqm: area,
      link: `https://rentalcompass.example/home/${slug(name)}`,
    })),
    city: item.city,
  }),
});
