// Job openings of a German employer in a table; a second table with office hours must not be mixed in.
import { each, pagesOf } from '../../labelled-page.ts';

const stelle = (titel: string, ort: string, umfang: string, frist: string, iso: string) => ({
  titel,
  ort,
  umfang,
  frist,
  iso,
});
const ITEMS = [
  {
    amt: 'Bauamt',
    stellen: [
      stelle('Bauingenieur (m/w/d) Tiefbau', 'Rathaus II', 'Vollzeit', '31.03.2026', '2026-03-31'),
      stelle('Sachbearbeitung Bauanträge', 'Rathaus I', 'Teilzeit 50 %', '15.04.2026', '2026-04-15'),
      stelle('Vermessungstechniker', 'Außenstelle West', 'Vollzeit', '20.03.2026', '2026-03-20'),
    ],
  },
  {
    amt: 'Kulturamt',
    stellen: [
      stelle('Bibliothekar', 'Stadtbücherei', 'Vollzeit', '01.05.2026', '2026-05-01'),
      stelle('Museumspädagogin', 'Stadtmuseum', 'Teilzeit 75 %', '12.04.2026', '2026-04-12'),
    ],
  },
  {
    amt: 'Grünflächenamt',
    stellen: [
      stelle('Gärtner', 'Betriebshof', 'Vollzeit', '28.02.2026', '2026-02-28'),
      stelle('Baumkontrolleur', 'Betriebshof', 'Vollzeit', '28.02.2026', '2026-02-28'),
      stelle('Ausbildung Landschaftsbau', 'Betriebshof', 'Ausbildung', '30.06.2026', '2026-06-30'),
      stelle('Leitung Pflege', 'Rathaus II', 'Vollzeit', '15.03.2026', '2026-03-15'),
    ],
  },
  {
    amt: 'Schulamt',
    stellen: [
      stelle('Hausmeister Grundschule Nord', 'Grundschule Nord', 'Vollzeit', '10.03.2026', '2026-03-10'),
      stelle('Schulsekretärin', 'Gymnasium am See', 'Teilzeit 60 %', '17.03.2026', '2026-03-17'),
    ],
  },
  {
    amt: 'Stadtwerke',
    stellen: [
      stelle('Busfahrer', 'Depot Ost', 'Vollzeit', '31.12.2026', '2026-12-31'),
      stelle('Netzmeister Strom', 'Umspannwerk', 'Vollzeit', '05.04.2026', '2026-04-05'),
      stelle('Kundenberatung', 'Servicezentrum', 'Teilzeit 50 %', '22.03.2026', '2026-03-22'),
    ],
  },
];

export const stellenTabelle = pagesOf({
  kind: 'listing',
  name: 'stellen-tabelle',
  items: ITEMS,
  url: ({ amt }) => `https://stadt-seefeld.example/stellen?amt=${encodeURIComponent(amt)}`,
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        stelle: { type: 'string', description: 'Bezeichnung der Stelle' },
        ort: { type: 'string' },
        umfang: { type: 'string', description: 'Vollzeit oder Teilzeit' },
        bewerbungsfrist: { type: 'string', format: 'date' },
      },
      required: ['stelle'],
    },
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="de"><head><title>Stellenangebote ${item.amt} - Stadt Seefeld</title></head><body><div role="navigation"><a href="/">Startseite</a> <a href="/rathaus">Rathaus</a> <a href="/stellen">Stellen</a></div>
<h1>Stellenangebote: ${item.amt}</h1><p>Die Stadt Seefeld sucht Verstärkung. Bitte bewerben Sie sich bis zum genannten Termin über unser Portal.</p>
<table><thead><tr><th>Stelle</th><th>Einsatzort</th><th>Umfang</th><th>Bewerbungsfrist</th><th></th></tr></thead><tbody>${each(
    item.stellen,
    (one, at) =>
      `<tr><td><a href="/stellen/${at + 1}">${one.titel}</a></td><td>${one.ort}</td><td>${one.umfang}</td><td>${one.frist}</td><td><a href="/bewerben/${at + 1}">Bewerben</a></td></tr>`,
  )}</tbody></table><h2>Sprechzeiten</h2><table><tr><th>Montag</th><td>8-12 Uhr</td></tr><tr><th>Dienstag</th><td>8-16 Uhr</td></tr><tr><th>Mittwoch</th><td>geschlossen</td></tr><tr><th>Donnerstag</th><td>8-18 Uhr</td></tr><tr><th>Freitag</th><td>8-12 Uhr</td></tr></table></body></html>`,
  expected: (item) => ({
    '': item.stellen.map(({ titel, ort, umfang, iso }) => ({ stelle: titel, ort, umfang, bewerbungsfrist: iso })),
  }),
});
