// Watched pages of organisations: jobs, team, terms, status, meetings.
import { pairsOf, webPage } from '../page-pair.ts';

const careers = webPage({
  title: 'Careers at Palewater',
  header: '<a href="/">Palewater Research</a>',
  main: `<h1>Open positions</h1><p>Last updated 5 minutes ago</p><ul><li><a href="/jobs/31">Data engineer</a>, Ghent</li><li><a href="/jobs/33">Field biologist</a>, Bruges</li><li><a href="/jobs/36">Office manager</a>, Ghent</li></ul><p>Posted 3 days ago · 214 applicants so far</p><p>We answer every application within two weeks. Interviews take place in Ghent or by video.</p><p>Weather in Ghent: 7 °C, cloudy</p>`,
  aside: '<h2>Markets</h2><p>BEL 20 4,312.55 +0.4 % · EUR/USD 1.0841</p>',
  footer: '© 2025 Palewater',
});

const team = webPage({
  title: 'Our team - Moorside Practice',
  main: `<h1>Our team</h1><ul><li>Dr Ayesha Siddiqui, partner</li><li>Dr Colin Purvis, partner</li><li>Rowena Tate, practice nurse</li><li>Gareth Bowen, practice manager</li></ul><p>The surgery is open from 8 am to 6.30 pm on weekdays. On Thursdays we close at 5 pm.</p><p>Today is Monday, 2 February 2026.</p>`,
  footer: 'Page views: 20,114',
});

const terms = webPage({
  title: 'Terms of service – Notably',
  main: `<h1>Terms of service</h1><p>Effective from 1 October 2025.</p><h2>1. Your content</h2><p>You own what you upload. We may use anonymous statistics to improve the service. We do not sell personal data to third parties.</p><h2>2. Payment</h2><p>Subscriptions renew every month. We announce changes of prices at least 60 days in advance.</p><h2>3. Liability</h2><p>Our liability is limited to the fees of the last twelve months.</p><h2>4. Disputes</h2><p>The courts of Dublin have jurisdiction.</p>`,
  footer:
    '<p>© 2025 Notably Ltd. We use cookies to measure how the site is used. <a href="/cookies">Manage cookies</a></p>',
});

const meeting = webPage({
  title: 'Hafenfest 2026 – Stadt Wiek',
  lang: 'de',
  main: `<h1>Hafenfest 2026</h1><p>Das Hafenfest findet am 20. und 21. Juni 2026 an der Mole statt. Der Eintritt ist frei.</p><p>Anmeldeschluss für Stände: 15. April 2026.</p><p>Es sind noch 12 Standplätze frei.</p><h2>Programm</h2><ul><li>Regatta der Kutter</li><li>Konzert der Blaskapelle</li><li>Feuerwerk um 22:30 Uhr</li></ul><p>Zuletzt geändert: 30.01.2026 10:12</p>`,
  footer: 'Heute 41 Besucher, gesamt 93.420',
});

export const organisationPairs = [
  ...pairsOf({
    page: 'careers',
    html: careers,
    noise: {
      'relative times and applicants': [
        ['5 minutes ago', '2 hours ago'],
        ['3 days ago', '4 days ago'],
        ['214 applicants', '229 applicants'],
      ],
      'weather and markets': [
        ['7 °C, cloudy', '3 °C, light snow'],
        ['4,312.55 +0.4 %', '4,287.10 -0.6 %'],
        ['1.0841', '1.0817'],
      ],
      'order of the list': [
        [
          '<li><a href="/jobs/31">Data engineer</a>, Ghent</li><li><a href="/jobs/33">Field biologist</a>, Bruges</li>',
          '<li><a href="/jobs/33">Field biologist</a>, Bruges</li><li><a href="/jobs/31">Data engineer</a>, Ghent</li>',
        ],
      ],
    },
    real: {
      'position closed': [
        ['<li><a href="/jobs/33">Field biologist</a>, Bruges</li>', ''],
        ['5 minutes ago', '1 minute ago'],
      ],
    },
  }),
  ...pairsOf({
    page: 'team',
    html: team,
    noise: {
      'day of the week and views': [
        ['Monday, 2 February 2026', 'Tuesday, 3 February 2026'],
        ['20,114', '20,139'],
      ],
    },
    real: {
      'new member': [
        ['<li>Gareth Bowen', '<li>Dr Mireille Aubry, salaried GP</li><li>Gareth Bowen'],
        ['Monday, 2 February 2026', 'Tuesday, 3 February 2026'],
      ],
      'opening hours': [['On Thursdays we close at 5 pm.', 'On Thursdays we close at 1 pm.']],
    },
  }),
  ...pairsOf({
    page: 'terms',
    html: terms,
    noise: {
      'cookie text and year': [
        ['© 2025 Notably', '© 2026 Notably'],
        ['We use cookies to measure how the site is used.', 'This site uses cookies. Choose which ones you allow.'],
      ],
    },
    real: {
      'one word of the policy': [['We do not sell personal data', 'We do not rent personal data']],
      'section removed': [
        ['<h2>3. Liability</h2><p>Our liability is limited to the fees of the last twelve months.</p>', ''],
      ],
    },
  }),
  ...pairsOf({
    page: 'hafenfest',
    html: meeting,
    noise: {
      'visitors and time of change': [
        ['30.01.2026 10:12', '02.02.2026 08:55'],
        ['Heute 41 Besucher, gesamt 93.420', 'Heute 12 Besucher, gesamt 93.505'],
      ],
    },
    real: { 'date of the event': [['20. und 21. Juni 2026', '27. und 28. Juni 2026']] },
  }),
];
