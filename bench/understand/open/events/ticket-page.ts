// A ticket seller: sections with headings ("Date and time", "Location"), a range of prices, refund policy, organiser card.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    t: 'Indie Game Night',
    sum: 'Play twelve unreleased games and meet the people behind them.',
    when: 'Thursday, 21 May 2026',
    from: '19:00',
    to: '23:00',
    iso: '2026-05-21',
    venue: 'Pixel Hall',
    addr: '12 Dock Street, Leith EH6 6RS',
    low: 8,
    high: 15,
    org: 'Scottish Game Makers',
    age: '18+',
  },
  {
    t: 'Intro to Letterpress',
    sum: 'Set type by hand and print your own card on a press from 1911.',
    when: 'Saturday, 7 February 2026',
    from: '10:30',
    to: '16:00',
    iso: '2026-02-07',
    venue: 'Print Shed',
    addr: '3 Mill Lane, Bath BA1 5LQ',
    low: 45,
    high: 60,
    org: 'The Ink Collective',
    age: '14+',
  },
];

export const ticketPage = pagesOf({
  kind: 'event',
  name: 'ticket-page',
  items: ITEMS,
  url: ({ t }) => `https://ticketly.example/e/${slug(t)}-tickets-55`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      summary: { type: 'string' },
      startDateTime: { type: 'string', format: 'date-time' },
      endDateTime: { type: 'string', format: 'date-time' },
      venueName: { type: 'string' },
      venueAddress: { type: 'string' },
      organizer: { type: 'string' },
      minPrice: { type: 'number' },
      maxPrice: { type: 'number' },
      ageRestriction: { type: 'string' },
      refundPolicy: { type: 'string' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-GB"><head><title>${item.t} Tickets | Ticketly</title></head><body><header><a href="/">Ticketly</a><a href="/create">Create events</a></header><main><div class="event-hero"><img src="/h.jpg" alt=""></div><div class="event-details"><time class="start-date" datetime="${item.iso}">${item.when.split(',')[1]!.trim()}</time><h1 class="event-title">${item.t}</h1><p class="summary">${item.sum}</p><div class="organizer-brief"><span>By</span> <a href="/o/${slug(item.org)}">${item.org}</a> <span>312 followers</span></div>
<section><h2>Date and time</h2><p>${item.when} · ${item.from} - ${item.to} GMT</p></section><section><h2>Location</h2><p class="location-info__address-text">${item.venue}</p><div class="location-info__address">${item.addr}</div></section><section><h2>Good to know</h2><ul><li>Ages: ${item.age}</li><li>In person</li></ul></section><section><h2>Refund Policy</h2><p>Refunds up to 7 days before event</p></section></div><div class="conversion-bar"><div>£${item.low} – £${item.high}</div><button>Get tickets</button></div></main><aside><h2>Other events you may like</h2><ul><li><a href="/e/1">Pub Quiz</a> Fri, 1 May · £5</li><li><a href="/e/2">Open Mic</a> Sun, 3 May · Free</li></ul></aside></body></html>`,
  expected: (item) => ({
    name: item.t,
    summary: item.sum,
    startDateTime: `${item.iso}T${item.from}:00Z`,
    endDateTime: `${item.iso}T${item.to}:00Z`,
    venueName: item.venue,
    venueAddress: anyOf(item.addr, `${item.venue}, ${item.addr}`),
    organizer: item.org,
    minPrice: item.low,
    maxPrice: item.high,
    ageRestriction: item.age,
    refundPolicy: 'Refunds up to 7 days before event',
  }),
});
