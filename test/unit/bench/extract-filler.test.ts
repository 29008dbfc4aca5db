// Raw pages: four times the bytes, and the same page for every reader.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'parse5';
import { createRefill } from '../../../bench/extract-filler.ts';
import { toMarkdown } from '../../../bench/extract-trawl.ts';
import { generatedArticle } from '../../support/web/generated.ts';

const refill = createRefill();
const PAGE = generatedArticle(7, 20_000);

const withScripts = (html: string, inHead: string, inBody = '') =>
  html.replace('</head>', `${inHead}</head>`).replace('</body>', `${inBody}</body>`);

function assertRaw(html: string): string {
  const raw = refill(html);
  const times = Buffer.byteLength(raw) / Buffer.byteLength(html);
  assert.ok(times > 3.99 && times <= 4, `${times} times the size`);
  const url = 'https://page.test/';
  assert.equal(toMarkdown(raw, url), toMarkdown(html, url));
  return raw;
}

test('an empty style becomes rules, an empty script statements, up to four times the size of the page', () => {
  const start = (tag: string, end: string) =>
    assertRaw(withScripts(PAGE, tag + end))
      .split(tag)[1]!
      .slice(0, 500);
  assert.match(start('<style media="all">', '</style>'), /^[.#@][^{]+\{[^}]+\}/);
  assert.match(start('<SCRIPT defer>', '</SCRIPT>'), /function|window|var|=>|\.push\(/);
});

test('a page without scripts and styles gets some, wherever it has room', () => {
  for (const html of [PAGE, `<p>${'Only a paragraph, but a long one. '.repeat(100)}`]) assertRaw(html);
});

test('bodies that are there, data, foreign scripts and markup inside attributes stay as they are', () => {
  const kept = [
    '<script type="application/ld+json"></script>',
    '<script src="/app.js"></script>',
    '<script>let a;</script>',
    '<iframe name="<script></script>"></iframe>',
    '<!-- <script></script> -->',
  ];
  const raw = assertRaw(withScripts(PAGE, kept.join(''), '<script></script>'));
  for (const part of kept) assert.ok(raw.includes(part), part);
});

test('the filling never ends its element early', () => {
  const html = `<html><head><title>t</title></head><body>${'<script></script><style></style>'.repeat(200)}<p>${'x'.repeat(100_000)}</p></body></html>`;
  const raw = refill(html);
  assert.ok(!/<!--|-->/.test(raw));
  const elements = (source: string) => JSON.stringify(parse(source), (key, value) => (isTree(key) ? value : undefined));
  const isTree = (key: string) => key === '' || key === 'childNodes' || key === 'nodeName' || /^\d+$/.test(key);
  // A filled element has one child more: its text.
  const text = '{"nodeName":"#text"}';
  assert.equal(elements(raw).replaceAll(`[${text}]`, '[]'), elements(html).replaceAll(`[${text}]`, '[]'));
});

test('the same page is filled the same way every time', () => {
  assert.equal(createRefill()(PAGE), refill(PAGE));
});
