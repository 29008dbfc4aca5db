// POST /v2/scrape: what a page becomes, format by format and type by type.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../support/use-service.ts';
import { charsetSamples } from '../support/web/charsets.ts';

interface Scraped {
  success: boolean;
  data: Record<string, unknown> & {
    metadata: Record<string, unknown>;
    markdown: string;
    rawHtml: string;
    links: string[];
  };
  warning?: string;
}

const scene = useService();

async function scrape(url: string, options: object = {}): Promise<Scraped> {
  const { status, body } = await scene.service.scrape<Scraped>({ url, ...options });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.success, true);
  return body;
}

test('by default only the main content is returned, as Markdown', async () => {
  const { data } = await scrape(scene.web.url('news.test', '/article/1'));
  assert.deepEqual(Object.keys(data).sort(), ['markdown', 'metadata']);
  assert.match(data.markdown, /^# /m);
  assert.match(data.markdown, /^## /m);
  assert.match(data.markdown, /^[-*] First point$/m);
  assert.match(data.markdown, /\| Year \| Ships \|/);
  assert.ok(data.markdown.includes(`](${scene.web.url('news.test', '/article/2?from=list#top')})`));
  for (const noise of ['Most read', 'umbrellas', 'We use cookies', 'Terms', 'Contact']) {
    assert.ok(!data.markdown.includes(noise), noise);
  }
});

test('without onlyMainContent the whole page is returned', async () => {
  const { data } = await scrape(scene.web.url('news.test', '/article/1'), { onlyMainContent: false, blockAds: false });
  for (const part of ['Most read', 'Terms', 'First point']) assert.ok(data.markdown.includes(part), part);
});

test('consent banners are not in the whole page either, unless blockAds is off', async () => {
  const url = scene.web.url('news.test', '/article/1');
  const options = { onlyMainContent: false, formats: ['markdown', 'html'] };
  const { data } = await scrape(url, options);
  assert.doesNotMatch(data.markdown, /We use cookies|Accept all/);
  assert.doesNotMatch(String(data.html), /cookie-banner/);
  const { data: all } = await scrape(url, { ...options, blockAds: false });
  assert.match(all.markdown, /We use cookies/);
});

test('each format fills its own key, and no other key is present', async () => {
  const url = scene.web.url('news.test', '/article/1');
  const formats = [
    'html',
    'rawHtml',
    'links',
    'images',
    { type: 'attributes', selectors: [{ selector: 'article img', attribute: 'alt' }] },
  ];
  const { data } = await scrape(url, { formats });
  assert.deepEqual(Object.keys(data).sort(), ['attributes', 'html', 'images', 'links', 'metadata', 'rawHtml']);
  assert.ok(!String(data.html).includes('<script'));
  assert.ok(String(data.html).includes(`src="${scene.web.url('news.test', '/images/lead.png')}"`));
  assert.ok(data.rawHtml.startsWith('<!doctype html>'));
  assert.ok(data.links.includes(scene.web.url('news.test', '/article/2?from=list#top')));
  assert.ok(!data.links.some((link) => link.endsWith('/terms')));
  assert.deepEqual(data.images, [scene.web.url('news.test', '/images/lead.png')]);
  assert.deepEqual(data.attributes, [{ selector: 'article img', attribute: 'alt', values: ['A harbour in winter'] }]);
});

test('metadata has the page’s own values and the facts of the scrape', async () => {
  const url = scene.web.url('news.test', '/article/1');
  const { metadata } = (await scrape(url, { maxAge: 0 })).data;
  assert.match(String(metadata.title), /The Small News$/);
  assert.match(String(metadata.description), /^In short/);
  assert.equal(metadata.language, 'en');
  assert.equal(metadata.keywords, 'news, small, test');
  assert.equal(metadata.ogSiteName, 'The Small News');
  assert.equal(metadata.publishedTime, '2026-01-15T08:30:00Z');
  assert.equal(metadata.author, 'Ada Writer');
  assert.equal(metadata.favicon, scene.web.url('news.test', '/favicon.ico'));
  assert.equal(metadata.sourceURL, url);
  assert.equal(metadata.url, url);
  assert.equal(metadata.statusCode, 200);
  assert.equal(metadata.proxyUsed, 'basic');
  assert.equal(metadata.creditsUsed, 1);
  assert.equal(metadata.concurrencyLimited, false);
  assert.match(String(metadata.scrapeId), /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.equal(metadata.contentType, 'text/html; charset=utf-8');
  assert.ok(!('cacheState' in metadata), 'maxAge 0 does not consult the cache');
  assert.ok(!('error' in metadata));
});

test('includeTags and excludeTags choose by CSS selector', async () => {
  const url = scene.web.url('news.test', '/article/1');
  const only = await scrape(url, { includeTags: ['aside h2', '.ad'], blockAds: false });
  assert.match(only.data.markdown, /Most read/);
  assert.ok(!only.data.markdown.includes('First point'));
  const without = await scrape(url, { excludeTags: ['table', 'figure'] });
  assert.ok(!without.data.markdown.includes('Ships |'));
  assert.match(without.data.markdown, /First point/);
});

test('an invalid selector is named in a warning and does not affect the rest', async () => {
  const { data, warning } = await scrape(scene.web.url('news.test', '/article/1'), { excludeTags: ['a[[', 'table'] });
  assert.match(String(warning), /a\[\[/);
  assert.equal(data.warning, warning);
  assert.match(data.markdown, /First point/);
});

describe('other types of text', () => {
  const cases: [path: string, expected: RegExp][] = [
    ['/data.json', /```json\n[\s\S]*"harbour"/],
    ['/broken.json', /harb/],
    ['/data.xml', /Anna/],
    ['/table.csv', /\| year \| ships \| largest, name \|/],
    ['/notes.txt', /indented <b>not bold<\/b>/],
    ['/readme.md', /^# Harbour/],
    ['/feed.rss', /\[Ship arrives\]\(http:\/\/news\.test\/article\/1\)/],
    ['/feed.atom', /\[Fog\]\(http:\/\/news\.test\/article\/3\)/],
    ['/page.xhtml', /XHTML it is/],
    ['/script.js', /harbour = 1/],
    ['/lies/html-as-xls', /Tons/],
    ['/lies/paper.pdf', /The paper has moved/],
    ['/lies/missing.png', /No such picture/],
    ['/lies/html-as-binary', /Untyped page/],
    ['/lies/empty-type', /Empty type/],
    ['/lies/nonsense-type', /Nonsense type/],
  ];
  for (const [path, expected] of cases) {
    test(`${path} gives sensible Markdown and its exact text`, async () => {
      const url = scene.web.url('files.test', path);
      const { data } = await scrape(url, { formats: ['markdown', 'rawHtml'] });
      assert.match(data.markdown, expected);
      assert.ok(data.rawHtml.length > 0);
    });
  }
});

describe('files that are not text are refused with their type', () => {
  const cases: [path: string, type: RegExp][] = [
    ['/picture.png', /image\/png/],
    ['/archive.zip', /zip/],
    ['/program.exe', /executable/],
    ['/film.mp4', /video\/mp4/],
    ['/noise.bin', /octet-stream/],
    ['/lies/png-as-html', /image\/png/],
    ['/lies/binary-as-text', /./],
    ['/lies/html-as-png', /declares the file as image\/png, but its content is an HTML page\. Check/],
    ['/lies/text-as-png', /declares the file as image\/png, but its content is text\. Check/],
    ['/lies/html-as-pdf', /declares the file as application\/pdf, but its content is an HTML page\. Check/],
    ['/lies/text-as-docx', /wordprocessingml\.document, but its content is text\. Check/],
  ];
  for (const [path, type] of cases) {
    test(path, async () => {
      const { status, body } = await scene.service.scrape({ url: scene.web.url('files.test', path) });
      assert.equal(status, 500);
      assert.equal(body.code, 'SCRAPE_UNSUPPORTED_FILE_ERROR');
      assert.match(String(body.error), type);
    });
  }
});

describe('encodings of text', () => {
  const cases: [path: string, language: keyof typeof charsetSamples][] = [
    ['/shift-jis/header', 'japanese'],
    ['/shift-jis/meta', 'japanese'],
    ['/shift-jis/undeclared', 'japanese'],
    ['/euc-jp/meta', 'japanese'],
    ['/gb18030/header', 'chinese'],
    ['/gb18030/meta-gb2312', 'chinese'],
    ['/gb18030/undeclared', 'chinese'],
    ['/windows-1251/header', 'russian'],
    ['/windows-1251/meta', 'russian'],
    ['/windows-1251/undeclared', 'russian'],
    ['/latin1/header', 'french'],
    ['/utf-16le/mark', 'russian'],
    ['/utf-16be/mark', 'russian'],
    ['/utf-8/mark', 'french'],
    ['/utf-8/undeclared', 'french'],
    ['/conflict/header-wins', 'russian'],
    ['/conflict/mark-wins', 'russian'],
    ['/conflict/meta-says-utf-16', 'french'],
    ['/conflict/unknown-name', 'french'],
    ['/late-meta', 'russian'],
  ];
  for (const [path, language] of cases) {
    test(path, async () => {
      const { data } = await scrape(scene.web.url('charset.test', path), { onlyMainContent: false });
      assert.ok(data.markdown.includes(charsetSamples[language]), data.markdown);
    });
  }
});

describe('compressed answers', () => {
  for (const path of [
    '/gzip',
    '/x-gzip',
    '/br',
    '/zstd',
    '/deflate',
    '/deflate-raw',
    '/gzip-then-br',
    '/upper-case',
    '/two-members',
    '/cut-gzip',
  ]) {
    test(path, async () => {
      const { data } = await scrape(scene.web.url('encoding.test', path));
      assert.match(data.markdown, /The same sentence comes again/);
    });
  }
});

test('a page over TLS and HTTP/2 is read like any other', async () => {
  const { data } = await scrape(scene.web.secureUrl('echo.test', '/x'), { formats: ['rawHtml'] });
  assert.equal(JSON.parse(data.rawHtml).protocol, 'HTTP/2.0');
});

test('a page that nests very deeply or never closes its tags is cut, with a warning', async () => {
  for (const path of ['/deep', '/unclosed', '/attributes']) {
    const { data } = await scrape(scene.web.url('bomb.test', path), { onlyMainContent: false });
    assert.equal(typeof data.markdown, 'string');
  }
  assert.match(String((await scrape(scene.web.url('bomb.test', '/deep'))).warning), /deep|cut/i);
});

test('an empty page is an empty success', async () => {
  for (const path of ['/empty', '/no-content']) {
    const { data } = await scrape(scene.web.url('fault.test', path));
    assert.equal(data.markdown, '');
  }
});
