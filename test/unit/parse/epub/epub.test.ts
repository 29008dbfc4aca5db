// EPUB: reading order, what is left out, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEpub } from '../../../../src/parse/epub/epub.ts';
import { type ZipEntry, zip } from '../../../support/hostile/hostile-zip.ts';
import { htmlOf, parsedBy } from '../../../support/parsed.ts';

const CONTAINER =
  '<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
/** Only the first bytes are checked. */
const png = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
const XHTML = 'application/xhtml+xml';

interface Item {
  id: string;
  href: string;
  type?: string;
  properties?: string;
}

function opf(items: Item[], spine: string[], more = ''): string {
  const manifest = items.map(
    ({ id, href, type = XHTML, properties = '' }) =>
      `<item id="${id}" href="${href}" media-type="${type}" properties="${properties}"/>`,
  );
  const order = spine.map((id) => `<itemref idref="${id}"/>`);
  return `<package xmlns:dc="dc"><metadata><dc:title>A book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator></metadata><manifest>${manifest.join('')}</manifest><spine>${order.join('')}</spine>${more}</package>`;
}

const book = (packageFile: string, files: ZipEntry[]): Buffer =>
  zip([
    { name: 'mimetype', data: 'application/epub+zip', method: 0 },
    { name: 'META-INF/container.xml', data: CONTAINER },
    { name: 'OPS/book.opf', data: packageFile },
    ...files,
  ]);

const chapter = (name: string, body: string): ZipEntry => ({
  name: `OPS/${name}`,
  data: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body>${body}</body></html>`,
});

const TWO: Item[] = [
  { id: 'a', href: 'a.xhtml' },
  { id: 'b', href: 'b.xhtml' },
];

test('chapters follow the order of the spine, and several authors become one string', async () => {
  const bytes = book(opf(TWO, ['b', 'a']), [chapter('a.xhtml', '<p>first</p>'), chapter('b.xhtml', '<p>second</p>')]);
  const parsed = await parsedBy(parseEpub, bytes);
  assert.equal(htmlOf(parsed), '<section><p>second</p></section>\n<section><p>first</p></section>');
  assert.deepEqual(parsed.metadata, { title: 'A book', author: 'Ann, Bob' });
});

test('the table of contents is left out unless there is nothing else', async () => {
  const items = [...TWO, { id: 'nav', href: 'nav.xhtml', properties: 'nav' }];
  const files = [chapter('a.xhtml', '<p>text</p>'), chapter('nav.xhtml', '<p>contents</p>')];
  const whole = await parsedBy(parseEpub, book(opf(items, ['nav', 'a']), files));
  assert.equal(htmlOf(whole), '<section><p>text</p></section>');
  const only = await parsedBy(parseEpub, book(opf(items, ['nav']), files));
  assert.equal(htmlOf(only), '<section><p>contents</p></section>');
});

test('references that point outside the book are ignored', async () => {
  const items = [
    { id: 'up', href: '../../etc/passwd' },
    { id: 'file', href: 'file:///etc/passwd' },
    { id: 'web', href: 'http://127.0.0.1/x' },
    ...TWO,
  ];
  const body = '<p><img src="file:///etc/passwd" alt="one"/><img src="http://127.0.0.1/p.png" alt="two"/></p>';
  const parsed = await parsedBy(parseEpub, book(opf(items, ['up', 'file', 'web', 'a']), [chapter('a.xhtml', body)]));
  assert.equal(htmlOf(parsed), '<section><p>onetwo</p></section>');
  assert.deepEqual(parsed.warnings, ['Parts listed in the book but missing from the file: 1.']);
});

test('small pictures are embedded; large or damaged ones are replaced by their alt text', async () => {
  const body = '<img src="small.png" alt="s"/> <img src="large.png" alt="l"/> <img src="bad.png" alt="b"/>';
  const bytes = book(opf(TWO, ['a']), [
    chapter('a.xhtml', body),
    { name: 'OPS/small.png', data: png },
    { name: 'OPS/large.png', data: Buffer.concat([png, Buffer.alloc(256 * 1024)]), method: 0 },
    { name: 'OPS/bad.png', data: png, crc: 1 },
  ]);
  const html = htmlOf(await parsedBy(parseEpub, bytes));
  assert.equal(html, `<section><img src="data:image/png;base64,${png.toString('base64')}" alt="s"> l b</section>`);
});

test('a footnote mark links to its note in another chapter, other internal links become text', async () => {
  const mark = '<p>Text<sup id="m1"><a href="b.xhtml#n1">1</a></sup> <a href="b.xhtml">next</a></p>';
  const note = '<p id="n1"><a href="a.xhtml#m1">back</a> The note</p>';
  const bytes = book(opf(TWO, ['a', 'b']), [chapter('a.xhtml', mark), chapter('b.xhtml', note)]);
  const html = htmlOf(await parsedBy(parseEpub, bytes));
  assert.match(html, /<sup id="ref-m1-1"><a href="#fn-n1-2">1<\/a><\/sup> <a>next<\/a>/);
  assert.match(html, /<p id="fn-n1-2">/);
});

test('a chapter whose title is only a paragraph gets a heading from the table of contents', async () => {
  const ncx =
    '<ncx><navMap><navPoint><navLabel><text>The  Sea</text></navLabel><content src="a.xhtml"/></navPoint></navMap></ncx>';
  const items = [...TWO, { id: 'ncx', href: 'toc.ncx', type: 'application/x-dtbncx+xml' }];
  const files = [
    chapter('a.xhtml', '<p class="t">The <b>Sea</b></p><p>The Sea</p>'),
    { name: 'OPS/toc.ncx', data: ncx },
  ];
  const html = htmlOf(await parsedBy(parseEpub, book(opf(items, ['a']), files)));
  assert.equal(html, '<section><h1>The <b>Sea</b></h1><p>The Sea</p></section>');
});

test('an encrypted book is refused, one with obfuscated fonts is not', async () => {
  const encryption = (algorithm: string): ZipEntry => ({
    name: 'META-INF/encryption.xml',
    data: `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`,
  });
  const files = [chapter('a.xhtml', '<p>text</p>')];
  const fonts = encryption('http://www.idpf.org/2008/embedding');
  assert.match(htmlOf(await parsedBy(parseEpub, book(opf(TWO, ['a']), [...files, fonts]))), /text/);
  const text = encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc');
  await assert.rejects(parsedBy(parseEpub, book(opf(TWO, ['a']), [...files, text])), { code: 'DOCUMENT_ENCRYPTED' });
});

test('a book without a package file is damaged', async () => {
  await assert.rejects(parsedBy(parseEpub, zip([{ name: 'META-INF/container.xml', data: CONTAINER }])), {
    code: 'DOCUMENT_DAMAGED',
  });
});
