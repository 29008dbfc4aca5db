// A German society announces an event in "Wann / Wo / Eintritt" lines, without any markup for programs.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    titel: 'Repair-Café im Bürgerhaus',
    wann: 'Samstag, 14. März 2026, 14:00 Uhr',
    start: '2026-03-14T14:00',
    bis: '17:00 Uhr',
    ort: 'Bürgerhaus Nord, Gartenstraße 7, 48147 Münster',
    eintritt: 'frei',
    preis: 0,
    kontakt: 'repair@buergerhaus-nord.example',
  },
  {
    titel: 'Vortrag: Sterne über der Stadt',
    wann: 'Donnerstag, 9. April 2026, 19:30 Uhr',
    start: '2026-04-09T19:30',
    bis: '21:00 Uhr',
    ort: 'Volkssternwarte, Am Hang 2, 72074 Tübingen',
    eintritt: '5 €',
    preis: 5,
    kontakt: 'info@sternwarte.example',
  },
  {
    titel: 'Flohmarkt rund um die Kirche',
    wann: 'Sonntag, 3. Mai 2026, 9:00 Uhr',
    start: '2026-05-03T09:00',
    bis: '16:00 Uhr',
    ort: 'Kirchplatz, 21335 Lüneburg',
    eintritt: 'frei',
    preis: 0,
    kontakt: 'flohmarkt@stadtfest.example',
  },
  {
    titel: 'Kochkurs: Brot mit Sauerteig',
    wann: 'Freitag, 27. Februar 2026, 18:00 Uhr',
    start: '2026-02-27T18:00',
    bis: '21:30 Uhr',
    ort: 'Lehrküche der VHS, Ring 12, 99084 Erfurt',
    eintritt: '34,50 €',
    preis: 34.5,
    kontakt: 'kurse@vhs-erfurt.example',
  },
  {
    titel: 'Offene Chorprobe',
    wann: 'Dienstag, 16. Juni 2026, 20:00 Uhr',
    start: '2026-06-16T20:00',
    bis: '22:00 Uhr',
    ort: 'Aula der Lindenschule, Lindenallee 1, 24103 Kiel',
    eintritt: '12 €',
    preis: 12,
    kontakt: 'chor@kieler-stimmen.example',
  },
];

export const vereinTermin = pagesOf({
  kind: 'event',
  name: 'verein-termin',
  items: ITEMS,
  url: ({ titel }) => `https://nachbarschaft-aktiv.example/termine/${slug(titel)}`,
  schema: {
    type: 'object',
    properties: {
      titel: { type: 'string' },
      beginn: { type: 'string', format: 'date-time', description: 'Datum und Uhrzeit des Beginns' },
      ort: { type: 'string', description: 'Veranstaltungsort mit Adresse' },
      eintritt: { type: 'number', description: 'Eintrittspreis in Euro, 0 wenn kostenlos' },
      email: { type: 'string', format: 'email' },
      ende: { type: 'string', description: 'Uhrzeit, zu der es endet' },
    },
    required: ['titel', 'beginn', 'ort'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="de"><head><title>Nachbarschaft aktiv e.V. - Termine</title></head><body><table width="100%"><tr><td class="navi"><a href="/">Start</a><br><a href="/termine">Termine</a><br><a href="/verein">Verein</a></td><td class="haupt">
<h1>${item.titel}</h1><p>Wir freuen uns auf alle, die Lust haben mitzumachen. Vorkenntnisse braucht niemand, gute Laune genügt. Kuchen- und Salatspenden sind wie immer willkommen.</p>
<p><b>Wann:</b> ${item.wann}<br><b>Bis:</b> ${item.bis}<br><b>Wo:</b> ${item.ort}<br><b>Eintritt:</b> ${item.eintritt}<br><b>Kontakt:</b> <a href="mailto:${item.kontakt}">${item.kontakt}</a></p>
<p>Parkplätze sind knapp, bitte kommt mit dem Rad oder dem Bus.</p><p class="stand">Letzte Änderung dieser Seite: 02.01.2026</p></td></tr></table></body></html>`,
  expected: (item) => ({
    titel: item.titel,
    beginn: item.start,
    ort: item.ort,
    eintritt: item.preis,
    email: item.kontakt,
    ende: anyOf(item.bis, item.bis.replace(' Uhr', '')),
  }),
});
