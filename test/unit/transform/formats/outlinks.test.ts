import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Discovered, TransformFormat, TransformRequest } from '../../../../src/page/page.ts';
import { createExtractor } from '../../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../../src/transform/pipeline.ts';
import { rescue } from '../../../../src/transform/rescue.ts';

const pipeline = createPipeline({
  judge: () => ({ kind: 'content', reason: '' }),
  extract: createExtractor(loadModel()),
});

interface Answer {
  type?: string;
  link?: string;
  url?: string;
  formats?: TransformFormat[];
}

const request = (source: string, { type = 'text/html', link, url, formats = [] }: Answer = {}): TransformRequest => ({
  page: {
    finalUrl: url ?? 'https://example.com/docs/start?lang=en',
    status: 200,
    headers: link === undefined ? {} : { link },
    contentType: `${type}; charset=utf-8`,
    bytes: Buffer.from(source),
  },
  options: {
    formats,
    onlyMainContent: true,
    includeTags: [],
    excludeTags: ['a'],
    removeBase64Images: true,
    blockAds: true,
  },
});
const discover = (source: string, answer?: Answer): Discovered => pipeline(request(source, answer)).discovered;
const links = (source: string, answer?: Answer): string[] => discover(source, answer).links;

test('links come from the whole page, navigation and noscript included, whatever the options exclude', () => {
  assert.deepEqual(
    links(`<nav><a href="/nav">n</a></nav><main><a href="/main">m</a></main><footer><a href="/foot">f</a></footer>
      <div hidden><a href="/hidden">h</a></div><map><area href="/area"></map>
      <noscript><a href="/noscript">x</a></noscript><template><a href="/template">t</a></template>`),
    ['nav', 'main', 'foot', 'hidden', 'area', 'noscript'].map((path) => `https://example.com/${path}`),
  );
});

test('links are absolute, without fragment, unique, and in document order', () => {
  assert.deepEqual(
    links(`<a href="b#one">1</a><a href="../up">2</a><a href=" b#two ">3</a><a href="?page=2">4</a><a href="//other.test">5</a>
      <a href="HTTP://Example.COM:80/A b">6</a><a href="/app#!/route">7</a><a href="/app">8</a>`),
    [
      'https://example.com/docs/b',
      'https://example.com/up',
      'https://example.com/docs/start?page=2',
      'https://other.test/',
      'http://example.com/A%20b',
      'https://example.com/app',
    ],
  );
});

test('targets that are not web pages are not links', () => {
  assert.deepEqual(
    links(`<a href="#top">1</a><a href="">2</a><a>3</a><a href="javascript:x()">4</a><a href="mailto:a@b.c">5</a>
      <a href="data:text/html,x">6</a><a href="ftp://a.test/">7</a><a href="http://">8</a><a href="tel:1">9</a>
      <a href="/${'x'.repeat(2048)}">10</a><img src="/i.png"><iframe src="/frame"></iframe><script src="/s.js"></script>`),
    [],
  );
});

test('relative links are resolved against the base of the page', () => {
  assert.deepEqual(links('<base href="/v2/"><a href="x">x</a>'), ['https://example.com/v2/x']);
});

test('the pages of a frameset are links', () => {
  const page = '<frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html#x"></frameset>';
  assert.deepEqual(links(page), ['https://example.com/docs/menu.html', 'https://example.com/docs/main.html']);
});

test('a page gives at most 10,000 links, and the link to the next page is among them', () => {
  const page = Array.from({ length: 20_000 }, (_, at) => `<a href="/${at}">x</a>`).join('');
  const found = discover(`${page}<a rel="next" href="/next">Next</a>`);
  assert.ok(found.links.length <= 10_000 && found.links.length > 9_900);
  assert.deepEqual(found.next, ['https://example.com/next']);
  assert.equal(found.links.at(-1), 'https://example.com/next');
  const many = discover(page.replaceAll('<a ', '<a rel=next '));
  assert.ok(many.next.length <= 10 && many.links.length <= 10_000);
});

test('links are cut at two million characters in all, and the link to the next page is still among them', () => {
  const page = Array.from({ length: 5_000 }, (_, at) => `<a href="/${at}/${'x'.repeat(1_500)}">x</a>`).join('');
  const found = discover(`${page}<a rel="next" href="/next">Next</a>`);
  const characters = found.links.reduce((sum, link) => sum + link.length, 0);
  assert.ok(characters > 1_900_000 && characters < 2_010_000, String(characters));
  assert.equal(found.links.at(-1), 'https://example.com/next');
});

test('links with rel=next are listed as next and as links', () => {
  const found =
    discover(`<link rel="prev" href="?page=1"><link rel="Next" href="?page=3"><a rel="nofollow next" href="?page=3#list">»</a>
    <a rel="next-article" href="/other">x</a>`);
  assert.deepEqual(found.next, ['https://example.com/docs/start?page=3']);
  assert.deepEqual(found.links, ['https://example.com/docs/start?page=3', 'https://example.com/other']);
});

test('the canonical URL is the first usable one on the page', () => {
  const canonical = (source: string, answer?: Answer) => discover(source, answer).canonical;
  const head =
    '<link rel="canonical" href=" "><link rel="canonical" href="#"><link rel="canonical" href="javascript:x">';
  assert.equal(
    canonical(`${head}<link rel="CANONICAL" href="/a#b"><link rel=canonical href=/c>`),
    'https://example.com/a',
  );
  assert.equal(canonical('<meta property="og:url" content="/a"><link rel="alternate" href="/b">'), undefined);
  const link = '</header>; rel="canonical"';
  assert.equal(canonical('<p>x', { link }), 'https://example.com/header');
  assert.equal(canonical('<link rel=canonical href=/page>', { link }), 'https://example.com/page');
  assert.ok(!('canonical' in discover('<p>x')));
});

test('the Link header is parsed as the standard says', () => {
  const found = (link: string) => {
    const { next, canonical } = discover('<base href="/elsewhere/"><p>x', { link });
    return { next, canonical };
  };
  assert.deepEqual(found('<?page=2>; rel=next, </c,d>; title="a, <b>; rel=next"; rel="canonical start"'), {
    next: ['https://example.com/docs/start?page=2'],
    canonical: 'https://example.com/c,d',
  });
  const none = { next: [], canonical: undefined };
  for (const header of [
    '',
    '</a>; rel=prev',
    '</a>; title="rel=next"',
    '</a>; title="\\"; rel=next"',
    '</a>; title="\\", </b>; rel=next"',
    '</a>; rel=prev; rel=next',
    '</a>; rel=next; anchor="/other"',
    '</a; rel=next',
    '<mailto:a@b.c>; rel=canonical',
    '</a>',
    '<'.repeat(1000),
    ';rel="'.repeat(10_000),
  ])
    assert.deepEqual(found(header), none, header.slice(0, 60));
  assert.deepEqual(found(' </a> ;  REL = "Next" ').next, ['https://example.com/a']);
});

test('the entries of a feed are links', () => {
  const rss = `<rss><channel><title>t</title><link>https://example.com/</link>
    <item><title>a</title><link>/a#x</link></item><item><title>b</title><link>mailto:b@c.d</link></item></channel></rss>`;
  assert.deepEqual(links(rss, { type: 'application/rss+xml' }), ['https://example.com/', 'https://example.com/a']);
});

test('links in Markdown are found', () => {
  const markdown = `[a](a.md "title") ![picture](p.png) [![badge](b.svg)](/badge) [wiki](https://w.test/A_(b)#c)
<https://auto.test/x> and https://bare.test/y. [jump](#here) [mail](mailto:a@b.c) [all][ref]

[ref]: <../ref.md>
`;
  assert.deepEqual(links(markdown, { type: 'text/markdown' }), [
    'https://example.com/docs/a.md',
    'https://example.com/badge',
    'https://w.test/A_(b)',
    'https://auto.test/x',
    'https://bare.test/y',
    'https://example.com/ref.md',
  ]);
  for (const piece of ['![', '](', '[a](', '](((', '[a]: ', 'http://a....', '![a]('])
    assert.ok(links(piece.repeat(20_000), { type: 'text/markdown' }).length <= 10_000);
});

test('other text formats give no links, but their Link header may', () => {
  const answer = { link: '</data?page=2>; rel="next", </data>; rel="canonical"' };
  for (const type of ['application/json', 'application/xml', 'text/csv', 'text/plain']) {
    const found = discover('{"url": "https://example.com/a"}', { ...answer, type });
    assert.deepEqual(found.links, ['https://example.com/data?page=2'], type);
    assert.deepEqual(found.next, found.links);
    assert.equal(found.canonical, 'https://example.com/data');
    assert.match(found.fingerprint.exact, /^[0-9a-f]{16}$/);
  }
});

test('discovered links do not depend on the formats', () => {
  const page =
    '<title>t</title><nav><a href="/n">n</a></nav><main><h1>Head</h1><p>Some text <a href="/m">m</a></p></main>';
  const none = discover(page);
  assert.equal(none.links.length, 2);
  const formats: TransformFormat[] = ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes'];
  for (const format of formats) assert.deepEqual(discover(page, { formats: [format] }), none);
});

test('a page that could not be processed still gives its links', () => {
  const source = '<link rel=canonical href=/c><p>Text <a href="/a">a</a> <a rel=next href="/b">b</a></p>';
  assert.deepEqual(rescue(request(source)).discovered, discover(source));
});
