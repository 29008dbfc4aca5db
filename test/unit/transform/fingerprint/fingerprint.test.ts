import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import type { TextFingerprint } from '../../../../src/page/page.ts';
import { createFingerprinter } from '../../../../src/transform/fingerprint/fingerprint.ts';
import { createDice, type Dice } from '../../../support/web/words.ts';

const fingerprinter = createFingerprinter();
const fingerprint = (html: string): TextFingerprint => fingerprinter.ofPage(parseHtml(html));
const gistOf = (text: string): string => fingerprinter.ofText(text).gist;

function distance(one: TextFingerprint, other: TextFingerprint): number {
  let bits = BigInt(`0x${one.simhash}`) ^ BigInt(`0x${other.simhash}`);
  let count = 0;
  for (; bits > 0n; bits &= bits - 1n) count += 1;
  return count;
}

const SYLLABLES = 'ba ren tol mi kash ve dor lin pa stre go fen wil cha ur mo tar sil ne hob'.split(' ');
const word = (dice: Dice) => Array.from({ length: 1 + dice.roll(3) }, () => dice.pick(SYLLABLES)).join('');
const words = (dice: Dice, count: number) => Array.from({ length: count }, () => word(dice)).join(' ');

const page = (main: string, title = 'A site') => `<!doctype html><html><head><title>${title}</title></head><body>
<header><a href="/">Home</a> The Daily Harbour</header><nav><a href="/news">News</a> <a href="/sport">Sport</a></nav>
<main>${main}</main><aside>Most read this week</aside><footer>© 2026 Someone. All rights reserved.</footer></body></html>`;

test('fingerprints are 64 bits in hexadecimal digits', () => {
  for (const value of Object.values(fingerprint(page('<p>Some text.</p>')))) assert.match(value, /^[0-9a-f]{16}$/);
});

test('two articles of one site differ in every fingerprint', () => {
  const dice = createDice(1);
  const articles = Array.from({ length: 40 }, () =>
    fingerprint(page(`<article><h1>${words(dice, 5)}</h1>${`<p>${words(dice, 60)}</p>`.repeat(4)}</article>`)),
  );
  for (const [at, one] of articles.entries()) {
    for (const other of articles.slice(at + 1)) {
      assert.notEqual(one.exact, other.exact);
      assert.notEqual(one.gist, other.gist);
      assert.ok(distance(one, other) > 6, `${distance(one, other)}`);
    }
  }
});

describe('an empty calendar', () => {
  const nameOf = (language: string, date: Date, part: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...part, timeZone: 'UTC' }).format(date);
  const monthOf = (at: number) => new Date(Date.UTC(2031, at, 1));

  function month(language: string, at: number, style: 'long' | 'short', day: (number: number) => string): string {
    const name = (index: number) =>
      `${nameOf(language, monthOf(index), { month: style })} ${2031 + Math.floor(index / 12)}`;
    const weekdays = [3, 4, 5, 6, 7, 8, 9].map((index) =>
      nameOf(language, new Date(Date.UTC(2031, 10, index)), { weekday: style }),
    );
    const days = Array.from({ length: new Date(Date.UTC(2031, at + 1, 0)).getUTCDate() }, (_, index) => day(index + 1));
    return page(
      `<h1>${name(at)}</h1><a href="?month=${at - 1}">« ${name(at - 1)}</a> <a href="?month=${at + 1}">${name(at + 1)} »</a>
      <table><tr>${weekdays.map((weekday) => `<th>${weekday}</th>`).join('')}</tr><tr>${days.join('')}</tr></table>`,
      `${name(at)} | Calendar`,
    );
  }

  const layouts: [string, (number: number) => string][] = [
    ['a grid of numbers', (number) => `<td>${number}</td>`],
    ['a note in each cell', (number) => `<td><b>${String(number).padStart(2, '0')}</b> No events</td>`],
  ];
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']) {
    for (const style of ['long', 'short'] as const) {
      for (const [layout, day] of layouts) {
        test(`has the same gist in every month: ${language}, ${style} names, ${layout}`, () => {
          const months = Array.from({ length: 24 }, (_, at) => fingerprint(month(language, at, style, day)));
          assert.equal(new Set(months.map(({ exact }) => exact)).size, 24);
          assert.equal(new Set(months.map(({ gist }) => gist)).size, 1);
          for (const other of months) assert.ok(distance(months[0]!, other) <= 3);
        });
      }
    }
  }

  test('has the same gist in every week and on every day', () => {
    const week = (first: number) => {
      const days = Array.from({ length: 7 }, (_, at) => `<td>${((first + at - 1) % 31) + 1}</td>`).join('');
      return page(
        `<table><tr><th>Mon<th>Tue<th>Wed<th>Thu<th>Fri<th>Sat<th>Sun</tr><tr>${days}</tr></table>Nothing on`,
      );
    };
    assert.equal(new Set([1, 8, 15, 22, 29].map((first) => fingerprint(week(first)).gist)).size, 1);
    const day = (name: string) => page(`<h1>${name}</h1><ul><li>8:00<li>9:00<li>10:00</ul>Nothing on`);
    const days = ['Monday, April 7, 2031', 'Tuesday, April 8, 2031', 'mercredi 30 avril 2031', '2031-05-01'];
    assert.equal(new Set(days.map((name) => fingerprint(day(name)).gist)).size, 1);
  });

  test('has the same gist in Japanese, where dates are numbers', () => {
    const months = [1, 4, 11].map((at) => {
      const days = Array.from({ length: 28 + (at % 3) }, (_, index) => `<td>${index + 1}日</td>`);
      return fingerprint(page(`<h1>2031年${at}月</h1><table><tr>${days.join('')}</tr></table>予定はありません`));
    });
    assert.equal(new Set(months.map(({ gist }) => gist)).size, 1);
  });
});

test('pages that differ only in one number are different pages', () => {
  const item = (number: number, more = '') =>
    fingerprint(page(`<h1>Item ${number}</h1><p>A thing of copper and glass.</p>${more}`));
  const numbers = Array.from({ length: 120 }, (_, at) => at + 1);
  // A date elsewhere on the page does not turn the item number into a day.
  for (const more of ['', '<p>Added on Monday, 3 May 2024. Rated 300 times.</p>', '<p>You may also like item 5.</p>']) {
    const fingerprints = numbers.map((number) => item(number, more));
    assert.equal(new Set(fingerprints.map(({ exact }) => exact)).size, 120);
    assert.equal(new Set(fingerprints.map(({ gist }) => gist)).size, 120);
  }
});

test('links, attributes and scripts do not count, so a page is the same under every session id', () => {
  const pageInSession = (session: string) =>
    fingerprint(
      page(`<h1>Lamp</h1><script>var session = "${session}"</script><style>.${session} {}</style>
      <p class="${session}">Bright. <a href="/cart?sid=${session}">Add to cart</a></p><img src="/lamp.jpg;jsessionid=${session}">
      <noscript>${session}</noscript><template>${session}</template><input type="hidden" value="${session}">`),
    );
  assert.deepEqual(
    pageInSession('a81bc81bdead4e5dabff90865d1e13b1'),
    pageInSession('c2f5de4dd1dc4cd8b8f2b6a1d9e0f3a7'),
  );
});

test('the same products in another order have the same words, but not the same text', () => {
  const dice = createDice(2);
  const products = Array.from({ length: 24 }, (_, at) => `<li>${words(dice, 4)} ${at * 7 + 100} €</li>`);
  const facet = (order: string[], sorting: string) =>
    fingerprint(page(`<h1>Lamps</h1><p>24 lamps, sorted by ${sorting}</p><ul>${order.join('')}</ul>`));
  const byName = facet(products, 'name');
  const reversed = facet(products.toReversed(), 'name');
  assert.notEqual(byName.exact, reversed.exact);
  assert.equal(byName.gist, reversed.gist);
  assert.equal(byName.simhash, reversed.simhash);
  assert.ok(distance(byName, facet(products.toReversed(), 'price')) <= 6);
  assert.ok(distance(byName, facet(products.slice(12), 'name')) > 6);
});

test('header, navigation and footer of a page do not count, its title and main heading do', () => {
  const same = fingerprint(page('<p>Text</p>'));
  assert.deepEqual(fingerprint(page('<p>Text</p>').replace('Sport', 'Opinion')), same);
  assert.deepEqual(fingerprint(page('<p>Text</p>').replace('The Daily Harbour', 'Good morning')), same);
  assert.deepEqual(fingerprint(page('<p>Text</p>').replace('Most read this week', 'Advertisement')), same);
  assert.deepEqual(fingerprint(page('<p>Text</p>').replace('Someone', 'Somebody')), same);
  assert.notEqual(fingerprint(page('<p>Text</p>', 'Another title')).exact, same.exact);
  assert.notEqual(fingerprint(page('<p>Text</p>').replace('The Daily', '<h1>One</h1>')).exact, same.exact);
  const inArticle = (header: string) =>
    fingerprint(page(`<article><header>${header}</header><p>Text</p></article>`)).exact;
  assert.notEqual(inArticle('By Ann'), inArticle('By Bob'));
});

test('case, spacing and inline markup do not matter, symbols do', () => {
  const text = (html: string) => fingerprint(`<p>${html}</p>`).exact;
  assert.equal(text('Über den Fluß'), text('ÜBER  den\n<b>Fluß</b>'.replace('Fluß', 'fluß')));
  assert.notEqual(text('Learn C'), text('Learn C++'));
  assert.notEqual(text('one two'), text('two one'));
  assert.notEqual(text('<i>1</i><i>23</i>'), text('<i>12</i><i>3</i>'));
});

test('dates, times and ids do not change the gist', () => {
  const same: [string, string][] = [
    ['Seen on 2031-04-07', 'Seen on 2032-11-30'],
    ['Seen on 7.4.2031', 'Seen on 30.11.2032'],
    ['Seen on 04/07/31', 'Seen on 11/30/32'],
    ['Seen 2031-04-07T12:30:00Z', 'Seen 2031-04-08T08:05:59Z'],
    ['Open at 8:30', 'Open at 19:45pm'],
    ['Archive of 2031', 'Archive of 1999'],
    ['Season 2031/32', 'Season 2032-2033'],
    ['From 04/2031', 'From 05/2031'],
    ['On April 7th we met', 'On March 21st we met'],
    ['le 1 août', 'le 12 février'],
    ['7 de abril de 2031', '19 de mayo de 2032'],
    ['Token 5f4dcc3b5aa765d61d8327de', 'Token A94A8FE5CCB19BA61C4C0873'],
    ['Id 123e4567-e89b-12d3-a456-426614174000', 'Id 9b2d7c1a-05f3-4c8e-8f11-0a1b2c3d4e5f'],
    ['Call 1234567890123456', 'Call 9999567890123411'],
  ];
  for (const [one, other] of same) assert.equal(gistOf(one), gistOf(other), one);
});

test('numbers and names that only resemble dates are kept', () => {
  const different: [string, string][] = [
    ['It costs $1999', 'It costs $2099'],
    ['It costs 1999 €', 'It costs 2099 €'],
    ['It costs 1999.90', 'It costs 2049.90'],
    ['It costs 1,950', 'It costs 2,050'],
    ['Ticket #2001', 'Ticket #2002'],
    ['April 20% off', 'April 30% off'],
    ['Version 1.2.3', 'Version 1.2.4'],
    ['At 192.168.1.10', 'At 192.168.1.11'],
    ['Set 17', 'Set 18'],
    ['Gen 5', 'Gen 6'],
    ['Page 2', 'Page 3'],
    ['The 17th chapter', 'The 18th chapter'],
    ['Score 3:1', 'Score 4:1'],
    ['A 256gb disk', 'A 512gb disk'],
    ['covid-19-pandemic-response', 'covid-19-pandemic-respite'],
    ['Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahrtsgesellschaften'],
  ];
  for (const [one, other] of different) assert.notEqual(gistOf(one), gistOf(other), one);
});

test('texts without spaces are distinguished and matched like others', () => {
  const one = '我们在河边的小村庄里住了三年，每天早上都去市场买新鲜的蔬菜和鱼。';
  const other = '新的图书馆将于明年春天开放，读者可以免费借阅所有的书籍。';
  assert.ok(distance(fingerprinter.ofText(one), fingerprinter.ofText(other)) > 6);
  assert.deepEqual(fingerprinter.ofText(`${one}\n${other}`).gist, fingerprinter.ofText(`${other}\n${one}`).gist);
  assert.notEqual(gistOf('上海'), gistOf('海上'));
  assert.notEqual(gistOf('ภาษาไทย'), gistOf('ภาษาลาว'));
});

test('gallery pages, which have no text of their own, are distinguished by their pictures', () => {
  const photo = (name: string) => fingerprint(page(`<img src="/photos/${name}?w=800"><a href="/next">Next</a>`));
  assert.notEqual(photo('0017.jpg').exact, photo('0018.jpg').exact);
  const lazy = (name: string) => fingerprint(page(`<img src="/blank.gif" data-src="/photos/${name}">`));
  assert.notEqual(lazy('0017.jpg').exact, lazy('0018.jpg').exact);
  assert.notEqual(photo('9f86d081884c7d659a2f.jpg').gist, photo('60303ae22b998861bce3.jpg').gist);
  const article = (name: string) => fingerprint(page(`<img src="/${name}"><p>${words(createDice(3), 40)}</p>`));
  assert.deepEqual(article('a.jpg'), article('b.jpg'));
});

test('only the first 200,000 characters count, whatever they are', () => {
  const long = (end: string) => fingerprint(`<p>${'long text '.repeat(20_000)}</p><p>${end}</p>`);
  assert.deepEqual(long('one'), long('another'));
  assert.equal(fingerprinter.ofText('x'.repeat(5_000_000)).exact, fingerprinter.ofText('x'.repeat(200_000)).exact);
  for (const piece of ['1-', '1', '1:', '9a', '-', '\ud800', '文', '12345678-'])
    fingerprinter.ofText(piece.repeat(300_000));
});

test('a text may have more distinct words than the table holds', () => {
  const dice = createDice(4);
  const many = Array.from({ length: 40_000 }, () => dice.roll(1_000_000).toString(36)).join(' ');
  assert.deepEqual(fingerprinter.ofText(many), fingerprinter.ofText(many));
  assert.notEqual(fingerprinter.ofText(many).gist, fingerprinter.ofText(`zebra ${many}`).gist);
});

test('a fingerprint does not depend on earlier ones', () => {
  const html = page('<h1>April 2031</h1><p>No events on the 5th, 6th and 7th</p>');
  const fresh = createFingerprinter().ofPage(parseHtml(html));
  fingerprinter.ofText(`Monday 1 2 3 ${words(createDice(5), 5_000)} May 7`);
  assert.deepEqual(fingerprint(html), fresh);
  assert.deepEqual(fingerprinter.ofText(''), createFingerprinter().ofText(''));
});
