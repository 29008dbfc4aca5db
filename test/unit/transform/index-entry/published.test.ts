import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexEntry } from '../../../../src/page/index-entry.ts';
import { createExtractor } from '../../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../../src/transform/pipeline.ts';

const run = createPipeline({ judge: () => ({ kind: 'content', reason: '' }), extract: createExtractor(loadModel()) });

function entryOf(html: string, url = 'https://example.com/story'): IndexEntry {
  const { entry } = run({
    page: {
      ...{ finalUrl: url, status: 200, headers: {}, contentType: 'text/html; charset=utf-8' },
      ...{ bytes: Buffer.from(html), fetchedAt: Date.UTC(2031, 4, 1) },
    },
    options: {
      ...{ formats: ['markdown'], onlyMainContent: true, includeTags: [], excludeTags: [] },
      ...{ removeBase64Images: true, blockAds: true },
    },
    index: true,
  });
  return entry!;
}

const dayOf = (html: string, url?: string) => {
  const { publishedAt } = entryOf(html, url);
  return publishedAt === undefined ? undefined : new Date(publishedAt).toISOString().slice(0, 10);
};
const jsonLd = (...items: object[]) =>
  items.map((item) => `<script type="application/ld+json">${JSON.stringify(item)}</script>`).join('');
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`;
const published = meta('article:published_time', '2031-04-07T10:00:00Z');

test('the most explicit date wins, and the URL is the last resort', () => {
  const statement = jsonLd({ '@type': 'Article', datePublished: '2031-04-06' });
  const time = '<article><h1>T</h1><time datetime="2031-04-05">x</time></article>';
  const url = 'https://example.com/2031/04/04/story';
  assert.equal(dayOf(published + statement + time, url), '2031-04-07');
  assert.equal(dayOf(statement + meta('dc.date', '2031-04-03') + time, url), '2031-04-06');
  assert.equal(dayOf(meta('DC.date', '2031-04-03') + time, url), '2031-04-03');
  assert.equal(dayOf(time, url), '2031-04-05');
  assert.equal(dayOf('', url), '2031-04-04');
  assert.equal(dayOf('', 'https://example.com/world/2031/apr/02/story'), '2031-04-02');
  assert.equal(dayOf('', 'https://example.com/v/2031/44/02/'), undefined);
});

test('implausible dates are skipped', () => {
  assert.equal(dayOf(meta('article:published_time', '1971-01-01') + meta('date', '2031-04-02')), '2031-04-02');
  assert.equal(dayOf(meta('article:published_time', '2032-01-01')), undefined);
});

test('only a statement about the page itself gives its date', () => {
  const item = (url: string, datePublished: string) => ({ '@type': 'Article', url, datePublished });
  const others = [item('https://example.com/1', '2031-01-01'), item('https://example.com/2', '2031-01-02')];
  assert.equal(dayOf(jsonLd(...others)), undefined);
  assert.equal(
    dayOf(jsonLd({ '@graph': [...others, item('https://example.com/story/', '2031-01-03')] })),
    '2031-01-03',
  );
  assert.equal(
    dayOf(jsonLd({ '@type': 'Product', review: { '@type': 'Review', datePublished: '2031-01-01' } })),
    undefined,
  );
  assert.equal(dayOf(jsonLd({ '@type': 'WebPage', mainEntity: item('x', '2031-02-01') })), '2031-02-01');
});

test('a time next to the main heading is the date; times in a list or of an update are not', () => {
  const time = (day: string, attributes = '') => `<time datetime="${day}" ${attributes}>then</time>`;
  assert.equal(
    dayOf(`<main><h1>T</h1><p>By B, ${time('2031-04-01')}, later ${time('2031-04-02')}</p></main>`),
    '2031-04-01',
  );
  assert.equal(dayOf('<main><h1>T</h1><time>Published on April 1, 2031</time></main>'), '2031-04-01');
  assert.equal(
    dayOf(`<main><h1>T</h1>${['1', '2', '3'].map((day) => time(`2031-04-0${day}`)).join('')}</main>`),
    undefined,
  );
  assert.equal(dayOf(`<main><h1>T</h1><p>Last updated on ${time('2031-04-01')}</p></main>`), undefined);
  assert.equal(dayOf(`<h1>T</h1><footer>${time('2031-04-01', 'pubdate')}</footer>`), '2031-04-01');
  assert.equal(dayOf(`<div><h1>T</h1></div><aside>${time('2031-04-01')}</aside>`), undefined);
});

test('news is what newsrooms mark as news, with a date', () => {
  const news = { '@type': ['Article', 'ReportageNewsArticle'], datePublished: '2031-04-07' };
  assert.equal(entryOf(jsonLd(news)).isNews, true);
  assert.equal(entryOf(jsonLd({ ...news, datePublished: undefined })).isNews, false);
  assert.equal(entryOf(jsonLd(news), 'https://example.com/').isNews, false, 'a front page is not news');
  assert.equal(entryOf(`<div itemscope itemtype="https://schema.org/NewsArticle">${published}x</div>`).isNews, true);
  const isArticle = published + meta('og:type', 'article');
  assert.equal(entryOf(isArticle, 'https://example.com/news/harbour').isNews, true);
  assert.equal(entryOf(isArticle + meta('news_keywords', 'harbour')).isNews, true);
});

test('manuals, shops, blogs and lists of news are not news', () => {
  const isArticle = published + meta('og:type', 'article');
  assert.equal(entryOf(isArticle).isNews, false);
  assert.equal(entryOf(isArticle + meta('article:section', 'Guides'), 'https://example.com/docs/start').isNews, false);
  assert.equal(entryOf(jsonLd({ '@type': 'BlogPosting', datePublished: '2031-04-07' })).isNews, false);
  assert.equal(entryOf(published + jsonLd({ '@type': 'Product' }), 'https://example.com/news/shoe').isNews, false);
  const teaser = '<div itemscope itemtype="https://schema.org/NewsArticle">x</div>';
  assert.equal(entryOf(published + teaser + teaser).isNews, false);
});
