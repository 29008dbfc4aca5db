// Presentations: one heading per slide, in the order of the show, with notes and comments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParsedFile } from '../../../../src/page/parsed.ts';
import { parseOffice } from '../../../../src/parse/office/office.ts';
import { officeFile, type Parts, relationships } from '../../../support/hostile/hostile-base.ts';
import { htmlOf } from '../../../support/parsed.ts';

const NAMES =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

const shape = (content: string, type = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:cNvSpPr/><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${content}</p:txBody></p:sp>`;

const line = (text: string, properties = ''): string => `<a:p><a:r>${properties}<a:t>${text}</a:t></a:r></a:p>`;

const slide = (shapes: string, attributes = ''): string =>
  `<p:sld ${NAMES} ${attributes}><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${shapes}</p:spTree></p:cSld></p:sld>`;

function show(slides: string[], parts: Parts = {}): Promise<ParsedFile> {
  const numbers = slides.map((_, at) => at + 1);
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/>${numbers.map((at) => `<Override PartName="/ppt/slides/slide${at}.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/>`).join('')}</Types>`;
  // The show runs in the reverse order of the file names.
  const order = numbers.toReversed().map((at) => `<p:sldId id="${255 + at}" r:id="r${at}"/>`);
  const bytes = officeFile('pptx', {
    '[Content_Types].xml': types,
    'ppt/presentation.xml': `<p:presentation ${NAMES}><p:sldIdLst>${order.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      numbers.map((at) => ({ id: `r${at}`, type: 'slide', target: `slides/slide${at}.xml` })),
    ),
    ...Object.fromEntries(slides.map((xml, at) => [`ppt/slides/slide${at + 1}.xml`, xml])),
    ...parts,
  });
  return parseOffice({ kind: 'pptx', name: 'a.pptx', bytes }, {} as never, {} as never);
}

test('slides follow the order of the show, and one without a title is named by its number', async () => {
  const parsed = await show([slide(shape(line('Second'), 'title')), slide(shape(line('Just words')))]);
  assert.equal(htmlOf(parsed).replace(/ id="[^"]*"/g, ''), '<h2>Slide 1</h2>\n<p>Just words</p>\n<h2>Second</h2>');
  assert.deepEqual([parsed.numPages, parsed.totalPages], [2, 2]);
});

test('hidden slides are kept, and a warning names them', async () => {
  const parsed = await show([slide(shape(line('Spare'), 'title'), 'show="0"'), slide(shape(line('Shown'), 'title'))]);
  assert.match(htmlOf(parsed), /Spare/);
  assert.deepEqual(parsed.warnings, ['Hidden slides are included: 2.']);
});

test('superscript and monospaced text are marked', async () => {
  const text = `<a:p><a:r><a:t>m</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r><a:r><a:t> by </a:t></a:r><a:r><a:rPr><a:latin typeface="Courier New"/></a:rPr><a:t>area()</a:t></a:r></a:p>`;
  const html = htmlOf(await show([slide(shape(line('T'), 'title') + shape(text))]));
  assert.match(html, /<p>m<sup>2<\/sup> by <code>area\(\)<\/code><\/p>/);
});

test('comments in the old and the new format name their slide', async () => {
  const rels = (target: string) => relationships([{ id: 'c', type: 'comments', target }]);
  const parsed = await show([slide(shape(line('B'), 'title')), slide(shape(line('A'), 'title'))], {
    'ppt/slides/_rels/slide1.xml.rels': rels('../comments/modernComment_1.xml'),
    'ppt/slides/_rels/slide2.xml.rels': rels('../comments/comment2.xml'),
    'ppt/commentAuthors.xml': `<p:cmAuthorLst ${NAMES}><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>`,
    'ppt/authors.xml': '<p188:authorLst xmlns:p188="x"><p188:author id="{B}" name="Bob"/></p188:authorLst>',
    'ppt/comments/comment2.xml': `<p:cmLst ${NAMES}><p:cm authorId="0"><p:text>Older words</p:text></p:cm></p:cmLst>`,
    'ppt/comments/modernComment_1.xml': `<p188:cmLst xmlns:p188="x" ${NAMES}><p188:cm authorId="{B}"><p188:txBody>${line('Newer words')}</p188:txBody></p188:cm></p188:cmLst>`,
  });
  assert.match(htmlOf(parsed), /<strong>Ann<\/strong> on slide 1: Older words/);
  assert.match(htmlOf(parsed), /<strong>Bob<\/strong> on slide 2: Newer words/);
});
