// A calendar of a venue: a day block and a body for each event, "sold out" as a badge, prices "from".
import { each, pagesOf, slug } from '../../labelled-page.ts';

const gig = (t: string, d: string, iso: string, time: string, price: number | null, sold: boolean, genre: string) => ({
  t,
  d,
  iso,
  time,
  price,
  sold,
  genre,
});
const ITEMS = [
  {
    v: 'The Boiler Room',
    gigs: [
      gig('Paper Lanterns', 'Fri 6 March 2026', '2026-03-06', '20:00', 14, false, 'Indie'),
      gig('Nadia Orlov Trio', 'Sat 14 March 2026', '2026-03-14', '19:30', 18.5, true, 'Jazz'),
      gig('Karaoke Night', 'Thu 19 March 2026', '2026-03-19', '21:00', null, false, 'Party'),
    ],
  },
  {
    v: 'Harbour Stage',
    gigs: [
      gig('Salt & Rope', 'Sun 3 May 2026', '2026-05-03', '18:00', 22, false, 'Folk'),
      gig('Night Ferry', 'Fri 15 May 2026', '2026-05-15', '20:30', 16, false, 'Electronic'),
      gig('Big Small Band', 'Sat 30 May 2026', '2026-05-30', '19:00', 25, true, 'Soul'),
    ],
  },
];

export const eventCalendarList = pagesOf({
  kind: 'listing',
  name: 'event-calendar-list',
  items: ITEMS,
  url: ({ v }) => `https://${slug(v)}.example/whats-on`,
  schema: {
    type: 'object',
    properties: {
      venue: { type: 'string' },
      events: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            artist: { type: 'string', description: 'headline act' },
            date: { type: 'string', format: 'date' },
            doors: { type: 'string' },
            ticketPrice: { type: 'number' },
            soldOut: { type: 'boolean' },
            genre: { type: 'string' },
            url: { type: 'string' },
          },
          required: ['artist', 'date'],
        },
      },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="en-GB"><head><title>What's on – ${item.v}</title><meta property="og:site_name" content="${item.v}"></head><body><header><a href="/">${item.v}</a></header><main><h1>What's on</h1><div class="listing">${each(item.gigs, (g) => `<div class="listing-row"><div class="listing-row__date">${g.d}</div><div class="listing-row__body"><h3 class="listing-row__title"><a href="/event/${slug(g.t)}">${g.t}</a></h3><span class="listing-row__genre">${g.genre}</span><span class="listing-row__doors">Doors ${g.time}</span></div><div class="listing-row__cta">${g.price === null ? '' : `<span class="listing-row__price">from £${g.price.toFixed(2)}</span>`}${g.sold ? '<span class="badge badge--sold">Sold out</span>' : '<a href="/buy">Buy tickets</a>'}</div></div>`)}</div></main></body></html>`,
  expected: (item) => ({
    venue: item.v,
    events: item.gigs.map((g) => ({
      artist: g.t,
      date: g.iso,
      doors: { anyOf: [g.time, `Doors ${g.time}`] },
      ticketPrice: g.price,
      soldOut: g.sold,
      genre: g.genre,
      url: `https://${slug(item.v)}.example/event/${slug(g.t)}`,
    })),
  }),
});
