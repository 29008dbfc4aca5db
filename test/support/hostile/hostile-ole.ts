// Old office files and RTF with circular sector chains, false sizes and endless groups.
import { EITHER, type HostileFile } from './hostile-file.ts';

const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

interface OleLies {
  /** Names of the top entries, in order. */
  names: readonly string[];
  sectorShift?: number;
  /** Successor of each sector; by default one table, one directory, one stream. */
  chain?: readonly number[];
  directory?: number;
  /** Claimed position of a further table list. */
  tableList?: number;
  /** Claimed fields of the entries. */
  left?: number;
  size?: number;
}

/** Sector 0 is the allocation table, 1 the directory (four entries), 2 and on the data. */
export function ole({
  names,
  sectorShift = 9,
  chain = [0xfffffffd, END, END],
  directory = 1,
  tableList = END,
  left,
  size = SECTOR,
}: OleLies): Buffer {
  const header = Buffer.alloc(SECTOR, 0xff);
  header.fill(0, 0, 76);
  header.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(sectorShift, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(directory, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(tableList, 68);
  header.writeUInt32LE(0, 76);
  const table = Buffer.alloc(SECTOR, 0xff);
  for (const [index, next] of chain.entries()) table.writeUInt32LE(next, index * 4);
  const entries = ['Root Entry', ...names].slice(0, 4).map((name, index) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    entry.writeUInt16LE((name.length + 1) * 2, 64);
    entry[66] = index === 0 ? 5 : 2;
    entry.writeUInt32LE(left ?? FREE, 68);
    entry.writeUInt32LE(index > 0 && index < names.length ? index + 1 : FREE, 72);
    entry.writeUInt32LE(index === 0 ? 1 : FREE, 76);
    entry.writeUInt32LE(index === 0 ? END : 2, 116);
    entry.writeUInt32LE(index === 0 ? 0 : size, 120);
    return entry;
  });
  const listed = Buffer.concat([...entries, Buffer.alloc(SECTOR)]).subarray(0, SECTOR);
  return Buffer.concat([header, table, listed, Buffer.alloc(SECTOR * 4, 0x41)]);
}

const file = (
  title: string,
  name: string,
  bytes: () => Uint8Array,
  ...endings: HostileFile['endings']
): HostileFile => ({
  title,
  name,
  bytes,
  endings,
});

const rtf = (title: string, body: () => string): HostileFile =>
  file(`rtf ${title}`, 'a.rtf', () => Buffer.from(`{\\rtf1\\ansi ${body()}`, 'latin1'), ...EITHER);

const WORD_STREAM = ['WordDocument', '1Table'];

export const HOSTILE_OLE: readonly HostileFile[] = [
  file(
    'office document that is encrypted',
    'a.docx',
    () => ole({ names: ['EncryptedPackage', 'EncryptionInfo'] }),
    'DOCUMENT_ENCRYPTED',
  ),
  file(
    'workbook that is encrypted',
    'a.xlsx',
    () => ole({ names: ['EncryptedPackage', 'EncryptionInfo'] }),
    'DOCUMENT_ENCRYPTED',
  ),
  ...[
    ['doc', WORD_STREAM],
    ['xls', ['Workbook']],
    ['ppt', ['PowerPoint Document', 'Current User']],
    ['msg', ['__properties_version1.0', '__substg1.0_0037001F']],
  ].flatMap(([kind, names]) => {
    const given = { names: names as string[] };
    const made = (title: string, lies: Partial<OleLies>) =>
      file(`${kind} ${title}`, `a.${kind}`, () => ole({ ...given, ...lies }), 'none', ...EITHER, 'DOCUMENT_ENCRYPTED');
    return [
      made('holds nothing but letters', {}),
      made('has a stream that leads back to itself', { chain: [0xfffffffd, END, 2], size: 0x7fffffff }),
      made('has a directory that leads back to itself', { chain: [0xfffffffd, 1, END] }),
      made('has a directory that is a tree of itself', { left: 1 }),
      made('has a table of tables that leads back to itself', { tableList: 3 }),
      made('says that a stream has 2 GB', { size: 0x7fffffff }),
      made('has sectors of 2 GB', { sectorShift: 31 }),
    ];
  }),
  file('ole without a directory', 'a.doc', () => ole({ names: [], directory: 0x00ffffff }), ...EITHER),
  rtf('has a hundred thousand groups in each other', () => '{'.repeat(100_000)),
  rtf('closes a hundred thousand groups too many', () => `x${'}'.repeat(100_000)}`),
  rtf('has 2 GB of binary data that are not there', () => '{\\pict\\bin2147483647 abc}}'),
  rtf('has negative and huge numbers', () => '\\bin-1 \\u-99999999? \\fs99999999999999999999 \\li-2147483648 x}'),
  rtf('has a hundred thousand tables in each other', () => `${'\\trowd\\itap99999 '.repeat(100_000)}x\\nestcell}`),
  rtf(
    'has a font table of a hundred thousand',
    () => `{\\fonttbl${Array.from({ length: 100_000 }, (_, index) => `{\\f${index} A;}`).join('')}}x}`,
  ),
  rtf('has a picture of odd digits', () => `{\\pict\\pngblip ${'0g'.repeat(50_000)}}x}`),
];
