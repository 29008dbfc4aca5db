// Office documents and e-books whose XML expands, nests, counts or points where it should not.

import {
  chapter,
  type OfficeKind,
  odfXml,
  officeEntries,
  officeFile,
  opfXml,
  type Parts,
  paragraph,
  relationships,
  sheetXml,
  wordXml,
} from './hostile-base.ts';
import { EITHER, type Ending, type HostileFile } from './hostile-file.ts';
import { packedMegabytes, zip } from './hostile-zip.ts';

/** `outside`: an address that must never be asked for. */
export function hostileOffice(outside: string): readonly HostileFile[] {
  return [...entities(outside), ...nesting(), ...sheets(), ...pointers(outside), ...oddities()];
}

const file = (title: string, kind: OfficeKind, parts: () => Parts, ...endings: Ending[]): HostileFile => ({
  title: `${kind} ${title}`,
  name: `a.${kind}`,
  bytes: () => officeFile(kind, parts()),
  endings,
});

/** The part that holds the text, with something before its root and something in its text. */
const MAIN: Record<Exclude<OfficeKind, 'pptx'>, (before: string, text: string) => Parts> = {
  docx: (before, text) => ({ 'word/document.xml': wordXml(paragraph(text), before) }),
  xlsx: (before, text) => ({
    'xl/worksheets/sheet1.xml': sheetXml(
      `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData>`,
      before,
    ),
  }),
  odt: (before, text) => ({ 'content.xml': odfXml(`<text:p>${text}</text:p>`, 'text', before) }),
  ods: (before, text) => ({
    'content.xml': odfXml(
      `<table:table><table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`,
      'spreadsheet',
      before,
    ),
  }),
  epub: (before, text) => ({ 'c.xhtml': chapter(`<p>${text}</p>`, before) }),
};

function entities(outside: string): HostileFile[] {
  const laughs = Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
  const cases: [title: string, doctype: string, text: string][] = [
    ['has entities that expand a billionfold', `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs.join('')}]>`, '&l12;'],
    ['has one long entity many times', `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100_000)}">]>`, '&a;'.repeat(20_000)],
    ['has an entity that is a file', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>', '&f;'],
    [
      'has an entity and a type that are elsewhere',
      `<!DOCTYPE x SYSTEM "${outside}/dtd" [<!ENTITY f SYSTEM "${outside}/f">]>`,
      '&f;',
    ],
  ];
  return Object.entries(MAIN).flatMap(([kind, main]) =>
    cases.map(([title, doctype, text]) =>
      file(title, kind as OfficeKind, () => main(doctype, `before ${text} after`), ...EITHER),
    ),
  );
}

const nest = (open: string, close: string, depth: number, inner: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);

const nesting = (): HostileFile[] => [
  file(
    'is nested a hundred thousand deep',
    'docx',
    () => ({
      'word/document.xml': wordXml(nest('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>', 50_000, paragraph('x'))),
    }),
    ...EITHER,
  ),
  file(
    'has five thousand tables in each other',
    'docx',
    () => ({
      'word/document.xml': wordXml(nest('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 5000, paragraph('x'))),
    }),
    ...EITHER,
  ),
  file(
    'has five thousand lists in each other',
    'odt',
    () => ({
      'content.xml': odfXml(
        nest('<text:list><text:list-item>', '</text:list-item></text:list>', 5000, '<text:p>x</text:p>'),
        'text',
      ),
    }),
    ...EITHER,
  ),
  file(
    'has a chapter nested a hundred thousand deep',
    'epub',
    () => ({ 'c.xhtml': chapter(nest('<div>', '</div>', 100_000, 'x')) }),
    ...EITHER,
  ),
  file('has a million unclosed elements', 'docx', () => ({ 'word/document.xml': '<a>'.repeat(1_000_000) }), ...EITHER),
  file(
    'has a hundred thousand attributes',
    'docx',
    () => ({
      'word/document.xml': wordXml(`<w:p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=""`).join(' ')}/>`),
    }),
    ...EITHER,
  ),
  file(
    'has a list of parts of a hundred thousand',
    'docx',
    () => ({
      'word/_rels/document.xml.rels': relationships(
        Array.from({ length: 100_000 }, (_, index) => ({
          id: `r${index}`,
          type: 'image',
          target: `media/${index}.png`,
        })),
      ),
    }),
    ...EITHER,
  ),
];

const rows = (xml: string, before = ''): Parts => ({
  'xl/worksheets/sheet1.xml': sheetXml(`${before}<sheetData>${xml}</sheetData>`),
});
const lastCell = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';

const sheets = (): HostileFile[] => [
  file(
    'says that it fills all rows and columns',
    'xlsx',
    () => rows('<row r="1"><c r="A1"><v>1</v></c></row>', '<dimension ref="A1:XFD1048576"/>'),
    ...EITHER,
  ),
  file(
    'has only its first and its last cell',
    'xlsx',
    () => rows(`<row r="1"><c r="A1"><v>1</v></c></row>${lastCell}`),
    ...EITHER,
  ),
  file(
    'has a cell beyond the last',
    'xlsx',
    () => rows('<row r="99999999"><c r="ZZZZZZ99999999"><v>1</v></c></row>'),
    ...EITHER,
  ),
  file(
    'has a hundred thousand rows of one cell at the far end',
    'xlsx',
    () =>
      rows(
        Array.from({ length: 100_000 }, (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`).join(
          '',
        ),
      ),
    ...EITHER,
  ),
  file(
    'merges everything',
    'xlsx',
    () => ({
      'xl/worksheets/sheet1.xml': sheetXml(
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      ),
    }),
    ...EITHER,
  ),
  file(
    'refers to texts that are not there',
    'xlsx',
    () =>
      rows(
        '<row r="1"><c r="A1" t="s"><v>99999999</v></c><c r="B1" t="s"><v>-1</v></c><c r="C1" t="s"><v>x</v></c></row>',
      ),
    ...EITHER,
  ),
  file(
    'has a sheet that is not there',
    'xlsx',
    () => ({
      'xl/_rels/workbook.xml.rels': relationships([{ id: 'r1', type: 'worksheet', target: '../../../etc/passwd' }]),
    }),
    ...EITHER,
  ),
  file(
    'has a hundred thousand sheets that are the same',
    'xlsx',
    () => ({
      'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${Array.from({ length: 100_000 }, (_, index) => `<sheet name="S${index}" sheetId="${index + 1}" r:id="r1"/>`).join('')}</sheets></workbook>`,
    }),
    ...EITHER,
  ),
  file(
    'repeats a cell in all rows and columns',
    'ods',
    () => ({
      'content.xml': odfXml(
        '<table:table table:name="x"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row></table:table>',
        'spreadsheet',
      ),
    }),
    ...EITHER,
  ),
];

function pointers(outside: string): HostileFile[] {
  const picture =
    '<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="r1" r:embed="r2"/></w:drawing></w:r></w:p>';
  const book = (href: string): Parts => ({
    'book.opf': opfXml(
      `<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/><item id="o" href="${href}" media-type="application/xhtml+xml"/>`,
      '<itemref idref="c"/><itemref idref="o"/>',
    ),
  });
  return [
    file(
      'has a picture, a template and a frame that are elsewhere',
      'docx',
      () => ({
        'word/document.xml': wordXml(paragraph('x') + picture),
        'word/_rels/document.xml.rels': relationships([
          { id: 'r1', type: 'image', target: `${outside}/a.png`, isExternal: true },
          { id: 'r2', type: 'image', target: 'file:///etc/passwd', isExternal: true },
          { id: 'r3', type: 'attachedTemplate', target: `${outside}/t.dotm`, isExternal: true },
          { id: 'r4', type: 'frame', target: `${outside}/f.htm`, isExternal: true },
        ]),
      }),
      'document',
    ),
    file(
      'includes texts that are elsewhere',
      'docx',
      () => ({
        'word/document.xml': wordXml(
          `${paragraph('x')}<w:p><w:r><w:instrText>INCLUDETEXT "/etc/passwd"</w:instrText></w:r><w:r><w:instrText>INCLUDEPICTURE "${outside}/a.png"</w:instrText></w:r></w:p>`,
        ),
      }),
      'document',
    ),
    file(
      'has pictures that are elsewhere',
      'odt',
      () => ({
        'content.xml': odfXml(
          `<text:p>x<draw:frame><draw:image xlink:href="${outside}/a.png"/></draw:frame><draw:frame><draw:image xlink:href="/etc/passwd"/></draw:frame></text:p>`,
          'text',
        ),
      }),
      'document',
    ),
    ...[
      '../../../../../etc/passwd',
      'file:///etc/passwd',
      '/etc/passwd',
      '%2e%2e/%2e%2e/etc/passwd',
      `${outside}/c.xhtml`,
    ].map((href) =>
      file(
        `has a chapter at ${href.startsWith('http') ? 'another address' : href}`,
        'epub',
        () => book(href),
        ...EITHER,
      ),
    ),
    file(
      'has a package outside of itself',
      'epub',
      () => ({
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="../../../etc/passwd"/></rootfiles></container>',
      }),
      ...EITHER,
    ),
    file(
      'is its own package',
      'epub',
      () => ({
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="META-INF/container.xml"/></rootfiles></container>',
      }),
      ...EITHER,
    ),
    file(
      'has the same chapter a hundred thousand times',
      'epub',
      () => ({
        'book.opf': opfXml(
          '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>',
          '<itemref idref="c"/>'.repeat(100_000),
        ),
      }),
      ...EITHER,
    ),
    file(
      'has pictures and styles that are elsewhere',
      'epub',
      () => ({
        'c.xhtml': chapter(
          `<link rel="stylesheet" href="${outside}/s.css"/><p>x<img src="${outside}/a.png" alt="a"/></p><script src="${outside}/s.js"></script><iframe src="${outside}/f"></iframe>`,
        ),
      }),
      'document',
    ),
  ];
}

const oddities = (): HostileFile[] => [
  file(
    'has a text that is no XML',
    'docx',
    () => ({ 'word/document.xml': Buffer.from([0, 1, 2, 255, 254]) }),
    ...EITHER,
  ),
  file('has an empty text', 'docx', () => ({ 'word/document.xml': '' }), ...EITHER),
  file(
    'has broken UTF-8 and zero bytes',
    'docx',
    () => ({ 'word/document.xml': Buffer.from(wordXml(paragraph('a\xff\xfe\0b')), 'latin1') }),
    ...EITHER,
  ),
  file(
    'has a paragraph of 5 MB',
    'docx',
    () => ({ 'word/document.xml': wordXml(paragraph('word '.repeat(1_000_000))) }),
    ...EITHER,
  ),
  file(
    'has a slide that is not there',
    'pptx',
    () => ({
      'ppt/_rels/presentation.xml.rels': relationships([{ id: 'r1', type: 'slide', target: 'slides/none.xml' }]),
    }),
    ...EITHER,
  ),
  file(
    'lists itself as a slide',
    'pptx',
    () => ({
      'ppt/_rels/presentation.xml.rels': relationships([{ id: 'r1', type: 'slide', target: 'presentation.xml' }]),
    }),
    ...EITHER,
  ),
  {
    title: 'odt is protected by a password',
    name: 'a.odt',
    bytes: () =>
      officeFile('odt', {
        'META-INF/manifest.xml':
          '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry></manifest:manifest>',
      }),
    endings: ['DOCUMENT_ENCRYPTED'],
  },
  {
    title: 'epub has a chapter that unpacks to 300 MB',
    name: 'a.epub',
    bytes: () => bombInside('epub', 'c.xhtml'),
    endings: ['DOCUMENT_TOO_COMPLEX'],
  },
];

const bombInside = (kind: OfficeKind, name: string): Buffer => {
  const entries = officeEntries(kind).filter((entry) => entry.name !== name);
  return zip([...entries, { name, packed: packedMegabytes(300), size: 300 * 1024 * 1024 }]);
};
