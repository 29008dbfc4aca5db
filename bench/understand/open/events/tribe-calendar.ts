// An event of a WordPress calendar plug-in: definition lists for details, organiser and venue, microformats classes.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    title: 'Repair Café',
    day: 'April 18, 2026',
    iso: '2026-04-18',
    from: '10:00 am',
    to: '2:00 pm',
    f24: '10:00',
    t24: '14:00',
    cost: '$5',
    org: 'Eastside Tool Library',
    phone: '(503) 555-0147',
    venue: 'St. Mark Hall',
    street: '1425 SE Alder St',
    city: 'Portland',
    state: 'OR',
    zip: '97214',
    cat: 'Workshops',
  },
  {
    title: 'Seed Swap and Soup',
    day: 'March 7, 2026',
    iso: '2026-03-07',
    from: '6:30 pm',
    to: '9:00 pm',
    f24: '18:30',
    t24: '21:00',
    cost: '$12.50',
    org: 'Growers Guild',
    phone: '(541) 555-0102',
    venue: 'The Grange',
    street: '88 Mill Road',
    city: 'Corvallis',
    state: 'OR',
    zip: '97330',
    cat: 'Garden',
  },
];

export const tribeCalendar = pagesOf({
  kind: 'event',
  name: 'tribe-calendar',
  items: ITEMS,
  url: ({ title }) => `https://eastsidecommons.example/event/${slug(title)}/`,
  schema: {
    type: 'object',
    properties: {
      event_name: { type: 'string' },
      starts_at: { type: 'string', format: 'date-time' },
      ends_at: { type: 'string', format: 'date-time' },
      price: { type: 'number' },
      organizer: { type: 'object', properties: { name: { type: 'string' }, phone: { type: 'string' } } },
      venue: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          street: { type: 'string' },
          city: { type: 'string' },
          state: { type: 'string' },
          postal_code: { type: 'string' },
        },
      },
      category: { type: 'string' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="en-US"><head><title>${item.title} – Eastside Commons</title></head><body><header><a href="/">Eastside Commons</a></header><div id="tribe-events" class="tribe-events-single"><p class="tribe-events-back"><a href="/events/">« All Events</a></p>
<h1 class="tribe-events-single-event-title">${item.title}</h1><div class="tribe-events-schedule"><h2><span class="tribe-event-date-start">${item.day} @ ${item.from}</span> - <span class="tribe-event-time">${item.to}</span></h2><span class="tribe-events-cost">${item.cost}</span></div>
<div class="tribe-events-single-event-description"><p>Bring what is broken, or what you have too much of, and stay for coffee with your neighbours and our volunteers.</p></div>
<div class="tribe-events-meta-group tribe-events-meta-group-details"><h2 class="tribe-events-single-section-title">Details</h2><dl><dt class="tribe-events-start-date-label">Date:</dt><dd><abbr class="tribe-events-abbr dtstart" title="${item.iso}">${item.day}</abbr></dd><dt class="tribe-events-start-time-label">Time:</dt><dd><div class="tribe-recurring-event-time" title="${item.iso}">${item.from} - ${item.to}</div></dd><dt>Cost:</dt><dd class="tribe-events-event-cost">${item.cost}</dd><dt>Event Category:</dt><dd class="tribe-events-event-categories"><a href="/c/" rel="tag">${item.cat}</a></dd></dl></div>
<div class="tribe-events-meta-group tribe-events-meta-group-organizer"><h2 class="tribe-events-single-section-title">Organizer</h2><dl><dt style="display:none;"></dt><dd class="tribe-organizer"><a href="/organizer/x/">${item.org}</a></dd><dt>Phone</dt><dd class="tribe-organizer-tel">${item.phone}</dd></dl></div>
<div class="tribe-events-meta-group tribe-events-meta-group-venue"><h2 class="tribe-events-single-section-title">Venue</h2><dl><dt style="display:none;"></dt><dd class="tribe-venue">${item.venue}</dd><dd class="tribe-venue-location"><address class="tribe-events-address"><span class="tribe-address"><span class="tribe-street-address">${item.street}</span><br><span class="tribe-locality">${item.city}</span><span class="tribe-delimiter">,</span> <abbr class="tribe-region tribe-events-abbr" title="Oregon">${item.state}</abbr> <span class="tribe-postal-code">${item.zip}</span> <span class="tribe-country-name">United States</span></span></address></dd></dl></div></div></body></html>`,
  expected: (item) => ({
    event_name: item.title,
    starts_at: `${item.iso}T${item.f24}:00Z`,
    ends_at: `${item.iso}T${item.t24}:00Z`,
    price: Number(item.cost.slice(1)),
    organizer: { name: item.org, phone: item.phone },
    venue: { name: item.venue, street: item.street, city: item.city, state: item.state, postal_code: item.zip },
    category: item.cat,
  }),
});
