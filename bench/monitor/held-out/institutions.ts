// Watched pages of authorities, communities and software.
import { pairsOf, webPage } from '../page-pair.ts';

const visas = webPage({
  title: 'Working holiday visa | Immigration Service',
  header: '<a href="/">Immigration Service</a> <a href="/mi">Māori</a>',
  main: `<h1>Working holiday visa</h1><p>Page last reviewed: 2 February 2026. Was this page useful? 1,532 people said yes.</p><h2>Who can apply</h2><p>You must be between 18 and 30 years old and have at least NZ$4,200 to live on. You may stay for up to 12 months.</p><h2>Fee</h2><p>The application fee is NZ$455. It is not refunded.</p><h2>Processing time</h2><p>Most applications are decided within 4 weeks.</p>`,
  footer: 'Crown copyright 2025. Build 5512.1',
});

const thread = webPage({
  title: 'Firmware 3.2 breaks scheduling - Heatpump Forum',
  header: '<a href="/">Heatpump Forum</a> Online now: 214 members, 1,880 guests',
  main: `<h1>Firmware 3.2 breaks scheduling</h1><div class="post"><p>kestrel41 · Joined 2019 · Posts: 1,022</p><p>Since the update the night schedule starts an hour late. Anyone else?</p><p>Likes: 14</p></div><div class="post"><p>dr_boiler · Joined 2021 · Posts: 377</p><p>Same here. Going back to 3.1 fixed it.</p><p>Likes: 22</p></div><p>Page rendered at 10:22:41. Token: 8c1f</p>`,
  footer: 'Threads 40,112 · Messages 611,908',
});

const grants = webPage({
  title: 'Fördermittel | Kulturamt Lindau',
  lang: 'de',
  main: `<h1>Förderung freier Gruppen</h1><p>Freie Gruppen können bis zu 7.500 € im Jahr beantragen. Anträge nehmen wir bis zum 31. März 2026 an.</p><p>Gefördert werden Theater, Tanz und Musik. Voraussetzung ist ein Sitz im Landkreis.</p><h2>Ansprechpartnerin</h2><p>Katharina Wehrle, Zimmer 12, Telefon 08382 555 118</p><p>Seite zuletzt aktualisiert am 28. Januar 2026 · 1.733 Aufrufe</p>`,
  footer: 'Wetter in Lindau: 4 °C, Nebel · Pegel Bodensee 331 cm',
});

const api = webPage({
  title: 'Rate limits - Parcelpath API',
  header: '<a href="/">Parcelpath</a> <a href="/docs?build=20260201">Docs</a>',
  main: `<h1>Rate limits</h1><p>Each key may send 120 requests a minute. Above that, we answer 429 with the header Retry-After.</p><ul><li>Labels: 20 a second</li><li>Tracking: 50 a second</li></ul><p>Version 1 of this interface will be switched off on 1 September 2026.</p><pre><code>curl -H "X-Nonce: 41bc9e7a" http://api.parcelpath.test/v2/labels</code></pre><p>Was this helpful? 88 % of 412 readers said yes.</p>`,
  aside: '<p>All systems operational. Uptime 99.982 % in the last 90 days.</p>',
  footer: '© 2026 Parcelpath. Generated 2026-02-02T06:00:11Z',
});

const club = webPage({
  title: 'Fixtures | Ashdown Harriers',
  main: `<h1>Fixtures</h1><ul><li>7 March 2026: Cross-country relays, Tilgate Park</li><li>21 March 2026: Spring 10K, Haywards Heath</li><li>11 April 2026: Track opening, Withdean</li></ul><p>Entries for the Spring 10K close in 33 days.</p><p>Membership is £48 a year, £20 for juniors.</p><p>Club record of the week: 5,000 m, 16:02 by Jess Oyelaran (2017)</p>`,
  footer: 'Visitors: 88,401. Sponsored this month by Runwell Shoes.',
});

export const institutionPairs = [
  ...pairsOf({
    page: 'visas',
    html: visas,
    noise: {
      'date of review and votes': [
        ['2 February 2026', '3 February 2026'],
        ['1,532 people', '1,547 people'],
        ['Build 5512.1', 'Build 5514.0'],
        ['copyright 2025', 'copyright 2026'],
      ],
    },
    real: {
      'age limit': [['between 18 and 30', 'between 18 and 35']],
      fee: [
        ['NZ$455', 'NZ$490'],
        ['2 February 2026', '3 February 2026'],
        ['1,532', '1,540'],
      ],
      'one word': [['It is not refunded.', 'It is partly refunded.']],
    },
  }),
  ...pairsOf({
    page: 'forum thread',
    html: thread,
    noise: {
      'likes, posts and visitors': [
        ['Likes: 14', 'Likes: 17'],
        ['Likes: 22', 'Likes: 25'],
        ['Posts: 1,022', 'Posts: 1,031'],
        ['214 members, 1,880 guests', '190 members, 2,014 guests'],
        ['10:22:41. Token: 8c1f', '11:03:09. Token: 02ae'],
        ['611,908', '612,233'],
      ],
    },
    real: {
      'new reply': [
        [
          '<p>Page rendered',
          '<div class="post"><p>vaillantfan · Joined 2024 · Posts: 12</p><p>The vendor confirmed the bug and promises 3.2.1 next week.</p><p>Likes: 0</p></div><p>Page rendered',
        ],
        ['10:22:41', '12:40:00'],
      ],
    },
  }),
  ...pairsOf({
    page: 'grants',
    html: grants,
    noise: {
      'weather, level and views': [
        ['4 °C, Nebel · Pegel Bodensee 331 cm', '9 °C, sonnig · Pegel Bodensee 329 cm'],
        ['1.733 Aufrufe', '1.760 Aufrufe'],
      ],
      'date of the last update': [['28. Januar 2026', '2. Februar 2026']],
    },
    real: {
      deadline: [['bis zum 31. März 2026', 'bis zum 15. März 2026']],
      'another contact': [
        ['Katharina Wehrle, Zimmer 12', 'Benedikt Amann, Zimmer 9'],
        ['1.733', '1.741'],
      ],
    },
  }),
  ...pairsOf({
    page: 'rate limits',
    html: api,
    noise: {
      'nonce, votes, uptime and build': [
        ['41bc9e7a', 'e02d77f1'],
        ['88 % of 412 readers', '87 % of 430 readers'],
        ['99.982 %', '99.979 %'],
        ['build=20260201', 'build=20260202'],
        ['2026-02-02T06:00:11Z', '2026-02-03T06:00:09Z'],
      ],
      'order of the list': [
        [
          '<li>Labels: 20 a second</li><li>Tracking: 50 a second</li>',
          '<li>Tracking: 50 a second</li><li>Labels: 20 a second</li>',
        ],
      ],
    },
    real: {
      'number in a sentence': [['120 requests a minute', '100 requests a minute']],
    },
  }),
  ...pairsOf({
    page: 'fixtures',
    html: club,
    noise: {
      'countdown, visitors and sponsor': [
        ['in 33 days', 'in 32 days'],
        ['88,401', '88,466'],
        ['Runwell Shoes', 'Peak Physiotherapy'],
      ],
      'visitors only': [['88,401', '88,420']],
      'record of the week': [
        ['5,000 m, 16:02 by Jess Oyelaran (2017)', 'Long jump, 6.88 m by Karl Anstey (1994)'],
        ['in 33 days', 'in 31 days'],
      ],
    },
    real: {
      'event moved': [
        ['21 March 2026: Spring 10K', '28 March 2026: Spring 10K'],
        ['in 33 days', 'in 39 days'],
      ],
    },
  }),
];
