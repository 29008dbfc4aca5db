// Office files and e-books with XML that expands, nests too deep, counts wrongly or refers outside.

import {
  chapter,
  officeCase as file,
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
import { EITHER, type HostileFile } from './hostile-file.ts';
import { packedMegabytes, zip } from './hostile-zip.ts';

/** `outside` is an address that must never be requested. */
export function hostileOffice(outside: string): readonly HostileFile[] {
  return [...entities(outside), ...nesting(), ...pointers(outside), ...oddities()];
}

/** The main part, with additions before its root and in its text. */
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
      '../../../../../../etc/passwd',
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
