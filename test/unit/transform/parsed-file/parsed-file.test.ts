import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransformFormat } from '../../../../src/page/page.ts';
import type { PageBlocks } from '../../../../src/page/parsed.ts';
import { MAX_RENDERED } from '../../../../src/transform/markdown-file/render-markdown.ts';
import { MAX_BODY_CHARS } from '../../../../src/transform/parsed-file/bounded-body.ts';
import { rescue } from '../../../../src/transform/rescue.ts';
import { options, parsedFileRequest, run, transform } from './parsed-file-samples.ts';

const ALL: TransformFormat[] = ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes'];
const MARKDOWN = `# Tides

The *tide* turns, see [the table](tables/1.html#x) and ![a gauge](gauge.png).

<script>alert(1)</script><p onclick="x()">Raw.</p>

| Port | Depth |
| --- | --- |
| Bergen | 9 m |
`;

test('a content key is present exactly when its format was requested', () => {
  for (const body of [{ markdown: MARKDOWN }, { html: '<p>x</p>' }]) {
    for (const format of ALL)
      assert.deepEqual(Object.keys(transform(body, { options: { formats: [format] } }).content), [format]);
    assert.deepEqual(transform(body, { options: { formats: [] } }).content, {});
  }
});

test('Markdown is returned unchanged, and everything else is rendered from it', () => {
  const attributes = [{ selector: 'a', attribute: 'href' }];
  const { content } = transform({ markdown: MARKDOWN }, { options: { formats: ALL, attributes } });
  assert.equal(content.markdown, MARKDOWN);
  assert.deepEqual(content.links, ['https://example.com/files/tables/1.html#x']);
  assert.deepEqual(content.images, ['https://example.com/files/gauge.png']);
  assert.deepEqual(content.attributes, [{ selector: 'a', attribute: 'href', values: ['tables/1.html#x'] }]);
  assert.match(content.html!, /<h1>Tides<\/h1>\s*<p>The <em>tide<\/em> turns, see <a href="https:\/\/example.com\//);
  assert.match(content.html!, /<td>Bergen<\/td><td>9 m<\/td>/);
  assert.match(content.html!, /<p>Raw\.<\/p>/);
  assert.doesNotMatch(content.html!, /script|alert|onclick/);
  assert.match(content.rawHtml!, /^<h1>Tides<\/h1>/);
});

test('HTML from a parser is treated like a page, but as a whole', () => {
  const html =
    '<title>T</title><nav>Contents</nav><h1>Tides</h1><p>The <b>tide</b> <a href="/a">turns</a>.</p><footer>End</footer>' +
    '<script>x()</script>';
  const { content } = transform({ html }, { kind: 'docx', options: { formats: ALL } });
  assert.equal(content.markdown, 'Contents\n\n# Tides\n\nThe **tide** [turns](https://example.com/a).\n\nEnd');
  assert.equal(content.rawHtml, html);
  assert.deepEqual(content.links, ['https://example.com/a']);
  assert.doesNotMatch(content.html!, /script/);
});

test('includeTags and excludeTags apply to parsed files, in every format', () => {
  const formats: TransformFormat[] = ['markdown', 'links', 'images'];
  const table = transform({ markdown: MARKDOWN }, { options: { formats, includeTags: ['table'] } }).content;
  assert.deepEqual(table, {
    markdown: '| Port | Depth |\n| --- | --- |\n| Bergen | 9 m |',
    links: [],
    images: [],
  });
  const rest = transform({ markdown: MARKDOWN }, { options: { excludeTags: ['table', 'h1', '.none', '['] } });
  assert.match(rest.content.markdown!, /^The \*tide\* turns/);
  assert.doesNotMatch(rest.content.markdown!, /Bergen|# Tides/);
  assert.match(rest.warnings.join(), /"\[" in excludeTags is not a valid CSS selector/);
});

test('inline images are removed on request, from the whole Markdown and from each page', () => {
  const image = `data:image/png;base64,${'iVBORw0KGgo='.repeat(100)}`;
  const markdown = `![a](${image}) b`;
  const pages = [{ pageNumber: 1, markdown }];
  const removed = '![a](<Base64-Image-Removed>) b';
  const outcome = (removeBase64Images: boolean) =>
    transform({ markdown }, { options: { removeBase64Images }, parsed: { pages } }).content;
  assert.deepEqual(outcome(true), { markdown: removed, pages: [{ pageNumber: 1, markdown: removed }] });
  assert.deepEqual(outcome(false), { markdown, pages });
});

test('metadata of the file comes first, and its HTML fills the gaps', () => {
  const html = '<html lang="de"><title>In the head</title><meta name="author" content="A"><h1>H</h1>';
  const metadata = { title: 'Of the file', keywords: ['a', 'b'], statusCode: '500', numPages: '7', empty: '' };
  assert.deepEqual(transform({ html }, { parsed: { metadata } }).metadata, {
    ...{ language: 'de', title: 'Of the file', author: 'A', keywords: ['a', 'b'] },
  });
  assert.deepEqual(transform({ markdown: MARKDOWN }).metadata, { title: 'Tides' });
  const long = transform({ html: '' }, { parsed: { metadata: { title: 'x'.repeat(1_000_000) } } }).metadata;
  assert.ok(long.title!.length <= 20_000);
});

test('facts, warnings, pages and blocks of the parser are passed on', () => {
  const item = {
    ...{ id: 'p1.b0', type: 'title', label: null, bbox: null, content: 'Tides', readingOrder: 0, source: 'text' },
    ...{ confidence: { layout: null, ocr: null }, markdownSpan: [0, 7] },
  } as const;
  const blocks = [{ pageNumber: 1, width: 1, height: 1, status: 'ok', items: [item] }] as unknown as PageBlocks[];
  const parsed = { blocks, warnings: ['Page 2 was not read.'], pages: [{ pageNumber: 1, markdown: '# Tides' }] };
  const outcome = transform({ markdown: '# Tides' }, { parsed });
  assert.deepEqual(outcome.content, { markdown: '# Tides', pages: parsed.pages, blocks });
  assert.deepEqual(outcome.warnings, parsed.warnings);
  assert.deepEqual(outcome.document, { kind: 'pdf' });
  assert.deepEqual(outcome.verdict, { kind: 'content', reason: '' });
  // Spans do not apply once the Markdown was written anew.
  const chosen = transform({ markdown: '# Tides\n\nText' }, { parsed, options: { includeTags: ['p'] } }).content;
  assert.equal(chosen.blocks![0]!.items[0]!.markdownSpan, null);
});

test('a parsed file gives links without fragments, and those of its Link header', () => {
  const link = '</report>; rel="canonical", </next.pdf>; rel=next';
  const { discovered } = transform({ markdown: MARKDOWN }, { headers: { link }, options: { excludeTags: ['a'] } });
  assert.deepEqual(discovered.links, ['https://example.com/files/tables/1.html', 'https://example.com/next.pdf']);
  assert.deepEqual(discovered.next, ['https://example.com/next.pdf']);
  assert.equal(discovered.canonical, 'https://example.com/report');
});

test('files with almost no text are distinguished by their names', () => {
  const fingerprint = (url: string, markdown: string) => transform({ markdown }, { url }).discovered.fingerprint;
  assert.notDeepEqual(
    fingerprint('https://example.com/cat.png', ''),
    fingerprint('https://example.com/harbour.png', ''),
  );
  const prose = 'The tide turns twice a day in every harbour of this coast. '.repeat(10);
  assert.deepEqual(fingerprint('https://example.com/a.pdf', prose), fingerprint('https://example.com/b.pdf', prose));
});

test('a very long file is cut at the size limit, with a warning', () => {
  // Code renders quickly.
  const line = `    ${'The tide turns. '.repeat(100)}\n`;
  const markdown = line.repeat(Math.ceil((MAX_BODY_CHARS + 100) / line.length));
  const outcome = transform({ markdown }, { options: { formats: ['markdown', 'rawHtml'] } });
  assert.equal(outcome.content.markdown!.length, MAX_BODY_CHARS);
  assert.ok(outcome.content.rawHtml!.length < MAX_RENDERED * 1.5);
  assert.match(outcome.warnings.join('\n'), /cut after 16 million.*\n.*those of its beginning/);
  const html = transform(
    { html: `<pre>${'word '.repeat(MAX_BODY_CHARS / 5 + 100)}` },
    { options: { formats: ['rawHtml'] } },
  );
  assert.equal(html.content.rawHtml!.length, MAX_BODY_CHARS);
  assert.match(html.warnings.join(), /cut after/);
});

test('a file that could not be transformed in time is returned as the parser wrote it', () => {
  const pages = [{ pageNumber: 1, markdown: MARKDOWN }];
  const sample = { options: { formats: ALL }, parsed: { pages, metadata: { title: 'On Tides' }, warnings: ['w'] } };
  const rescued = rescue(parsedFileRequest({ markdown: MARKDOWN }, sample));
  assert.equal(rescued.content.markdown, MARKDOWN);
  assert.match(rescued.content.html!, /^<pre># Tides\n[\s\S]*&lt;script&gt;/);
  assert.deepEqual([rescued.content.links, rescued.content.images, rescued.content.pages], [[], [], pages]);
  assert.deepEqual([rescued.metadata, rescued.document], [{ title: 'On Tides' }, { kind: 'pdf' }]);
  assert.match(rescued.warnings.join('\n'), /^w\n.*too much time or memory/);
  assert.deepEqual([rescued.entry?.fileType, rescued.entry?.quality, rescued.entry?.title], ['pdf', 0, 'On Tides']);
  const html = rescue(parsedFileRequest({ html: '<h1>Tides</h1><script>x()</script><p>Turn.' }, sample)).content;
  assert.equal(html.markdown, 'Tides\n\nTurn.');
  assert.equal(html.html, '<pre>Tides\n\nTurn.</pre>');
});

test('a file that is not parsed is returned as base64 in every text format', () => {
  const bytes = Buffer.from('%PDF-1.7 \0\xff', 'latin1');
  const page = {
    finalUrl: 'https://example.com/a.pdf',
    status: 200,
    headers: {},
    contentType: 'application/pdf',
    bytes,
  };
  const request = { page: { ...page, fetchedAt: 1 }, options, index: true };
  const base64 = bytes.toString('base64');
  const formats: TransformFormat[] = ['markdown', 'html', 'links'];
  const given = run({ ...request, options: { ...options, formats }, asBase64: true });
  assert.deepEqual(given.content, { markdown: base64, html: base64, links: [] });
  assert.deepEqual([given.discovered.links, given.entry, given.document], [[], undefined, undefined]);
  const raw = run({ ...request, options: { ...options, formats: ['rawBase64'] } });
  assert.deepEqual(raw.content, { rawBase64: base64 });
  assert.deepEqual(raw.discovered, given.discovered);
  const other = run({ ...request, page: { ...page, bytes: Buffer.from('%PDF-1.7 other') }, asBase64: true });
  for (const part of ['exact', 'gist', 'simhash'] as const)
    assert.notEqual(other.discovered.fingerprint[part], given.discovered.fingerprint[part], part);
});

test('tables and labels of a file are data, if that is needed', () => {
  const body = { markdown: `${MARKDOWN}\n- Author: Ann Lee\n` };
  const needed = run({ ...parsedFileRequest(body), source: { data: true } });
  assert.deepEqual(needed.source?.data?.tables, [
    { section: 'Tides', header: ['Port', 'Depth'], rows: [['Bergen', '9 m']] },
  ]);
  assert.deepEqual(needed.source?.data?.pairs, [{ label: 'Author', value: 'Ann Lee' }]);
  assert.equal(run(parsedFileRequest(body)).source, undefined);
});
