import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexEntry } from '../../../../src/page/index-entry.ts';
import type { TransformOptions, VerdictKind } from '../../../../src/page/page.ts';
import { createPagePool } from '../../../../src/page-threads/page-pool.ts';
import { OWN_WORK } from '../../../../src/runtime/gate/gate.ts';
import { createExtractor } from '../../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../../src/transform/pipeline.ts';
import { rescue } from '../../../../src/transform/rescue.ts';

const NOW = Date.UTC(2031, 4, 1);
const extract = createExtractor(loadModel());
let verdict: VerdictKind = 'content';
const run = createPipeline({ judge: () => ({ kind: verdict, reason: '' }), extract });

const requestFor = (
  html: string,
  given: { url?: string; status?: number; options?: Partial<TransformOptions> } = {},
) => ({
  page: {
    finalUrl: given.url ?? 'https://example.com/guide#top',
    status: given.status ?? 200,
    headers: {},
    contentType: 'text/html; charset=utf-8',
    bytes: new TextEncoder().encode(html),
    fetchedAt: NOW,
  },
  options: {
    ...{ formats: ['markdown' as const], onlyMainContent: true, includeTags: [], excludeTags: [] },
    ...{ removeBase64Images: true, blockAds: true },
    ...given.options,
  },
  index: true,
});

function entryOf(html: string, url?: string, options?: Partial<TransformOptions>): IndexEntry {
  const { entry } = run(requestFor(html, { url, options }));
  assert.ok(entry);
  return entry;
}

const PROSE =
  'The harbour was rebuilt after the storm, and the ships that had waited outside came in one by one at last.';
const article = (inside: string, head = '') =>
  `<html lang="en"><head><title>Harbours</title>${head}</head><body><nav><a href="/home">Home</a></nav>` +
  `<article><h1>Harbours</h1><p>${PROSE}</p>${inside}<p>${PROSE.replace('storm', 'flood')}</p></article></body></html>`;

test('the body is the main content, one line per block, without markup, navigation or hidden text', () => {
  const { body, headings } = entryOf(
    article(
      '<h2>Ships <a href="#ships">¶</a></h2><p>Two   <b>bold</b>\n<a href="/x">words</a><sup><a href="#n1">[1]</a></sup>' +
        '<span style="display:none">secret</span><script>evil()</script> stand here.</p>' +
        '<ul><li>First *star*</li><li>Second</li></ul>',
    ),
  );
  assert.equal(
    body,
    `Harbours\n${PROSE}\nShips\nTwo bold words stand here.\nFirst *star*\nSecond\n${PROSE.replace('storm', 'flood')}`,
  );
  assert.equal(headings, 'Harbours\nShips');
});

test('the cells of a row share one line, and code keeps its lines', () => {
  const { body } = entryOf(
    article(
      '<table><tr><th>Port</th><th>Depth</th></tr><tr><td><p>Trom</p>sø</td><td>9 m</td></tr><tr><td></td><td>7 m</td></tr></table>' +
        '<pre><code>if (tide) {\n  sail();\n}</code></pre>',
    ),
  );
  assert.match(body, /\nPort \| Depth\nTrom sø \| 9 m\n7 m\nif \(tide\) \{\n {2}sail\(\);\n\}\n/);
});

test('a formula appears once, as text', () => {
  const { body } = entryOf(
    article('<p>Energy is <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math> as known.</p>'),
  );
  assert.match(body, /Energy is E=mc\^\{2\} as known\./);
});

test('the entry holds the main content whatever the caller asks for', () => {
  const html = article('');
  const expected = entryOf(html);
  for (const options of [
    { formats: [] },
    { onlyMainContent: false },
    { includeTags: ['nav'] },
    { excludeTags: ['article'] },
    { blockAds: false },
  ]) {
    assert.deepEqual(entryOf(html, undefined, options), expected, JSON.stringify(options));
  }
});

test('asking for an entry does not change the rest of the outcome', () => {
  const asked = requestFor(article('<img src="/a.png" width="300" height="200">'));
  const { entry, texts, ...rest } = run(asked);
  assert.ok(entry && texts);
  assert.deepEqual(rest, run({ ...asked, index: false }));
});

test('a page with an error status, without content, or not requested for the index has no entry', () => {
  assert.equal(run(requestFor(article(''), { status: 404 })).entry, undefined);
  assert.equal(run({ ...requestFor(article('')), index: undefined }).entry, undefined);
  verdict = 'login-wall';
  assert.equal(run(requestFor(article(''))).entry, undefined);
  verdict = 'content';
});

test('title, description, language and countries come from the head', () => {
  const entry = entryOf(
    '<html lang="de-AT"><title>  Häfen\n am Meer </title><meta name="description" content="Von Häfen.">' +
      '<meta property="og:locale" content="de_CH"><link rel="alternate" hreflang="de-DE" href="/guide">' +
      '<link rel="alternate" hreflang="en-GB" href="/en"><link rel="alternate" hreflang="de-EN" href="/guide">' +
      `<p>Der Hafen wurde nach dem Sturm wieder aufgebaut.</p>`,
  );
  assert.equal(entry.url, 'https://example.com/guide');
  assert.equal(entry.title, 'Häfen am Meer');
  assert.equal(entry.description, 'Von Häfen.');
  assert.equal(entry.language, 'de');
  assert.deepEqual(entry.countries, ['AT', 'CH', 'DE']);
  assert.equal(entry.fetchedAt, NOW);
});

test('the file type follows the content, and the extension in the URL counts only where it is plausible', () => {
  assert.equal(entryOf('<p>x</p>', 'https://a.example/').fileType, 'html');
  assert.equal(entryOf('<p>x</p>', 'https://a.example/x.htm').fileType, 'html');
  assert.equal(entryOf('<p>x</p>', 'https://a.example/index.php?x=1').fileType, 'php');
  assert.equal(entryOf('<p>x</p>', 'https://a.example/report.pdf').fileType, 'html');
});

test('links lead to other pages, content links first, each once with its anchor text', () => {
  const { links } = entryOf(
    article(
      '<p><a href="/a#part">  the  old\n pier </a> <a href="/b"><img src="b.png" alt="A crane"></a> <a href="/c" title="Tides"></a>' +
        '<a href="/d"></a><a href="/d">later words</a><a href="/a">again</a><a href="#top">up</a>' +
        `<a href="/guide">self</a><a href="mailto:a@b.example">mail</a><a href="/e">${'word '.repeat(60)}</a> in a line.</p>`,
    ),
  );
  assert.deepEqual(
    links.map(({ url, text }) => [url.replace('https://example.com', ''), text.slice(0, 12)]),
    [
      ['/a', 'the old pier'],
      ['/b', 'A crane'],
      ['/c', 'Tides'],
      ['/d', 'later words'],
      ['/e', 'word word wo'],
      ['/home', 'Home'],
    ],
  );
  assert.equal(links[4]!.text.length, 119, 'must be cut at the end of a word');
});

test('pictures carry their alt text and caption; pixels, icons and sprites are ignored', () => {
  const { images, imageUrl } = entryOf(
    article(
      '<figure><img src="/pier.jpg" width="640" height="480px" alt=" The  pier "><figcaption>Photo: <b>A. B.</b></figcaption></figure>' +
        '<p>One.</p><img src="/small.jpg" srcset="/s.jpg 400w, /large.jpg 1600w" width="400" height="300" alt="">' +
        '<p>Two.</p><img src="/crane-1200x800.jpg"><p>Three.</p><img src="/t.gif" width="1" height="1">' +
        '<img src="/star.png" style="width:16px;height:16px"><img src="/img/spacer.gif"><img src="data:image/gif;base64,R0">' +
        '<div><img src="/dock.jpg?w=300"><p class="wp-caption-text">The dock</p></div><p>Four.</p>',
      '<meta property="og:image" content="/share.png"><meta property="og:image:width" content="1200"><meta property="og:image:alt" content="All">',
    ),
  );
  assert.deepEqual(
    images.map(({ url, ...rest }) => ({ path: url.replace('https://example.com', ''), ...rest })),
    [
      { path: '/pier.jpg', width: 640, height: 480, alt: 'The pier', caption: 'Photo: A. B.' },
      { path: '/large.jpg', width: 1600, height: 1200, alt: '', caption: '' },
      { path: '/crane-1200x800.jpg', width: 1200, height: 800, alt: '', caption: '' },
      { path: '/dock.jpg?w=300', width: 300, alt: '', caption: 'The dock' },
      { path: '/share.png', width: 1200, alt: 'All', caption: '' },
    ],
  );
  assert.equal(imageUrl, 'https://example.com/share.png');
});

test('a page without readable text is indexed by its JSON-LD', () => {
  const text = 'A long story about a lighthouse and its keeper. '.repeat(12);
  const entry = entryOf(
    `<title>T</title><script type="application/ld+json">${JSON.stringify({ '@type': 'Article', articleBody: text, image: { url: '/l.png' } })}</script><div id="app"></div>`,
  );
  assert.equal(entry.body, text.trim());
  assert.equal(entry.imageUrl, 'https://example.com/l.png');
});

test('a text longer than the index accepts is cut at the end of a word', () => {
  const { body } = entryOf(article(`<p>${'lighthouse '.repeat(30_000)}</p>`));
  assert.ok(body.length <= 200_000 && body.length > 199_900);
  assert.ok(body.endsWith('lighthouse'));
});

test('a page that could only be rescued has a plain entry with quality zero', () => {
  const { entry } = rescue(requestFor(article('<script>x()</script>')));
  assert.equal(entry?.title, 'Harbours');
  assert.equal(entry?.quality, 0);
  assert.ok(entry?.body.includes(PROSE) && !entry.body.includes('x()'));
  assert.deepEqual([entry?.links, entry?.images], [[], []]);
});

test('an entry leaves the transform thread as JSON bytes', async () => {
  const pool = createPagePool({ workers: 1 });
  try {
    const request = requestFor(article(''));
    const expected = run(requestFor(article(''))).entry;
    const { entry } = await pool.transform(request, OWN_WORK, new AbortController().signal);
    assert.ok(entry instanceof Uint8Array);
    assert.deepEqual(JSON.parse(Buffer.from(entry).toString()), expected);
  } finally {
    await pool.close();
  }
});
