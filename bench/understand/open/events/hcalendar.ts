// An old club site with the hCalendar microformat: abbr titles, vcard of the place, everything in one paragraph.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    t: 'Herbstkonzert des Musikvereins',
    s: '2026-10-10T19:30',
    e: '2026-10-10T22:00',
    d: '10. Oktober 2026, 19.30 Uhr',
    place: 'Stadthalle',
    street: 'Am Markt 4',
    plz: '72250',
    city: 'Freudenstadt',
    price: '12 €',
    n: 12,
    tel: '07441 0123',
  },
  {
    t: 'Tag der offenen Werkstatt',
    s: '2026-06-20T11:00',
    e: '2026-06-20T17:00',
    d: '20. Juni 2026, 11.00 Uhr',
    place: 'Schlosserei Wurz',
    street: 'Bahnhofstraße 19',
    plz: '72270',
    city: 'Baiersbronn',
    price: 'frei',
    n: 0,
    tel: '07442 4567',
  },
];

export const hCalendar = pagesOf({
  kind: 'event',
  name: 'hcalendar',
  items: ITEMS,
  url: ({ t }) => `https://musikverein.example/termine/${slug(t)}.htm`,
  schema: {
    type: 'object',
    properties: {
      veranstaltung: { type: 'string' },
      beginn: { type: 'string', format: 'date-time' },
      ende: { type: 'string', format: 'date-time' },
      ort: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          strasse: { type: 'string' },
          plz: { type: 'string' },
          stadt: { type: 'string' },
        },
      },
      eintritt: { type: 'number', description: 'Eintrittspreis in Euro' },
      telefon: { type: 'string' },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="de"><head><title>${item.t} - Musikverein</title></head><body><table><tr><td><a href="/">Startseite</a><br><a href="/termine">Termine</a></td><td><div class="vevent"><h2 class="summary">${item.t}</h2><p>Am <abbr class="dtstart" title="${item.s}">${item.d}</abbr> (Ende gegen <abbr class="dtend" title="${item.e}">${item.e.slice(11).replace(':', '.')} Uhr</abbr>) laden wir herzlich ein.</p><p class="location vcard"><span class="fn org">${item.place}</span><br><span class="adr"><span class="street-address">${item.street}</span>, <span class="postal-code">${item.plz}</span> <span class="locality">${item.city}</span></span></p><p>Eintritt: ${item.price}</p><p>Auskunft: Tel. ${item.tel}</p></div></td></tr></table></body></html>`,
  expected: (item) => ({
    veranstaltung: item.t,
    beginn: `${item.s}:00Z`,
    ende: `${item.e}:00Z`,
    ort: { name: item.place, strasse: item.street, plz: item.plz, stadt: item.city },
    eintritt: item.n,
    telefon: anyOf(item.tel, `Tel. ${item.tel}`),
  }),
});
