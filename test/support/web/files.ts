// files.test: files that are not web pages, and files with a wrong content type.
import { crc32, deflateSync } from 'node:zlib';
import { page, reply, type Site } from './reply.ts';

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A grey image of the given size. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row += 1) pixels[row * (width + 1)] = 0;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A one-page PDF with one line of text. */
export function pdf(text: string): Buffer {
  const stream = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}

const ZIP = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex');
const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(62), Buffer.from('PE\0\0'), Buffer.alloc(200)]);
const MP4 = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom\0\0\u0002\0isomiso2', 'latin1'),
  Buffer.alloc(200),
]);
const NOISE = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7919) % 256));

const JSON_TEXT = '{"name":"harbour","ships":[{"id":1,"tons":12000000000000000001},{"id":2}],"open":true}';
const CSV_TEXT = 'year,ships,"largest, name"\n2024,12,"Anna ""the great"""\n2025,15,Berta\n';
const XML_TEXT = '<?xml version="1.0"?>\n<ships><ship id="1">Anna</ship><ship id="2">Berta &amp; son</ship></ships>\n';
const XHTML_TEXT = `<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Strict</title></head><body><p>XHTML it is.</p></body></html>`;

const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Harbour news</title><link>http://news.test/</link><description>Ships and weather</description>
<item><title>Ship arrives</title><link>http://news.test/article/1</link><description><![CDATA[<p>The <b>Anna</b> is here.</p>]]></description><pubDate>Thu, 15 Jan 2026 08:30:00 GMT</pubDate></item>
<item><title>Ship leaves</title><link>http://news.test/article/2</link><description>Gone &amp; away</description></item>
</channel></rss>
`;
const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour log</title><link href="http://news.test/"/><updated>2026-01-15T08:30:00Z</updated>
<entry><title>Fog</title><link href="http://news.test/article/3"/><id>urn:fog</id><updated>2026-01-15T08:30:00Z</updated><summary>Nothing to see</summary></entry>
</feed>
`;

const of = (type: string) => ({ type });

const filesSite: Site = {
  '/picture.png': reply(() => png(120, 80), of('image/png')),
  '/paper.pdf': reply(() => pdf('A paper about harbours'), of('application/pdf')),
  '/archive.zip': reply(ZIP, of('application/zip')),
  '/program.exe': reply(EXE, of('application/vnd.microsoft.portable-executable')),
  '/film.mp4': reply(MP4, of('video/mp4')),
  '/noise.bin': reply(NOISE, of('application/octet-stream')),
  '/data.json': reply(JSON_TEXT, of('application/json')),
  '/problem.json': reply('{"title":"Sorry"}', { type: 'application/problem+json', status: 422 }),
  '/broken.json': reply('{"name": "harb', of('application/json')),
  '/data.xml': reply(XML_TEXT, of('application/xml')),
  '/entities.xml': reply(
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><x>&b;</x>',
    of('text/xml'),
  ),
  '/page.xhtml': reply(XHTML_TEXT, of('application/xhtml+xml')),
  '/table.csv': reply(CSV_TEXT, of('text/csv')),
  '/notes.txt': reply('Line one\n\n  indented <b>not bold</b> & *not a list*\n', of('text/plain; charset=utf-8')),
  '/readme.md': reply('# Harbour\n\nA *small* text.\n', of('text/markdown')),
  '/script.js': reply('export const harbour = 1;\n', of('text/javascript')),
  '/feed.rss': reply(RSS, of('application/rss+xml')),
  '/feed.atom': reply(ATOM, of('application/atom+xml')),
  '/drawing.svg': reply(
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><title>Dot</title></svg>',
    of('image/svg+xml'),
  ),
  '/lies/png-as-html': reply(() => png(10, 10), of('text/html')),
  '/lies/pdf-as-html': reply(() => pdf('Hidden paper'), of('text/html; charset=utf-8')),
  '/lies/html-as-png': reply(page('Really a page'), of('image/png')),
  '/lies/text-as-png': reply('Only words, and no picture.', of('image/png')),
  '/lies/html-as-pdf': reply(page('Please sign in'), of('application/pdf')),
  '/lies/text-as-docx': reply(
    'Only words',
    of('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
  ),
  '/lies/html-as-xls': reply('<table><tr><td>Tons</td></tr></table>', of('application/vnd.ms-excel')),
  '/lies/paper.pdf': reply(page('The paper has moved'), of('text/html')),
  '/lies/missing.png': reply(page('No such picture'), { type: 'image/png', status: 404 }),
  '/lies/html-as-text': reply(page('Shown as text'), of('text/plain')),
  '/lies/html-as-binary': reply(page('Untyped page'), of('application/octet-stream')),
  '/lies/pdf-as-binary': reply(() => pdf('Download me'), of('application/octet-stream')),
  '/lies/binary-as-text': reply(NOISE, of('text/plain')),
  '/lies/json-as-html': reply(JSON_TEXT, of('text/html')),
  '/lies/empty-type': reply(page('Empty type'), { headers: { 'content-type': '' } }),
  '/lies/nonsense-type': reply(page('Nonsense type'), of('very/*;;;wrong')),
  '/attachment': reply(page('Saved to disk'), {
    headers: { 'content-disposition': 'attachment; filename="page.html"' },
  }),
};

export const files: Record<string, Site> = { 'files.test': filesSite };
