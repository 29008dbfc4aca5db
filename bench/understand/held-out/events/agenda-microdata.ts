// A Dutch agenda with microdata for the event; the price and the language are plain text.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    naam: 'Wandeling langs de Vecht',
    start: '2026-04-25T10:30',
    eind: '2026-04-25T13:00',
    plek: 'Slot Zuylen',
    plaats: 'Oud-Zuilen',
    prijs: '€ 7,50',
    getal: 7.5,
    organisator: 'Natuurgroep Vecht',
    taal: 'Nederlands',
  },
  {
    naam: 'Open atelierroute',
    start: '2026-06-06T11:00',
    eind: '2026-06-07T17:00',
    plek: 'Diverse ateliers',
    plaats: 'Deventer',
    prijs: 'gratis',
    getal: 0,
    organisator: 'Kunstkring IJssel',
    taal: 'Nederlands',
  },
  {
    naam: 'Workshop zeefdruk',
    start: '2026-03-21T13:00',
    eind: '2026-03-21T16:30',
    plek: 'De Drukkerij',
    plaats: 'Middelburg',
    prijs: '€ 45,00',
    getal: 45,
    organisator: 'Stichting Inkt',
    taal: 'Engels',
  },
  {
    naam: 'Lezing over de Waddenzee',
    start: '2026-05-12T20:00',
    eind: '2026-05-12T21:30',
    plek: 'Bibliotheek',
    plaats: 'Harlingen',
    prijs: '€ 5,00',
    getal: 5,
    organisator: 'Waddenvereniging',
    taal: 'Fries',
  },
  {
    naam: 'Zomerconcert in het park',
    start: '2026-07-18T19:30',
    eind: '2026-07-18T22:00',
    plek: 'Muziekkoepel',
    plaats: 'Breda',
    prijs: 'gratis',
    getal: 0,
    organisator: 'Harmonie Sint Jan',
    taal: 'Nederlands',
  },
];

export const agendaMicrodata = pagesOf({
  kind: 'event',
  name: 'agenda-microdata',
  items: ITEMS,
  url: ({ naam }) => `https://uitinderegio.example/agenda/${slug(naam)}`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      starts_at: { type: 'string', format: 'date-time' },
      ends_at: { type: 'string', format: 'date-time' },
      location_name: { type: 'string' },
      town: { type: 'string' },
      price_eur: { type: 'number', description: 'Entrance fee, 0 if free' },
      organiser: { type: 'string' },
      language: { type: 'string', description: 'Language spoken at the event, as on the page' },
    },
    required: ['name', 'starts_at'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="nl"><head><title>${item.naam} - Uit in de regio</title></head><body><header><a href="/">Uit in de regio</a><a href="/agenda">Agenda</a><a href="/aanmelden">Activiteit aanmelden</a></header>
<main itemscope itemtype="https://schema.org/Event"><h1 itemprop="name">${item.naam}</h1><p><meta itemprop="startDate" content="${item.start}:00+02:00"><meta itemprop="endDate" content="${item.eind}:00+02:00">${item.start.slice(8, 10)}-${item.start.slice(5, 7)}-${item.start.slice(0, 4)}, ${item.start.slice(11)} uur</p>
<div itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">${item.plek}</span><div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">${item.plaats}</span></div></div>
<p itemprop="description">Een mooie gelegenheid om de streek beter te leren kennen. Aanmelden is niet nodig, maar wees op tijd: vol is vol.</p><p>Georganiseerd door <span itemprop="organizer" itemscope itemtype="https://schema.org/Organization"><a itemprop="url" href="/o"><span itemprop="name">${item.organisator}</span></a></span></p>
<dl><dt>Toegang</dt><dd>${item.prijs}</dd><dt>Voertaal</dt><dd>${item.taal}</dd><dt>Bereikbaarheid</dt><dd>Bus 36, halte Centrum</dd></dl></main></body></html>`,
  expected: (item) => ({
    name: item.naam,
    starts_at: item.start,
    ends_at: item.eind,
    location_name: item.plek,
    town: item.plaats,
    price_eur: item.getal,
    organiser: item.organisator,
    language: item.taal,
  }),
});
