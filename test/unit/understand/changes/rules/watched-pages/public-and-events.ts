// Pages of authorities, employers, events, sport, weather and finance.
import type { WatchedPage } from './watched-page.ts';

const office: WatchedPage = {
  markdown: `Guten Tag! Heute ist Montag, der 02.02.2026

# Bürgerbüro Waldheim

Jetzt geöffnet, schließt um 18 Uhr

Aktuelle Wartezeit: ca. 25 Minuten. Es warten 11 Personen.

Aufgerufene Nummer: A 114

Ein Personalausweis kostet 37 Euro. Er ist zehn Jahre gültig.

Nächster freier Termin: 12. März 2026

Anträge nehmen wir bis zum 31. März 2026 an.

- Montag: 8 bis 18 Uhr
- Mittwoch: geschlossen

Telefon: 03431 5550

Leitung: Sabine Kurz

Diese Seite wurde 8.204-mal aufgerufen. Letzte Prüfung: 2. Februar 2026

[Stadtfest 2026: Aufruf an Vereine](https://stadt.test/n/81)

[Sperrung der Talstraße](https://stadt.test/n/80)`,
  noise: [
    ['Guten Tag! Heute ist Montag, der 02.02.2026', 'Guten Abend! Heute ist Dienstag, der 03.02.2026'],
    ['Jetzt geöffnet, schließt um 18 Uhr', 'Jetzt geschlossen, öffnet morgen um 8 Uhr'],
    [
      'Aktuelle Wartezeit: ca. 25 Minuten. Es warten 11 Personen.',
      'Aktuelle Wartezeit: ca. 5 Minuten. Es warten 2 Personen.',
    ],
    ['Aufgerufene Nummer: A 114', 'Aufgerufene Nummer: B 027'],
    ['8.204-mal aufgerufen', '8.377-mal aufgerufen'],
    ['Letzte Prüfung: 2. Februar 2026', 'Letzte Prüfung: 3. Februar 2026'],
    [
      '[Sperrung der Talstraße](https://stadt.test/n/80)',
      '[Neue Öffnungszeiten der Bücherei](https://stadt.test/n/82)',
    ],
  ],
  real: [
    ['37 Euro', '46 Euro'],
    ['zehn Jahre', 'sechs Jahre'],
    ['12. März 2026', '19. März 2026'],
    ['bis zum 31. März 2026', 'bis zum 15. April 2026'],
    ['Mittwoch: geschlossen', 'Mittwoch: 8 bis 12 Uhr'],
    ['03431 5550', '03431 5599'],
    ['Sabine Kurz', 'Jens Falk'],
    ['8 bis 18 Uhr', '9 bis 18 Uhr'],
  ],
};

const jobs: WatchedPage = {
  markdown: `# Night shift nurse, Tullow Hospital

Posted 4 days ago · 61 applicants · 1,204 people have viewed this job

Be among the first 25 applicants

Actively hiring

Salary: €41,200 to €46,900 a year. 37.5 hours a week.

Closing date: 27 February 2026

You need two years of experience. Driving licence not required.

Location: Tullow, Co. Carlow

Contact: Maeve Dunne, 059 555 0144

Showing 1–10 of 3,412 jobs

[Care assistant, Carlow](https://jobs.test/j/7)

[Porter, Kilkenny](https://jobs.test/j/9)

Set an alert: 418 people follow this search`,
  noise: [
    ['4 days ago · 61 applicants · 1,204 people', '5 days ago · 70 applicants · 1,290 people'],
    ['Be among the first 25 applicants', 'Over 100 applicants'],
    ['Showing 1–10 of 3,412 jobs', 'Showing 1–10 of 3,398 jobs'],
    ['[Porter, Kilkenny](https://jobs.test/j/9)', '[Ward clerk, Naas](https://jobs.test/j/12)'],
    ['418 people follow this search', '421 people follow this search'],
  ],
  real: [
    ['€41,200', '€42,800'],
    ['37.5 hours', '35 hours'],
    ['27 February 2026', '6 March 2026'],
    ['two years', 'five years'],
    ['not required', 'required'],
    ['Tullow, Co. Carlow', 'Naas, Co. Kildare'],
    ['Maeve Dunne', 'Eoin Carr'],
    ['Actively hiring', 'No longer accepting applications'],
  ],
};

const openings: WatchedPage = {
  markdown: `# Ofertas de empleo

Mostrando 1-3 de 3 ofertas. Actualizado hace 5 minutos.

- [Camarero, Cádiz](https://empleo.test/1) · 12 inscritos
- [Cocinera, Jerez](https://empleo.test/2) · 31 inscritos
- [Recepcionista, Rota](https://empleo.test/3) · 4 inscritos

Plazo de solicitud: 15 de marzo de 2026

Se requiere permiso de trabajo.

Buenos días. Hay 214 usuarios conectados.

Esta página ha sido visitada 5.310 veces.`,
  noise: [
    ['hace 5 minutos', 'hace 2 horas'],
    ['12 inscritos', '15 inscritos'],
    ['Buenos días. Hay 214 usuarios conectados.', 'Buenas tardes. Hay 187 usuarios conectados.'],
    ['visitada 5.310 veces', 'visitada 5.402 veces'],
  ],
  real: [
    ['- [Cocinera, Jerez](https://empleo.test/2) · 31 inscritos\n', ''],
    ['15 de marzo de 2026', '30 de marzo de 2026'],
    ['Se requiere permiso', 'No se requiere permiso'],
    ['Camarero, Cádiz', 'Camarero, Sevilla'],
  ],
};

const concert: WatchedPage = {
  markdown: `# Ensemble Aria: winter concert

Saturday 21 February 2026, 7.30 pm, St Anne's Hall

Starts in 18 days, 5 hours, 24 minutes

Tickets £18, students £9

212 going · 540 interested

Few seats left

Last tickets bought 6 minutes ago by someone in Leeds

Conductor: Ruth Ames. Works by Farrenc and Mayer.

Doors open at 7 pm. No entry after the first piece.

[Jazz at the mill](https://events.test/e/12) Fri 27 Feb

[Puppets for children](https://events.test/e/15) Sun 1 Mar

Organiser followed by 3,204 people

Photo 3 of 12`,
  noise: [
    ['18 days, 5 hours, 24 minutes', '17 days, 9 hours, 2 minutes'],
    ['212 going · 540 interested', '219 going · 561 interested'],
    ['6 minutes ago by someone in Leeds', '2 hours ago by someone in York'],
    ['followed by 3,204 people', 'followed by 3,219 people'],
    ['Photo 3 of 12', 'Photo 7 of 12'],
    ['[Jazz at the mill](https://events.test/e/12) Fri 27 Feb', '[Open stage](https://events.test/e/18) Thu 5 Mar'],
  ],
  real: [
    ['Saturday 21 February 2026', 'Saturday 28 February 2026'],
    ["St Anne's Hall", 'Mill Theatre'],
    ['7.30 pm', '8 pm'],
    ['£18', '£20'],
    ['Few seats left', 'Sold out'],
    ['Ruth Ames', 'Paul Orr'],
    ['Farrenc and Mayer', 'Farrenc and Smyth'],
    ['No entry', 'Entry'],
  ],
};

const league: WatchedPage = {
  markdown: `# Northern League

| Place | Team | Games | Points |
| --- | --- | --- | --- |
| 1 | Ashby | 18 | 41 |
| 2 | Corley | 18 | 38 |

Ashby 2-1 Corley

Next match: Dunmore against Ashby on 14 February 2026, 3 pm

Attendance: 2,140

Fan poll: Ashby 61 %, Corley 39 %

Live: 3,411 fans follow this page

Odds: 2.10 / 3.40 / 3.05 (sponsored)`,
  noise: [
    ['Ashby 61 %, Corley 39 %', 'Ashby 58 %, Corley 42 %'],
    ['3,411 fans follow', '3,502 fans follow'],
    ['2.10 / 3.40 / 3.05', '2.20 / 3.30 / 3.00'],
  ],
  real: [
    ['| 1 | Ashby | 18 | 41 |', '| 1 | Ashby | 19 | 44 |'],
    ['Ashby 2-1 Corley', 'Ashby 2-2 Corley'],
    ['14 February 2026', '15 February 2026'],
    ['Attendance: 2,140', 'Attendance: 2,410'],
  ],
};

const weather: WatchedPage = {
  markdown: `# Weather in Trondheim

Now: 3 °C, light snow

Warning: strong wind until Friday

Tomorrow: -2 °C, clear

Sponsored: winter tyres from 899 kr

4,120 people check this page every hour`,
  noise: [
    ['winter tyres from 899 kr', 'flights to Malaga'],
    ['4,120 people', '4,377 people'],
  ],
  real: [
    ['3 °C, light snow', '7 °C, rain'],
    ['until Friday', 'until Sunday'],
    ['-2 °C, clear', '1 °C, cloudy'],
  ],
};

const rates: WatchedPage = {
  markdown: `# Exchange rates

| Currency | Buy | Sell |
| --- | --- | --- |
| USD | 1.0841 | 1.0712 |
| CHF | 0.9412 | 0.9340 |

Fee: 1.5 % of the amount

Updated 2 minutes ago

Outside our branch: 7 °C`,
  noise: [
    ['2 minutes ago', '14 minutes ago'],
    ['7 °C', '3 °C'],
  ],
  real: [
    ['1.0841', '1.0817'],
    ['1.5 %', '1.8 %'],
  ],
};

export const publicAndEvents = { office, jobs, openings, concert, league, weather, rates };
