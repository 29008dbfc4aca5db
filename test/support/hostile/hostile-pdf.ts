// PDFs with circular references, wrong counts or huge hidden content.
import { deflateSync } from 'node:zlib';
import { EITHER, type Ending, type HostileFile, REFUSED, slow } from './hostile-file.ts';
import { packedMegabytes } from './hostile-zip.ts';

type Objects = Record<number, string | Buffer>;

interface PdfLies {
  trailer?: string;
  /** Replaces the cross-reference table. */
  table?: string;
  start?: number;
}

const CONTENT = 'BT /F1 24 Tf 72 700 Td (Words on a page.) Tj ET';

const stream = (data: Buffer | string, entries = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${entries} >>\nstream\n`),
    Buffer.from(data),
    Buffer.from('\nendstream'),
  ]);

const GOOD: Objects = {
  1: '<< /Type /Catalog /Pages 2 0 R >>',
  2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
  4: stream(CONTENT),
  5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
};

export function pdfOf(changes: Objects = {}, { trailer = '', table, start }: PdfLies = {}): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const entries: string[] = ['0000000000 65535 f \n'];
  let length = parts[0]!.length;
  const objects = Object.entries({ ...GOOD, ...changes });
  for (const [number, body] of objects) {
    entries[Number(number)] = `${String(length).padStart(10, '0')} 00000 n \n`;
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const listed = Array.from(entries, (entry) => entry ?? '0000000000 00000 f \n').join('');
  const written = table ?? `xref\n0 ${entries.length}\n${listed}`;
  const end = `${written}trailer\n<< /Size ${entries.length} /Root 1 0 R ${trailer} >>\nstartxref\n${start ?? length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end, 'latin1')]);
}

const file = (title: string, bytes: () => Uint8Array, ...endings: readonly Ending[]): HostileFile => ({
  title: `pdf ${title}`,
  name: 'a.pdf',
  bytes,
  endings: endings.length === 0 ? EITHER : endings,
});

/** Compressed zeros without the checksum at the end, compressed again. */
const packedTwice = (megabytes: number): Buffer =>
  deflateSync(Buffer.concat([Buffer.from([0x78, 0xda]), packedMegabytes(megabytes)]));

const page = (entries: string): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R ${entries} >>`;

const picture = (entries: string, data: Buffer | string): Objects => ({
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /I 6 0 R >> >> /Contents 4 0 R >>',
  4: stream('612 0 0 792 0 0 cm /I Do'),
  6: stream(data, `/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 ${entries}`),
});

const form = (resources: string, data: string): Buffer =>
  stream(data, `/Type /XObject /Subtype /Form /BBox [0 0 600 700] /Resources << /XObject << ${resources} >> >>`);

const usesForm: Objects = {
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /XObject << /A 6 0 R >> /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
  4: stream(`${CONTENT} /A Do`),
};

/** The password is not empty, so the key cannot be derived without it. */
const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<${'43'.repeat(16)}> <${'43'.repeat(16)}>]`;

export const hostilePdf = (outside: string): readonly HostileFile[] => [
  file('is good', () => pdfOf(), 'document'),
  file('is encrypted', () => pdfOf({}, { trailer: encryption }), 'DOCUMENT_ENCRYPTED'),
  file('has a table that leads to itself', () => withPrevious()),
  file('has a table that is not where it says', () => pdfOf({}, { start: 99_999_999 })),
  file('has a negative start', () => pdfOf({}, { start: -1 })),
  file('has a table of two billion objects', () => pdfOf({}, { table: 'xref\n0 2147483647\n0000000000 65535 f \n' })),
  file('has no table', () => pdfOf({}, { table: '' })),
  file('has a page tree that is its own child', () => pdfOf({ 2: '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>' })),
  file('has pages that are each other’s children', () =>
    pdfOf({
      2: '<< /Type /Pages /Kids [6 0 R] /Count 9 >>',
      6: '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 9 >>',
    }),
  ),
  file('counts a billion pages', () => pdfOf({ 2: '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>' })),
  file('counts fewer than no pages', () => pdfOf({ 2: '<< /Type /Pages /Kids [3 0 R] /Count -5 >>' })),
  slow(
    file('has the same page a hundred thousand times', () =>
      pdfOf({ 2: `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>` }),
    ),
  ),
  file('has a page tree five thousand deep', () => deepTree(5000)),
  file('has no pages', () => pdfOf({ 2: '<< /Type /Pages /Kids [] /Count 0 >>' })),
  file('has a page that is a number', () => pdfOf({ 3: '42' })),
  file('has arrays a hundred thousand deep', () =>
    pdfOf({ 3: page(`/X ${'['.repeat(100_000)}${']'.repeat(100_000)}`) }),
  ),
  file('has dictionaries a hundred thousand deep', () =>
    pdfOf({ 3: page(`/X ${'<< /A '.repeat(100_000)}1${' >>'.repeat(100_000)}`) }),
  ),
  file('has content packed from 300 MB of zeros', () =>
    pdfOf({ 4: stream(packedTwice(300), '/Filter [/FlateDecode /FlateDecode]') }),
  ),
  file('is packed by thirty filters', () =>
    pdfOf({ 4: stream(packedTwice(1), `/Filter [${'/FlateDecode '.repeat(30)}]`) }),
  ),
  file('has objects in a stream that holds itself', () =>
    pdfOf({ 6: stream('6 0 7 2 << >>', '/Type /ObjStm /N 2 /First 8 /Extends 6 0 R') }),
  ),
  file('has a stream of objects that counts a billion', () =>
    pdfOf({ 6: stream('7 0 << >>', '/Type /ObjStm /N 1000000000 /First 99999999') }),
  ),
  file('has a length that is itself', () => pdfOf({ 4: `<< /Length 4 0 R >>\nstream\n${CONTENT}\nendstream` })),
  file('has a length of 2 GB', () => pdfOf({ 4: `<< /Length 2147483647 >>\nstream\n${CONTENT}\nendstream` })),
  slow(file('has a form that draws itself', () => pdfOf({ ...usesForm, 6: form('/A 6 0 R', '/A Do /A Do') }))),
  slow(
    file('has forms that draw the next ten times, ten deep', () =>
      pdfOf({
        ...usesForm,
        ...Object.fromEntries(
          Array.from({ length: 10 }, (_, level) => [
            6 + level,
            level === 9 ? form('', 'q Q') : form(`/A ${7 + level} 0 R`, '/A Do '.repeat(10)),
          ]),
        ),
      }),
    ),
  ),
  file('has a page as large as a country', () => pdfOf({ 3: page('').replace('612 792', '99999999999 99999999999') })),
  file('has a page without size', () => pdfOf({ 3: page('').replace('0 0 612 792', '0 0 0 0') })),
  file('has a page of negative infinity', () => pdfOf({ 3: page('').replace('0 0 612 792', '-1e38 -1e38 1e38 nan') })),
  file('has a hundred thousand marks over each other', () =>
    pdfOf({ 4: stream(`BT /F1 12 Tf ${'1 0 0 1 72 700 Tm (x) Tj '.repeat(100_000)} ET`) }),
  ),
  file('has a state saved a million times', () => pdfOf({ 4: stream(`${'q '.repeat(1_000_000)}${CONTENT}`) })),
  file('has a text of a million letters', () => pdfOf({ 4: stream(`BT /F1 1 Tf (${'word '.repeat(200_000)}) Tj ET`) })),
  file('has a grid of ten thousand lines', () =>
    pdfOf({
      4: stream(
        `${Array.from({ length: 5000 }, (_, at) => `${at / 10} 0 m ${at / 10} 700 l S 0 ${at / 10} m 600 ${at / 10} l S`).join('\n')} ${CONTENT}`,
      ),
    }),
  ),
  file('has a font that is its own descendant', () =>
    pdfOf({
      5: '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [5 0 R] /ToUnicode 6 0 R >>',
      6: stream('begincmap 1 beginbfrange <0000> <ffff> <0041> endbfrange '.repeat(1000)),
    }),
  ),
  file('has an outline that is its own child', () =>
    pdfOf({
      1: '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>',
      6: '<< /First 6 0 R /Last 6 0 R /Next 6 0 R /Title (x) /Count 999999 >>',
    }),
  ),
  file('has a tag tree that is its own child', () =>
    pdfOf({
      1: '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>',
      6: '<< /Type /StructTreeRoot /K [7 0 R] >>',
      7: '<< /Type /StructElem /S /P /P 6 0 R /K [7 0 R 6 0 R] >>',
    }),
  ),
  file(
    'has links and scripts to elsewhere',
    () =>
      pdfOf({
        1: `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (${outside}/a) >> >>`,
        3: page(
          `/Annots [<< /Type /Annot /Subtype /Link /Rect [70 690 300 730] /A << /S /URI /URI (${outside}/link) >> >> << /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (/bin/sh) >> >>]`,
        ),
      }),
    'document',
  ),
  file('has content that is a file elsewhere', () =>
    pdfOf({ 4: `<< /Length 0 /F (/etc/passwd) >>\nstream\n\nendstream` }),
  ),
  file('never ends an object', () => Buffer.from(pdfOf().toString('latin1').replaceAll('endobj', ''), 'latin1')),
  file('never ends a stream', () => Buffer.from(pdfOf().toString('latin1').replaceAll('endstream', ''), 'latin1')),
  file('is a header and garbage', () => Buffer.from(`%PDF-1.7\n${'garbage << [ ( '.repeat(10_000)}`)),
  // Too complex: a starved machine may need longer for it than the limit of these tests.
  file('is a header', () => Buffer.from('%PDF-1.7\n'), ...REFUSED),
  file('begins with junk', () => Buffer.concat([Buffer.from('junk before it\n'), pdfOf()])),
  file('is two PDFs', () => Buffer.concat([pdfOf(), pdfOf()])),
];

/** Only OCR could find text in these. */
export const HOSTILE_PDF_PICTURES: readonly HostileFile[] = [
  file('has a picture of 100,000 by 100,000', () => pdfOf(picture('/Width 100000 /Height 100000', 'x'))),
  file('has a JPEG that says 65,535 by 65,535', () =>
    pdfOf(
      picture(
        '/Width 65535 /Height 65535 /Filter /DCTDecode',
        Buffer.from('ffd8ffc0000b08ffffffff01011100ffda0008010100003f00', 'hex'),
      ),
    ),
  ),
  file('has JBIG2 with a page of four billion lines', () =>
    pdfOf(
      picture(
        '/Width 8 /Height 8 /Filter /JBIG2Decode',
        Buffer.from('0000000030000100000013ffffffffffffffff000000000000000000ffff', 'hex'),
      ),
    ),
  ),
];

function withPrevious(): Buffer {
  const plain = pdfOf();
  const start = plain.lastIndexOf('xref\n0');
  return pdfOf({}, { trailer: `/Prev ${start}` });
}

function deepTree(depth: number): Buffer {
  const levels = Array.from({ length: depth }, (_, level): [number, string] => [
    6 + level,
    `<< /Type /Pages /Count 1 /Kids [${level === depth - 1 ? 3 : 7 + level} 0 R] >>`,
  ]);
  return pdfOf({ 2: '<< /Type /Pages /Count 1 /Kids [6 0 R] >>', ...Object.fromEntries(levels) });
}
