// Word files: what the office library does not support still reaches the HTML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CFB } from '@e965/xlsx';
import type { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { FileKind, ParsedFile } from '../../../../src/page/parsed.ts';
import { parseOffice } from '../../../../src/parse/office/office.ts';
import {
  officeEntries,
  officeFile,
  type Parts,
  paragraph,
  relationships,
  wordXml,
} from '../../../support/hostile/hostile-base.ts';
import { zip } from '../../../support/hostile/hostile-zip.ts';
import { htmlOf } from '../../../support/parsed.ts';

const parse = (bytes: Uint8Array, kind: FileKind = 'docx'): Promise<ParsedFile> =>
  parseOffice({ kind, name: `file.${kind}`, bytes }, {} as never, {} as never);

const word = async (body: string, parts: Parts = {}): Promise<string> =>
  htmlOf(await parse(officeFile('docx', { ...parts, 'word/document.xml': wordXml(body) })));

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;

const styles = (list: string): Parts => ({
  'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${list}</w:styles>`,
});

const style = (id: string, name: string, more = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;

const styled = (id: string, text: string): string => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(text)}</w:p>`;

test('superscript and subscript are marked', async () => {
  const html = await word(
    `<w:p>${run('m')}${run('2', '<w:vertAlign w:val="superscript"/>')}${run(' of H')}${run('2', '<w:vertAlign w:val="subscript"/>')}${run('O')}</w:p>`,
  );
  assert.equal(html, '<p>m<sup>2</sup> of H<sub>2</sub>O</p>');
});

test('hidden text and deletions are left out, insertions stay', async () => {
  const html = await word(
    `<w:p>${run('seen')}${run('HIDDEN', '<w:vanish/>')}${run(' shown', '<w:vanish w:val="0"/>')}<w:ins w:id="1" w:author="a">${run(' new')}</w:ins><w:del w:id="2" w:author="a"><w:r><w:delText>OLD</w:delText></w:r></w:del></w:p>`,
  );
  assert.equal(html, '<p>seen shown new</p>');
});

test('paragraphs in a code style become one code block with its spaces', async () => {
  const html = await word(
    styled('Code', 'if a &lt; b:') + styled('Code', '    stop()') + paragraph('After.'),
    styles(style('Code', 'Source Code')),
  );
  assert.equal(html, '<pre><code>if a &lt; b:\n    stop()</code></pre>\n<p>After.</p>');
});

test('a monospaced word in a sentence is code, a file set in Courier throughout is not', async () => {
  const courier = '<w:rFonts w:ascii="Courier New"/>';
  const sentence = `<w:p>${run('Call the function named ')}${run('stop', courier)}${run(' now.')}</w:p>`;
  assert.equal(await word(sentence), '<p>Call the function named <code>stop</code> now.</p>');
  const letter = `<w:p>${run('Dear Sir, I write to you.', courier)}</w:p><w:p>${run('Yours', courier)}</w:p>`;
  assert.equal(await word(letter), '<p>Dear Sir, I write to you.</p>\n<p>Yours</p>');
});

test('a quotation is recognised by its style, not by italics', async () => {
  const html = await word(
    `<w:p><w:pPr><w:pStyle w:val="Quote"/></w:pPr>${run('A light is a promise.', '<w:i/>')}</w:p>`,
    styles(style('Quote', 'Quote')),
  );
  assert.equal(html, '<blockquote>\n<p>A light is a promise.</p>\n</blockquote>');
});

test('comments are listed at the end with their author and the words they refer to', async () => {
  const comments =
    '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="3" w:author="Ann &amp; Bob"><w:p><w:r><w:t>Is it &lt;so&gt;?</w:t></w:r></w:p></w:comment></w:comments>';
  const html = await word(
    `<w:p>${run('Before ')}<w:commentRangeStart w:id="3"/>${run('these words')}<w:commentRangeEnd w:id="3"/>${run(' after.')}</w:p>`,
    { 'word/comments.xml': comments },
  );
  assert.match(html, /^<p>Before these words after\.<\/p>\n<h2>Comments<\/h2>/);
  assert.match(html, /<strong>Ann &amp; Bob<\/strong> on “these words”: Is it &lt;so&gt;\?/);
});

test('formulas become TeX', async () => {
  const html = await word(
    `<w:p>${run('Half is ')}<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>x</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>${run(' of x.')}</w:p>`,
  );
  assert.match(html, /Half is <math>.*<annotation encoding="application\/x-tex">\\frac\{x\}\{2\}<\/annotation>/);
});

test('list items that are deeper only by style are nested under the item before', async () => {
  const numbering =
    '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num></w:numbering>';
  const item = (id: string, number: number, text: string) =>
    `<w:p><w:pPr><w:pStyle w:val="${id}"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${number}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
  const html = await word(item('B', 1, 'one') + item('B2', 2, 'two') + item('B', 1, 'three'), {
    ...styles(style('B', 'List Bullet') + style('B2', 'List Bullet 2')),
    'word/numbering.xml': numbering,
    'word/_rels/document.xml.rels': relationships([{ id: 'n', type: 'numbering', target: 'numbering.xml' }]),
  });
  assert.equal(html.replaceAll('\n', ''), '<ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>');
});

test('pictures beyond the size limit are only named, with a warning', async () => {
  const picture = (id: number) =>
    `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="${id}" name="p" descr="Picture ${id}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="r${id}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const png = (size: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size, 1)]);
  const parsed = await parse(
    officeFile('docx', {
      'word/document.xml': wordXml(picture(1) + picture(2)),
      'word/media/1.png': png(100),
      'word/media/2.png': png(300 * 1024),
      'word/_rels/document.xml.rels': relationships([
        { id: 'r1', type: 'image', target: 'media/1.png' },
        { id: 'r2', type: 'image', target: 'media/2.png' },
      ]),
    }),
  );
  assert.match(htmlOf(parsed), /<img src="data:image\/png;base64,[^"]+" alt="Picture 1">/);
  assert.match(htmlOf(parsed), /<em>Image: Picture 2<\/em>/);
  assert.equal(parsed.warnings.length, 1);
});

test('links that a browser cannot open become text', async () => {
  const link = (id: string, text: string) => `<w:hyperlink r:id="${id}">${run(text)}</w:hyperlink>`;
  const targets = [
    'https://example.com/a',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '\\\\host\\share',
    'mailto:a@example.com',
  ];
  const html = await word(`<w:p>${targets.map((_, at) => link(`r${at}`, `t${at} `)).join('')}</w:p>`, {
    'word/_rels/document.xml.rels': relationships(
      targets.map((target, at) => ({ id: `r${at}`, type: 'hyperlink', target, isExternal: true })),
    ),
  });
  assert.deepEqual(
    [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    ['https://example.com/a', 'mailto:a@example.com'],
  );
  assert.match(html, /t1 t2 t3/);
});

test('document properties become metadata, with times in UTC', async () => {
  const { metadata } = await parse(
    officeFile('docx', {
      'docProps/core.xml':
        '<cp:coreProperties xmlns:cp="a" xmlns:dc="b" xmlns:dcterms="c"><dc:title>A  title</dc:title><dc:creator>Ann</dc:creator><dc:subject>Short</dc:subject><cp:keywords>one, two</cp:keywords><dc:language>en-GB</dc:language><dcterms:created>2026-03-01T09:30:00Z</dcterms:created><dcterms:modified>no time</dcterms:modified></cp:coreProperties>',
    }),
  );
  assert.deepEqual(metadata, {
    title: 'A title',
    author: 'Ann',
    description: 'Short',
    keywords: 'one, two',
    language: 'en-GB',
    publishedTime: '2026-03-01T09:30:00.000Z',
  });
});

test('damaged properties and pictures do not cost the text, but damaged text fails the file', async () => {
  const entries = officeEntries('docx', { 'docProps/core.xml': '<', 'word/media/1.png': 'picture' });
  const wrong = (name: string) => zip(entries.map((entry) => (entry.name === name ? { ...entry, crc: 1 } : entry)));
  assert.match(htmlOf(await parse(wrong('word/media/1.png'))), /Words in a paragraph/);
  await assert.rejects(parse(wrong('word/document.xml')), { code: 'DOCUMENT_DAMAGED' });
});

test('a file with invalid XML is repaired, and its comments appear once', async () => {
  const comments =
    '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="3" w:author="Ann"><w:p><w:r><w:t>Why?</w:t></w:r></w:p></w:comment></w:comments>';
  const html = await word(
    `<w:commentRangeStart w:id="3"/>${paragraph('these words')}<w:commentRangeEnd w:id="3"/>${paragraph('R & D')}`,
    { 'word/comments.xml': comments },
  );
  assert.match(html, /<p>R &amp; D<\/p>/);
  assert.match(html, /on “these words”: Why\?/);
});

test('encrypted files and files of another format are reported as such', async () => {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, '/EncryptionInfo', Buffer.alloc(64));
  CFB.utils.cfb_add(container, '/EncryptedPackage', Buffer.alloc(9000));
  const encrypted = CFB.write(container, { type: 'buffer' }) as Buffer;
  await assert.rejects(parse(encrypted), ({ code }: ServiceError) => /ENCRYPTED|DAMAGED/.test(code));
  await assert.rejects(parse(Buffer.from('no document at all')), { name: 'ServiceError' });
  const manifest =
    '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
  const odt = officeFile('odt', { 'META-INF/manifest.xml': manifest, 'content.xml': Buffer.alloc(100, 7) });
  await assert.rejects(parse(odt, 'odt'), { code: 'DOCUMENT_ENCRYPTED' });
});
