// What counts as standing on a page: the same thing in another notation does, something else does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standsOnPage } from '../../../../src/understand/data/stands-on-page.ts';

const MARKDOWN = `# Teekanne **Luna** &amp; Söhne

Nur 1.299,00 € statt 1 499 kr, 4,5 von 5 Sternen, 12k Follower, 3.2 million users, 20 % off, 2,5 kg, ½ cup, Art. TP-204, −7 °C.
[Zur Seite](/shop/luna?x=1) und [bei der Post](https://www.post.example/de/) oder mail an info@kram.example

Werkstatt Nord  
Hauptstr. 5<br>12345 Berlin

Tel. +49 (0)30 / 123 45-67. Geöffnet ab 9:30 Uhr, Kochzeit 1 h 30 min.

Veröffentlicht am 3. August 2026. Bis 04.09.2026. Am 14 February wieder, um 7 pm. Germany, the euro.

| Jane | Doe | CEO |
| --- | --- | --- |

東京都の[新しい](https://jp.example/a)茶碗は良い`;

const on = (language?: string, markdown = MARKDOWN) =>
  standsOnPage({
    url: 'https://kram.example/shop/',
    title: 'Kramladen',
    markdown,
    ...(language && { language }),
  });

const all = (values: readonly (string | number)[], expected: boolean, stands = on('de')): void =>
  assert.deepEqual(
    values.filter((value) => stands(value) !== expected),
    [],
  );

test('texts stand on a page whatever their case, accents, blanks, punctuation, markup and entities', () => {
  all(['teekanne luna', 'Luna & Söhne', 'Luna &amp; Sohne', 'TP204', 'tp 204', 'Kramladen', 'info@kram.example'], true);
  all(['東京都', '新しい茶碗', 'Zur Seite und bei der Post', 'Jane Doe', '', '€', 'kram.example'], true);
  all(['Teekanne Sol', 'Lun', 'eekanne', 'TP205', '大阪', '★★★', 'jane@kram.example', 'Werk'], false);
});

test('numbers are the same in any notation, and written-out ones are none', () => {
  all([1299, 1499, 4.5, 5, 12_000, 3_200_000, 0.2, 2.5, 2500, 0.5, 90, 5400, 1.5, -7, 2026, 204], true);
  all(['1299', '1299.00', 'EUR 1,299.00', '€1299', '2.5 kg', '1499 SEK', '1 499 kr'], true);
  all([1300, 12.99, 12, -2.5, 777, 0], false, on('de', 'a dozen for 13 EUR, 1.299 USD'));
  all(['EUR 1,300', '1299 USD', '2.6 kg', '1,499 pounds'], false);
  all([1299, 1.299], true, on('de', 'a dozen for 13 EUR, 1.299 USD'));
});

test('dates and times stand on a page that writes them in its own way', () => {
  all(['2026-08-03', '2026-09-04', '2026-02-14', '2026-08', '09:30', '19:00:00', '2026-02-14T19:00:00Z'], true);
  all(['2026-08-03T00:00:00Z', '2026-02-14T18:00:00+01:00'], true);
  all(['2026-08-04', '2027-08-03', '2026-02-15', '2026-02-14T18:45:00Z', '08:30', '2025-08'], false);
  const languages: [language: string, text: string][] = [
    ['ru', 'Открытие 3 марта 2026 г.'],
    ['pl', 'Otwarcie 3 marca 2026'],
    ['ja', '2026年3月3日に開店'],
    ['en-US', 'Tuesday, March 3rd, 2026'],
    ['en', '03/03/26'],
  ];
  for (const [language, text] of languages) {
    all(['2026-03-03'], true, on(language, text));
    all(['2026-03-04', '2026-04-03'], false, on(language, text));
  }
});

test('addresses count resolved, telephone numbers by their digits, codes by what they stand for', () => {
  all(['https://kram.example/shop/luna?x=1', '/shop/luna?x=1', 'http://post.example/de', 'www.post.example/de/'], true);
  all(['https://kram.example/shop', 'https://jp.example/a', '+49 30 1234567', '030 1234567', 'EUR', 'DE', 'de'], true);
  all(['https://kram.example/shop/sol', 'https://other.example/', '030 1234568', 'USD', 'CHF', 'FR'], false);
});

test('a value that is joined from places of the page stands there if each part does, in this order', () => {
  all(['Werkstatt Nord, Hauptstr. 5, 12345 Berlin', 'Teekanne Luna (TP-204)', 'Jane Doe – CEO'], true);
  all(['Werkstatt Süd, Hauptstr. 5, 12345 Berlin', 'CEO, Jane Doe, Teekanne', 'Jane Roe, CEO', '12345,5'], false);
});

test('pages that are made to be slow are read in linear time', () => {
  for (const text of ['[', '[a](', '<a ', '1 ', '1.', '(+', '3 May ', 'a/', '&amp', '1/2 ', 'minus ']) {
    const stands = on('en', text.repeat(200_000));
    all(['Nobody knows', 'https://other.example/x', '2026-08-03', 77_123, '+49 30 99999', 'A, B and C'], false, stands);
  }
});
