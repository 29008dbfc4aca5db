// ZIP archives that unpack to huge sizes, refer outside the archive, or lie about their content.

import { officeEntries, officeFile } from './hostile-base.ts';
import { EITHER, type HostileFile } from './hostile-file.ts';
import { packedMegabytes, type ZipEntry, zip } from './hostile-zip.ts';

const MB = 1024 * 1024;
const text = '<w:document/>';

/** A valid letter with additional entries. */
const letterWith = (...more: ZipEntry[]): Buffer => zip([...officeEntries('docx'), ...more]);

/** A letter whose text is in a crafted entry. */
const letterOf = (entry: Omit<ZipEntry, 'name'>): Buffer =>
  zip([
    ...officeEntries('docx').filter(({ name }) => name !== 'word/document.xml'),
    { name: 'word/document.xml', ...entry },
  ]);

function nested(depth: number): Buffer {
  let inner = zip([{ name: 'zeros', packed: packedMegabytes(50), size: 50 * MB }]);
  for (let level = 0; level < depth; level += 1) {
    inner = zip(Array.from({ length: 4 }, (_, index) => ({ name: `${level}-${index}.zip`, data: inner })));
  }
  return inner;
}

/** The same directory entry many times. */
function crowded(count: number): Buffer {
  const one = zip([{ name: 'word/document.xml', data: text }]);
  const start = one.indexOf('PK\x01\x02', 0, 'latin1');
  const end = one.indexOf('PK\x05\x06', 0, 'latin1');
  const listed = Buffer.concat(Array.from({ length: count }, () => one.subarray(start, end)));
  const last = Buffer.from(one.subarray(end));
  last.writeUInt16LE(count & 0xffff, 10);
  last.writeUInt32LE(listed.length, 12);
  return Buffer.concat([one.subarray(0, start), listed, last]);
}

function shared(count: number): Buffer {
  const packed = packedMegabytes(1);
  const names = ['word/document.xml', ...Array.from({ length: count }, (_, index) => `word/${index}.xml`)];
  return zip(
    names.map((name) => ({ name, packed, size: MB / 100 })),
    { overlap: true },
  );
}

function cutBefore(bytes: Buffer, mark: string): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(mark, undefined, 'latin1'));
}

function withLong(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.indexOf('PK\x01\x02', 0, 'latin1');
  changed.writeUInt16LE(0xffff, at + 28);
  return changed;
}

const letter = (title: string, bytes: () => Uint8Array, ...endings: HostileFile['endings']): HostileFile => ({
  title,
  name: 'letter.docx',
  bytes,
  endings,
});

export const HOSTILE_ARCHIVES: readonly HostileFile[] = [
  letter('unpacks to 1 GB', () => letterOf({ packed: packedMegabytes(1024), size: 1024 * MB }), 'DOCUMENT_TOO_COMPLEX'),
  letter(
    'unpacks to 100 MB, a thousand times its size',
    () => letterOf({ packed: packedMegabytes(100), size: 100 * MB }),
    'DOCUMENT_TOO_COMPLEX',
  ),
  letter(
    'unpacks to 1 GB and says 1,000 bytes',
    () => letterOf({ packed: packedMegabytes(1024), size: 1000 }),
    'DOCUMENT_DAMAGED',
  ),
  letter('says 4 GB and has a few bytes', () => letterOf({ data: text, size: 0xfffffffe }), 'DOCUMENT_TOO_COMPLEX'),
  letter(
    'holds a nest of bombs that nobody needs to open',
    () => letterWith({ name: 'word/embeddings/a.zip', data: nested(4) }),
    'document',
  ),
  letter('uses the same bytes for a thousand entries', () => shared(1000), 'DOCUMENT_TOO_COMPLEX'),
  letter('has a hundred thousand entries', () => crowded(100_000), 'DOCUMENT_TOO_COMPLEX'),
  letter('counts more entries than it has', () => officeFile('docx', {}, { count: 0xffff }), 'DOCUMENT_TOO_COMPLEX'),
  letter(
    'has its directory beyond its end',
    () => officeFile('docx', {}, { directoryOffset: 0x7fffffff }),
    'DOCUMENT_DAMAGED',
  ),
  letter(
    'has names that leave the archive',
    () =>
      letterWith(
        { name: '../../etc/cron.d/x', data: 'x' },
        { name: '/etc/x', data: 'x' },
        { name: 'C:\\x', data: 'x' },
        { name: '..\\..\\x', data: 'x' },
      ),
    'document',
  ),
  letter(
    'is protected by a password, as zips are',
    () => letterOf({ data: text, isEncrypted: true }),
    'DOCUMENT_ENCRYPTED',
  ),
  letter('has a wrong checksum in its text', () => letterOf({ data: text, crc: 1 }), 'DOCUMENT_DAMAGED'),
  letter(
    'has a wrong checksum in a picture',
    () => letterWith({ name: 'word/media/a.png', data: 'x', crc: 1 }),
    'document',
  ),
  letter('is packed in a way that nobody knows', () => letterOf({ data: text, method: 99 }), 'DOCUMENT_DAMAGED'),
  letter(
    'is packed as something that is no deflate',
    () => letterOf({ packed: Buffer.from('not packed'), size: 10 }),
    'DOCUMENT_DAMAGED',
  ),
  letter('has the same entry twice', () => letterWith({ name: 'word/document.xml', data: text }), ...EITHER),
  letter(
    'calls its text otherwise before the bytes than in the directory',
    () => letterOf({ data: text, localName: 'x' }),
    ...EITHER,
  ),
  letter('has no directory', () => cutBefore(officeFile('docx'), 'PK\x05\x06'), 'DOCUMENT_DAMAGED'),
  letter('has a name longer than itself', () => withLong(officeFile('docx')), 'DOCUMENT_DAMAGED', 'none', 'document'),
  letter(
    'is followed by a comment that is another archive',
    () => officeFile('docx', {}, { comment: 'PK\x05\x06' }),
    ...EITHER,
  ),
  {
    title: 'is an archive of something else',
    name: 'a.docx',
    bytes: () => zip([{ name: 'a.txt', data: 'a' }]),
    endings: ['none'],
  },
  { title: 'is an empty archive', name: 'a.docx', bytes: () => zip([]), endings: ['none'] },
];
