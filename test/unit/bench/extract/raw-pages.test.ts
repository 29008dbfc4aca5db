// Raw pages have four times the bytes but show the same content.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { createPageFiller } from '../../../../bench/extract/raw-pages.ts';
import { generatedArticle } from '../../../support/web/generated.ts';

const refill = createPageFiller();
const PAGE = generatedArticle(7, 20_000);

const withScripts = (html: string, inHead: string, inBody = '') =>
  html.replace('</head>', `${inHead}</head>`).replace('</body>', `${inBody}</body>`);

/** Tags and text in order, without scripts and styles: what a reader of the page gets. */
function readable(html: string): string[] {
  const parts: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if (node.nodeName === 'script' || node.nodeName === 'style') return;
    parts.push('value' in node ? node.value.trim() : node.nodeName);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  // Whitespace between elements depends on the scripts that were there.
  return parts.filter((part) => part !== '');
}

function assertRaw(html: string): string {
  const raw = refill(html);
  const times = Buffer.byteLength(raw) / Buffer.byteLength(html);
  assert.ok(times > 3.99 && times <= 4, `${times} times the size`);
  assert.deepEqual(readable(raw), readable(html));
  return raw;
}

test('empty styles are filled with rules and empty scripts with statements, up to four times the page size', () => {
  const start = (tag: string, end: string) =>
    assertRaw(withScripts(PAGE, tag + end))
      .split(tag)[1]!
      .slice(0, 500);
  assert.match(start('<style media="all">', '</style>'), /^[.#@][^{]+\{[^}]+\}/);
  assert.match(start('<SCRIPT defer>', '</SCRIPT>'), /function|window|var|=>|\.push\(/);
});

test('a page without scripts and styles gets some where they are allowed', () => {
  for (const html of [PAGE, `<p>${'Only a paragraph, but a long one. '.repeat(100)}`]) assertRaw(html);
});

test('filled scripts, data, external scripts and markup inside attributes stay unchanged', () => {
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

test('the filler never closes its element early', () => {
  const html = `<html><head><title>t</title></head><body>${'<script></script><style></style>'.repeat(200)}<p>${'x'.repeat(100_000)}</p></body></html>`;
  const raw = assertRaw(html);
  // A comment delimiter could do so.
  assert.ok(!/<!--|-->/.test(raw));
});

test('the same page always gets the same filler', () => {
  assert.equal(createPageFiller()(PAGE), refill(PAGE));
});
