// Pages made to be too deep, too large or too slow, and pages that reach for what is not theirs.
import assert from 'node:assert/strict';
import type { TransformOptions } from '../../../src/page/page.ts';
import { createExtractor } from '../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../src/transform/pipeline.ts';
import { fullTest, test } from '../../support/full-run.ts';
import { amount } from '../../support/runs.ts';

const OPTIONS: TransformOptions = {
  formats: ['markdown', 'html', 'links', 'images'],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
};
const extract = createExtractor(loadModel());
const pipeline = createPipeline({ judge: () => ({ kind: 'content', reason: '' }), extract });
const transform = (html: string, contentType = 'text/html; charset=utf-8', options: Partial<TransformOptions> = {}) =>
  pipeline({
    page: { finalUrl: 'https://example.com/', status: 200, headers: {}, contentType, bytes: Buffer.from(html) },
    options: { ...OPTIONS, ...options },
  });
/** What is slow with a tenth of it would not end with all of it. */
const times = (count: number) => count / amount({ short: 10, full: 1 });
const CUT = 'The page is too large or too deeply nested; parts of it were cut off.';

test('100,000 nested elements are flattened with a warning and keep their text', () => {
  for (const name of ['div', 'blockquote', 'b', 'table><tr><td']) {
    const { content, warnings } = transform(`${`<${name}>`.repeat(100_000)}deep text</p>`);
    assert.match(content.markdown!, /deep text/, name);
    assert.deepEqual(warnings, [CUT], name);
  }
});

test('nested lists stop indenting at a maximum depth', () => {
  const { content } = transform(`${'<ul><li>'.repeat(400)}deep text`);
  assert.match(content.markdown!, /deep text/);
  assert.ok(content.markdown!.length < 1000, String(content.markdown!.length));
});

fullTest('a page of more than a million nodes is cut, with a warning', () => {
  const { content, warnings } = transform('<p>word</p>'.repeat(600_000), undefined, { formats: ['markdown'] });
  assert.ok(content.markdown!.startsWith('word\n\nword'));
  assert.deepEqual(warnings, [CUT]);
});

test('a single line of 20 MB is kept whole', () => {
  const { content } = transform(`<p>${'x'.repeat(20_000_000)}</p>`, undefined, { formats: ['markdown'] });
  assert.equal(content.markdown!.length, 20_000_000);
});

test('inputs designed to be slow are handled', () => {
  const inputs: string[] = [
    '<b>a</b>'.repeat(times(50_000)),
    '<a href="/x">a</a>! '.repeat(times(50_000)),
    'a<br>'.repeat(times(100_000)),
    '<p><button>'.concat('<span>'.repeat(times(20_000)), '<div>'.repeat(times(20_000))),
    '<div>'.repeat(times(50_000)).concat('</b></x>'.repeat(times(100_000))),
    '<b><div>'.repeat(times(20_000)).concat('</b>'.repeat(times(20_000))),
    `<img srcset="${'a,b '.repeat(times(50_000))}">`,
    `<a ${Array.from({ length: times(50_000) }, (_, at) => `a${at}=1`).join(' ')}>x</a>`,
    Array.from({ length: times(50_000) }, (_, at) => `<x${at}>`).join(''),
    `<pre>${' '.repeat(times(200_000))}x</pre>`,
    `<table>${'<tr><td colspan=1000 rowspan=65534>x'.repeat(2000)}</table>`,
    `<ul>${'<li>'.repeat(times(100_000))}</ul>`,
    '<!---->'.repeat(times(100_000)).concat('<x'),
    '&amp'.repeat(times(200_000)),
    '\0'.repeat(times(500_000)),
    '<'.repeat(times(500_000)),
    '<a href="'.repeat(times(100_000)),
    'x<b>.</b>'.repeat(times(30_000)),
    '<em>a <em>b</em></em> '.repeat(times(10_000)),
    '<strong><em>'.repeat(200).concat('a', '</em></strong>'.repeat(200)).repeat(20),
    '<sup><a href="#fn1">1</a></sup><p id="fn1">n</p>'.repeat(times(10_000)),
    '<math><mfrac>'.repeat(times(10_000)),
    `${'<math>'.concat('<munder>'.repeat(400))}x${'</munder>'.repeat(400)}`.repeat(20),
    '<mjx-container><mjx-math>'.repeat(times(5_000)),
    `<div role="table">${'<div role="row"><div role="cell">'.repeat(times(10_000))}`,
    `<table><tr><th>a<th>b<tr><td>${'<table><tr><td>'.repeat(times(5_000))}`,
    '<div class="code-line"><div class="code-line">'.repeat(times(10_000)),
    '<div class="code"><div class="line"><span class="lineno">1</span>'.repeat(times(10_000)),
    `<table><tr><td>${'1\n2\n'.repeat(times(20_000))}</td><td>x</td></tr></table>`,
    `${'<span class="lang">js</span>'.repeat(times(20_000))}<pre>x</pre>`,
    `<div>${'<div></div>'.repeat(200)}<pre>x</pre></div>`.repeat(times(5_000)),
    '<p>a</p><div hidden>b</div><img src="/i.png">'.repeat(times(10_000)),
    '<script type="math/tex">x</script>'.repeat(times(20_000)),
    '<span class="katex"><math>x</math><b>y</b></span>'.repeat(times(20_000)),
    `<script src="mathjax.js"></script><p>${'\\(a $'.repeat(times(50_000))}`,
    `<table>${'<tr><td class="lineno">1</td><td>x</td></tr>'.repeat(times(20_000))}</table>`,
    '<ul><li>a</li>'.repeat(times(20_000)),
    `<p>${'&#x200b;a '.repeat(times(100_000))}`,
    `<p>${'a_'.repeat(times(200_000))}`,
    `<h2>${'# '.repeat(times(100_000))}</h2>`,
    '</x y="'.repeat(times(50_000)),
    '<script>'.concat('</scrip'.repeat(times(100_000))),
    '<!--'.repeat(times(100_000)),
  ];
  for (const html of inputs) assert.equal(typeof transform(html).content.markdown, 'string', html.slice(0, 40));
});

test('hostile input that is not HTML is bounded too', () => {
  const feed = transform(
    `<?xml version="1.0"?><rss><channel><title>t</title>${'<item>'.repeat(100_000)}`,
    'application/rss+xml',
  );
  assert.match(feed.content.markdown!, /^# t/);
  const csv = transform('a,b\n'.repeat(5000), 'text/csv');
  assert.equal(csv.content.markdown!.split('\n').length, 1001);
  assert.deepEqual(csv.warnings, ['Only the first 1000 rows of the table are in the Markdown.']);
  const json = transform('['.repeat(100_000), 'application/json');
  assert.match(json.content.markdown!, /^```json\n\[\[/);
  const text = transform(`http://${'.'.repeat(200_000)}a`, 'text/plain');
  assert.deepEqual(text.content.images, []);
  const prolog = transform('<!---->'.repeat(10_000), '');
  assert.equal(prolog.content.markdown, '');
});

test('a page cannot set metadata fields of the service or reach a prototype', () => {
  const names = [
    '__proto__',
    'constructor',
    'Constructor',
    'prototype',
    'toString',
    'statusCode',
    'scrapeId',
    'creditsUsed',
  ];
  const metas = names.map((name) => `<meta name="${name}" content="x">`).join('');
  const many = Array.from({ length: 5000 }, (_, at) => `<meta name="n${at}" content="${'v'.repeat(30_000)}">`).join('');
  const { metadata } = transform(`<head>${metas}${many.slice(0, 10_000_000)}</head>`);
  assert.deepEqual(
    names.filter((name) => Object.hasOwn(metadata, name)),
    ['Constructor', 'toString'],
  );
  assert.ok(Object.keys(metadata).length <= 210);
  assert.ok(Object.values(metadata).every((value) => value.length <= 20_000));
});
