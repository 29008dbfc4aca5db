import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndexEntry } from '../../src/page/index-entry.ts';
import { readDate } from '../../src/text/dates/read-date.ts';
import { createExtractor } from '../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../src/transform/pipeline.ts';
import { rescue } from '../../src/transform/rescue.ts';
import { amount, runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_310_407);
const NOW = Date.UTC(2031, 4, 1);
const OWN = 'https://example.com/a/b.html';
const pipeline = createPipeline({
  judge: () => ({ kind: 'content', reason: '' }),
  extract: createExtractor(loadModel()),
});

const requestFor = (source: string, contentType: string) => ({
  page: { finalUrl: OWN, status: 200, headers: {}, contentType, bytes: Buffer.from(source), fetchedAt: NOW },
  options: {
    ...{ formats: ['markdown' as const], onlyMainContent: true, includeTags: [], excludeTags: [] },
    ...{ removeBase64Images: true, blockAds: true },
  },
  index: true,
});

// The text shares no letters with tag and attribute names, so leftover markup is visible.
const words = fc.constantFrom(
  'öö',
  ' ',
  '\n',
  '😀',
  '漢字',
  'Ж',
  '\u200d',
  '\u00a0',
  '\0',
  '\ud83d',
  '12',
  '.',
  '&amp;',
  '¶',
);
const tag = fc.constantFrom(
  ...'html head body title meta link script style template noscript p div span a b h1 h2 ul li table tr td th pre code sup'.split(
    ' ',
  ),
  ...'figure figcaption img picture source video time math mi msup svg article nav button select br hr ruby rt iframe q'.split(
    ' ',
  ),
);
const attribute = fc.constantFrom(
  ...[
    '',
    ' href="/x#y"',
    ' href="#y"',
    ' href="http://[broken"',
    ' src="/i-20x99999.png"',
    ' srcset="/i 99999w, 5"',
    ' hidden',
  ],
  ...[
    ' width="1e9"',
    ' width="0"',
    ' style="width:9999999px"',
    ' itemprop="datePublished" content="2031-02-30"',
    ' datetime=""',
  ],
  ...[
    ' property="og:image" content="//["',
    ' property="article:published_time" content="3031"',
    ' hreflang="en-ZZ" href="b.html"',
  ],
  ...[
    ' type="application/ld+json"',
    ' itemtype="https://schema.org/NewsArticle"',
    ' class="sr-only caption"',
    ' lang="xx-"',
  ],
);
const statement = fc.constantFrom(
  '{"@type":[1,null,"Article"],"datePublished":7,"image":[{"url":{}}],"@graph":[[[{}]]],"mainEntity":"x"}',
  '{"@graph":{"@graph":{"@graph":1}}',
  'null',
);
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(tag, attribute).map(([name, attributes]) => `<${name}${attributes}>`) },
  { weight: 4, arbitrary: tag.map((name) => `</${name}>`) },
  { weight: 6, arbitrary: words },
  { weight: 1, arbitrary: statement.map((text) => `<script type="application/ld+json">${text}</script>`) },
);
const soup = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''));

function checkEntry(entry: IndexEntry | undefined): void {
  assert.ok(entry);
  assert.deepEqual(JSON.parse(JSON.stringify(entry)), entry, 'the entry survives JSON');
  assert.equal(entry.url, OWN);
  const texts = [entry.title, entry.description, entry.headings, entry.body];
  const limits = [500, 1_000, 10_000, 200_000];
  for (const [at, text] of texts.entries()) assert.ok(text.length <= limits[at]!);
  assert.ok(entry.links.length <= 300 && entry.images.length <= 100 && entry.countries.length <= 20);
  for (const { url, text } of entry.links) {
    assert.match(url, /^https?:\/\/[^#]+$/);
    assert.ok(url !== OWN && url.length <= 2_048 && text.length <= 120);
    texts.push(text);
  }
  for (const { url, width = 32, height = 32, alt, caption } of entry.images) {
    assert.match(url, /^https?:/);
    assert.ok(width >= 32 && height >= 32 && width <= 100_000 && height < 1e10);
    assert.ok(Number.isInteger(width) && Number.isInteger(height) && alt.length <= 300 && caption.length <= 500);
    texts.push(alt, caption);
  }
  for (const text of texts) assert.ok(text.isWellFormed(), 'no character is cut in half');
  for (const line of entry.body.split('\n')) assert.ok(entry.body === '' || line.trim() !== '', 'no line is empty');
  assert.match(entry.language, /^(?:[a-z]{2})?$/);
  assert.match(entry.simhash, /^[0-9a-f]{16}$/);
  assert.ok(entry.quality >= 0 && entry.quality <= 1);
  assert.ok(entry.publishedAt === undefined || entry.publishedAt <= NOW + 86_400_000);
}

test(`any mix of tags gives an entry within its limits and without markup (seed ${SEED})`, () => {
  fc.assert(
    fc.property(soup, (html) => {
      const { entry } = pipeline(requestFor(html, 'text/html; charset=utf-8'));
      checkEntry(entry);
      assert.doesNotMatch(entry!.body, /[<>]|\/x|sr-only|@type/);
      checkEntry(rescue(requestFor(html, 'text/html; charset=utf-8')).entry);
    }),
    { seed: SEED, numRuns: amount({ short: 100, full: 200, long: 12_000 }) },
  );
});

const TEXT_TYPES = [
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'application/xml',
  'application/rss+xml',
];
const signs = fc.constantFrom(
  ...[
    '# ',
    '```',
    '~~~',
    '---',
    '\n',
    '\n\n',
    '- ',
    '> ',
    '| ',
    '[',
    '](',
    ')',
    '![',
    '**',
    '_',
    '\\',
    '<b>',
    '<!--',
    '<![CDATA[',
  ],
  ...[
    ']]>',
    '<item>',
    '<title>',
    '</title>',
    '"',
    ',',
    '{',
    '}',
    '😀',
    'öö',
    '\ud83d',
    ' ',
    '\t',
    '&#x41;',
    'title: x\n',
    '====',
  ],
);

test(`text of any type gives an entry within its limits (seed ${SEED})`, () => {
  const text = fc
    .array(fc.oneof(signs, fc.string({ maxLength: 8 })), { maxLength: 80 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(...TEXT_TYPES), (source, type) => {
      const { entry } = pipeline(requestFor(source, type));
      if (entry!.fileType === 'html') return;
      checkEntry(entry);
    }),
    { seed: SEED, numRuns: amount({ short: 100, full: 200, long: 12_000 }) },
  );
});

test('pages built to be slow or large stay within the limits', () => {
  const many = amount({ short: 10_000, full: 100_000 });
  for (const html of [
    `<p>${'<i>x</i>'.repeat(many)}`,
    `<p>${'<sup><a href="#">1</a></sup>'.repeat(many / 4)}`,
    `<table><tr>${'<td>x'.repeat(many)}`,
    `<h1>${'<br>x'.repeat(many)}`,
    `<figure>${'<img src="/a?x">'.repeat(2_000)}<p>${'<img src="/b?y"><span class=caption>'.repeat(2_000)}`,
    `<p>${Array.from({ length: 5_000 }, (_, at) => `<a href="/${at}">x${'😀'.repeat(61)}</a>`).join('')}`,
    `<pre>x${'😀'.repeat(150_000)}</pre>`,
    `<p>${'x'.repeat(500_000)}</p>`,
    `<h1>x</h1>${'<time datetime="2031-01-01">x</time>'.repeat(many / 10)}`,
  ]) {
    checkEntry(pipeline(requestFor(`<title>x${'😀'.repeat(400)}</title>${html}`, 'text/html')).entry);
  }
  for (const text of [
    '[a]('.repeat(many),
    '['.repeat(many),
    '*_'.repeat(many),
    '\n|'.repeat(many),
    '> '.repeat(many),
    '<a '.repeat(many),
  ])
    for (const type of TEXT_TYPES) checkEntry(pipeline(requestFor(`x ${text}`, type)).entry);
});

test(`reading a date from any text never throws and never gives a future date (seed ${SEED})`, () => {
  const part = fc.constantFrom(...'2031 04 7 - / . : T Z + Apr April ago days 3 , am pm UTC 年 月'.split(' '), ' ');
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const time = readDate(given, NOW);
      assert.ok(time === undefined || (Number.isInteger(time) && time <= NOW + 86_400_000));
    }),
    { seed: SEED, numRuns: runs(2_000, 100_000) },
  );
});
