// The smallest office files and e-books that programs accept, with parts that a test can replace.
import type { Ending, HostileFile } from './hostile-file.ts';
import { type ZipEntry, type ZipLies, zip } from './hostile-zip.ts';

/** Name and content. A part replaces the usual one of the same name. */
export type Parts = Record<string, string | Uint8Array>;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
export const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';

const typesPart = (parts: Record<string, string>): string =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${Object.entries(
    parts,
  )
    .map(
      ([name, type]) =>
        `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`;

export const relationships = (
  list: readonly { id: string; type: string; target: string; isExternal?: boolean }[],
): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(
      ({ id, type, target, isExternal }) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

const rootOf = (target: string): string => relationships([{ id: 'r1', type: 'officeDocument', target }]);

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

export const wordXml = (body: string, before = ''): string =>
  `${XML}${before}<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`;

export const sheetXml = (body: string, before = ''): string =>
  `${XML}${before}<worksheet xmlns="${SHEET}" xmlns:r="${OFFICE}">${body}</worksheet>`;

const cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>cell</t></is></c></row>';

const slideXml = (text: string): string =>
  `${XML}<p:sld xmlns:p="${SLIDES}" xmlns:a="${DRAWING}"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;

export const odfXml = (body: string, sort: 'text' | 'spreadsheet' | 'presentation', before = ''): string =>
  `${XML}${before}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"><office:body><office:${sort}>${body}</office:${sort}></office:body></office:document-content>`;

export const opfXml = (manifest: string, spine: string, before = ''): string =>
  `${XML}${before}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Book</dc:title><dc:language>en</dc:language></metadata><manifest>${manifest}</manifest><spine>${spine}</spine></package>`;

export const chapter = (body: string, before = ''): string =>
  `${XML}${before}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>C</title></head><body>${body}</body></html>`;

const BASES = {
  docx: {
    '[Content_Types].xml': typesPart({ 'word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': rootOf('word/document.xml'),
    'word/document.xml': wordXml(paragraph('Words in a paragraph.')),
  },
  xlsx: {
    '[Content_Types].xml': typesPart({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
      'xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
    }),
    '_rels/.rels': rootOf('xl/workbook.xml'),
    'xl/workbook.xml': `${XML}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      { id: 'r1', type: 'worksheet', target: 'worksheets/sheet1.xml' },
      { id: 'r2', type: 'sharedStrings', target: 'sharedStrings.xml' },
    ]),
    'xl/sharedStrings.xml': `${XML}<sst xmlns="${SHEET}" count="1" uniqueCount="1"><si><t>shared</t></si></sst>`,
    'xl/worksheets/sheet1.xml': sheetXml(`<sheetData>${cell}</sheetData>`),
  },
  pptx: {
    '[Content_Types].xml': typesPart({
      'ppt/presentation.xml': 'presentationml.presentation.main',
      'ppt/slides/slide1.xml': 'presentationml.slide',
    }),
    '_rels/.rels': rootOf('ppt/presentation.xml'),
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="${SLIDES}" xmlns:r="${OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([{ id: 'r1', type: 'slide', target: 'slides/slide1.xml' }]),
    'ppt/slides/slide1.xml': slideXml('Words on a slide.'),
  },
  odt: {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    'content.xml': odfXml('<text:p>Words in a paragraph.</text:p>', 'text'),
  },
  ods: {
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    'content.xml': odfXml(
      '<table:table table:name="One"><table:table-row><table:table-cell office:value-type="string"><text:p>cell</text:p></table:table-cell></table:table-row></table:table>',
      'spreadsheet',
    ),
  },
  epub: {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'book.opf': opfXml('<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>', '<itemref idref="c"/>'),
    'c.xhtml': chapter('<h1>Chapter</h1><p>Words in a book.</p>'),
  },
} satisfies Record<string, Parts>;

export type OfficeKind = keyof typeof BASES;

export const officeFile = (kind: OfficeKind, parts: Parts = {}, lies: ZipLies = {}): Buffer =>
  zip(officeEntries(kind, parts), lies);

export const officeEntries = (kind: OfficeKind, parts: Parts = {}): ZipEntry[] =>
  Object.entries({ ...BASES[kind], ...parts }).map(([name, data]) => ({
    name,
    data,
    ...(name === 'mimetype' && { method: 0 }),
  }));

/** A file of this kind with these parts replaced or added. */
export const officeCase = (title: string, kind: OfficeKind, parts: () => Parts, ...endings: Ending[]): HostileFile => ({
  title: `${kind} ${title}`,
  name: `a.${kind}`,
  bytes: () => officeFile(kind, parts()),
  endings,
});
