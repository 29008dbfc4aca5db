// Pages of shops, hotels, plans and status pages.
import type { WatchedPage } from './watched-page.ts';

const kettle: WatchedPage = {
  markdown: `Hello, guest. Ship to: Austria | EUR

# Gooseneck kettle Brenna 0.9 l

![Brenna in black](https://img2.shop.test/brenna-a81c.jpg?w=600)

€64.90

Available. Usually ships in 1 to 2 days.

🔥 Selling fast! 7 sold in the last 3 hours

In the basket of 19 other shoppers

4.6 ★★★★★ based on 318 ratings

87 % of buyers would recommend it

Order within 3 h 12 min to get it on Thursday

Ends tonight at midnight!

- Capacity: 0.9 litres
- Weight: 780 g
- Warranty: 2 years

**Anna K.** ★★★★★ Verified purchase

Pours like a dream, I use it every day.

[Milk jug Lund €18.00](https://shop.test/p/milk-jug-lund)

[Scale Vega €39.00](https://shop.test/p/scale-vega)

Free returns within 30 days. Questions? Call 0800 555 010.

Join 48,210 coffee lovers on our newsletter

Build 2026.02.02-4411 · node eu-3`,
  noise: [
    ['Hello, guest. Ship to: Austria | EUR', 'Hello, guest. Ship to: Germany | EUR'],
    ['Hello, guest.', 'Hi there!'],
    ['brenna-a81c.jpg?w=600', 'brenna-a81c.jpg?w=640'],
    ['7 sold in the last 3 hours', '11 sold in the last 24 hours'],
    ['Selling fast! 7 sold in the last 3 hours', 'Selling fast! 2 sold in the last hour'],
    ['In the basket of 19 other shoppers', 'In the basket of 23 other shoppers'],
    ['based on 318 ratings', 'based on 325 ratings'],
    ['4.6 ★★★★★ based on 318 ratings', '4.5 ★★★★★ based on 331 ratings'],
    ['87 % of buyers would recommend it', '88 % of buyers would recommend it'],
    ['3 h 12 min to get it on Thursday', '1 h 40 min to get it on Thursday'],
    ['Join 48,210 coffee lovers', 'Join 48,377 coffee lovers'],
    ['2026.02.02-4411 · node eu-3', '2026.02.03-4420 · node eu-1'],
  ],
  real: [
    ['€64.90', '€59.90'],
    ['Available. Usually ships in 1 to 2 days.', 'Sold out until March.'],
    ['1 to 2 days', '5 to 7 days'],
    ['0.9 litres', '0.8 litres'],
    ['Warranty: 2 years', 'Warranty: 3 years'],
    ['within 30 days', 'within 14 days'],
    ['0800 555 010', '0800 555 077'],
    ['- Weight: 780 g\n', ''],
  ],
};

const hotel: WatchedPage = {
  markdown: `# Hotel Seeblick, Bregenz

8.7 Fabelhaft · 1.204 Bewertungen

Gerade sehen sich 14 Personen dieses Hotel an

Zuletzt gebucht vor 12 Minuten

Heute schon 5-mal gebucht

Doppelzimmer mit Frühstück: 142 € pro Nacht

Nur noch 2 Zimmer zu diesem Preis verfügbar

Die Anreise ist ab 15 Uhr möglich. Haustiere sind nicht erlaubt.

Das Hallenbad ist von 7 bis 21 Uhr geöffnet.

## Gäste sagen

„Das Frühstück war ausgezeichnet und der Blick noch besser.“ Jutta, Ulm

## Wetter in Bregenz

4 °C, leicht bewölkt

## Lage

Seestraße 12, 6900 Bregenz. Zum Bahnhof sind es 400 m.

Aktuelle Ortszeit: 14:05

Sie sind Besucher Nr. 204.311`,
  noise: [
    ['8.7 Fabelhaft · 1.204 Bewertungen', '8.8 Fabelhaft · 1.219 Bewertungen'],
    ['Gerade sehen sich 14 Personen', 'Gerade sehen sich 9 Personen'],
    ['vor 12 Minuten', 'vor 2 Stunden'],
    ['Heute schon 5-mal gebucht', 'Heute schon 8-mal gebucht'],
    [
      '„Das Frühstück war ausgezeichnet und der Blick noch besser.“ Jutta, Ulm',
      '„Sehr freundliches Personal, wir kommen wieder.“ Familie Oertl, Graz',
    ],
    ['4 °C, leicht bewölkt', '-1 °C, Schneefall'],
    ['Aktuelle Ortszeit: 14:05', 'Aktuelle Ortszeit: 09:41'],
    ['Besucher Nr. 204.311', 'Besucher Nr. 204.398'],
  ],
  real: [
    ['142 € pro Nacht', '156 € pro Nacht'],
    ['Nur noch 2 Zimmer', 'Nur noch 1 Zimmer'],
    ['Haustiere sind nicht erlaubt', 'Haustiere sind erlaubt'],
    ['ab 15 Uhr', 'ab 16 Uhr'],
    ['von 7 bis 21 Uhr', 'von 8 bis 20 Uhr'],
    ['Seestraße 12', 'Seestraße 14'],
  ],
};

const plans: WatchedPage = {
  markdown: `# Pricing

Over 12,840 teams ship with Relayo. 3.1 million builds last week.

| Plan | Price | Seats | Build minutes |
| --- | --- | --- | --- |
| Free | $0 | 3 | 500 |
| Pro | $24 | 10 | 3,000 |

Prices per month, without tax. You can cancel at any time.

The API allows 60 requests a minute.

> Relayo cut our release time in half.
>
> Mara Lindqvist, Head of Platform at Norrfrakt

Start your free trial

Rated 4.7/5 on ReviewHub (2,310 reviews)

All systems operational · Last incident 12 days ago

Support is online. Average reply time: 4 minutes`,
  noise: [
    ['12,840 teams', '12,911 teams'],
    ['3.1 million builds last week', '3.4 million builds last week'],
    [
      '> Relayo cut our release time in half.\n>\n> Mara Lindqvist, Head of Platform at Norrfrakt',
      '> We stopped thinking about runners.\n>\n> Deepak Rao, CTO at Filigree',
    ],
    ['Start your free trial', 'Try it for free'],
    ['4.7/5 on ReviewHub (2,310 reviews)', '4.7/5 on ReviewHub (2,334 reviews)'],
    ['Last incident 12 days ago', 'Last incident 13 days ago'],
    ['Average reply time: 4 minutes', 'Average reply time: 11 minutes'],
    ['Support is online. Average', 'Support is offline. Average'],
  ],
  real: [
    ['| Pro | $24 |', '| Pro | $29 |'],
    ['| 10 | 3,000 |', '| 10 | 2,000 |'],
    ['| 10 | 3,000 |', '| 8 | 3,000 |'],
    ['60 requests a minute', '30 requests a minute'],
    ['without tax', 'with tax'],
    ['You can cancel at any time.', 'You can cancel at the end of a year.'],
    ['| Free | $0 | 3 | 500 |\n', ''],
  ],
};

const status: WatchedPage = {
  markdown: `# Cloudberry status

All systems operational

Refreshed 12 seconds ago. Next refresh in 48 s

| Component | State | Latency | Uptime (90 days) |
| --- | --- | --- | --- |
| API | Operational | 112 ms | 99.98 % |
| Dashboard | Operational | 240 ms | 99.91 % |

## Requests

Requests in the last minute: 48,211

Median response: 84 ms

## Past incidents

### 30 January 2026

No incidents reported.

### 29 January 2026

Delayed e-mails. Resolved at 14:20 UTC.

Subscribe to updates · 1,240 subscribers · ref 8c1f-22`,
  noise: [
    ['Refreshed 12 seconds ago. Next refresh in 48 s', 'Refreshed 31 seconds ago. Next refresh in 29 s'],
    ['| 112 ms | 99.98 % |', '| 98 ms | 99.98 % |'],
    ['| 240 ms | 99.91 % |', '| 251 ms | 99.92 % |'],
    ['Requests in the last minute: 48,211', 'Requests in the last minute: 51,904'],
    ['Median response: 84 ms', 'Median response: 91 ms'],
    ['1,240 subscribers · ref 8c1f-22', '1,244 subscribers · ref 17aa-90'],
  ],
  real: [
    ['| API | Operational |', '| API | Degraded |'],
    ['All systems operational', 'Partial outage'],
    ['Resolved at 14:20 UTC.', 'We are investigating.'],
    ['No incidents reported.', 'Errors in uploads. Resolved.'],
    ['| Dashboard | Operational | 240 ms | 99.91 % |\n', ''],
  ],
};

const used: WatchedPage = {
  markdown: `# Vélos d'occasion à Lyon

1-20 sur 342 annonces

Il est 14 h 05, bonjour !

- [VTT Kerval, 320 €](https://velos.test/a/1) · vu 52 fois · il y a 2 heures
- [Vélo pliant Ondine, 450 €](https://velos.test/a/2) · vu 131 fois · hier
- [Tandem Duo, 600 €](https://velos.test/a/3) · vu 17 fois · il y a 3 jours

27 personnes consultent cette page

Annonce sponsorisée : assurance vélo dès 4 € par mois

Paiement sur place uniquement. Le magasin ferme à 19 h.

Taux de change : 1 € = 1,0841 $

Page vue 12 004 fois`,
  noise: [
    ['1-20 sur 342 annonces', '1-20 sur 347 annonces'],
    ['Il est 14 h 05, bonjour !', 'Il est 9 h 41, bonjour !'],
    ['vu 52 fois · il y a 2 heures', 'vu 60 fois · il y a 5 heures'],
    ['27 personnes consultent', '8 personnes consultent'],
    ['assurance vélo dès 4 € par mois', 'vacances en Corse dès 299 €'],
    ['1 € = 1,0841 $', '1 € = 1,0817 $'],
    ['Page vue 12 004 fois', 'Page vue 12 377 fois'],
  ],
  real: [
    ['VTT Kerval, 320 €', 'VTT Kerval, 280 €'],
    ['- [Tandem Duo, 600 €](https://velos.test/a/3) · vu 17 fois · il y a 3 jours\n', ''],
    ['ferme à 19 h', 'ferme à 18 h'],
    ['Paiement sur place uniquement.', 'Paiement en ligne possible.'],
  ],
};

export const shopsAndServices = { kettle, hotel, plans, status, used };
