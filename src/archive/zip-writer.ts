// Writes a ZIP archive in one pass, file by file. Only the list of files, which ends the archive, is kept until then. Large
// archives get the records of ZIP64.
import { promisify } from 'node:util';
import { crc32, deflateRaw, type ZlibOptions } from 'node:zlib';
import { assert } from '../util/assert.ts';

/** A file that is already compressed. */
export interface DeflatedFile {
  chunks: readonly Uint8Array[];
  /** Before compression. */
  size: number;
  crc: number;
}

export interface ZipWriter {
  /** Returns what to send next. `name` has slashes between its parts. */
  add(name: string, content: string): Promise<Uint8Array[]>;
  addDeflated(name: string, file: DeflatedFile): Uint8Array[];
  /** Without compression. */
  addStored(name: string, content: Uint8Array): Uint8Array[];
  /** Without compression; its bytes have to follow. */
  beginStored(name: string, file: Omit<DeflatedFile, 'chunks'>): Uint8Array[];
  /** The list of names, which ends the archive. */
  end(): Uint8Array[];
}

const LOCAL_HEADER = 0x04034b50;
const LISTED_FILE = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const STORED = 0;
const DEFLATED = 8;
const UTF8_NAMES = 0x0800;
const VERSION = 20;
const VERSION_64 = 45;
const MADE_ON_UNIX = 3 << 8;
const PLAIN_FILE = 0o100644 * 2 ** 16;
const EXTRA_64 = 0x0001;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** Entries of the list are joined in groups of this size: a buffer for each would cost more than its content. */
const LIST_GROUP = 512;

/** Half the processor time of the default, for archives that are a few percent larger. */
export const DEFLATE_LEVEL = 4;

const deflate = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw);

/** `startAt`: how many bytes stand before the archive in its file. */
export function createZipWriter(modifiedAt: Date, { startAt = 0 } = {}): ZipWriter {
  const time = dosTime(modifiedAt);
  const list: Uint8Array[] = [];
  let group: Uint8Array[] = [];
  let count = 0;
  let at = startAt;

  const write = (
    name: string,
    method: number,
    { chunks, size, crc }: DeflatedFile,
    packed = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0),
  ): Uint8Array[] => {
    const file = Buffer.from(name);
    assert(file.byteLength <= MAX_16 && size < MAX_32 && packed < MAX_32, 'A file of an archive is too large.');
    const common = commonFields({ method, time, crc, packed, size, nameLength: file.byteLength });
    group.push(...listedFile(common, file, at));
    count += 1;
    if (group.length >= LIST_GROUP) {
      list.push(Buffer.concat(group));
      group = [];
    }
    const header = Buffer.concat([uint32(LOCAL_HEADER), uint16(VERSION), common, uint16(0), file]);
    at += header.byteLength + packed;
    return [header, ...chunks];
  };

  const addStored: ZipWriter['addStored'] = (name, content) =>
    write(name, STORED, { chunks: [content], size: content.byteLength, crc: crc32(content) });

  return {
    async add(name, content) {
      const bytes = Buffer.from(content);
      const packed = await deflate(bytes, { level: DEFLATE_LEVEL });
      if (packed.byteLength >= bytes.byteLength) return addStored(name, bytes);
      return write(name, DEFLATED, { chunks: [packed], size: bytes.byteLength, crc: crc32(bytes) });
    },
    addDeflated: (name, file) => write(name, DEFLATED, file),
    addStored,
    beginStored: (name, { size, crc }) => write(name, STORED, { chunks: [], size, crc }, size),
    end() {
      const all = [...list, ...group];
      const size = all.reduce((sum, { byteLength }) => sum + byteLength, 0);
      return [...all, endOf({ count, size, at })];
    },
  };
}

interface CommonFields {
  method: number;
  time: Uint8Array;
  crc: number;
  packed: number;
  size: number;
  nameLength: number;
}

/** What the header of a file and its entry in the list have in common. */
const commonFields = ({ method, time, crc, packed, size, nameLength }: CommonFields): Buffer =>
  Buffer.concat([
    uint16(UTF8_NAMES),
    uint16(method),
    time,
    uint32(crc),
    uint32(packed),
    uint32(size),
    uint16(nameLength),
  ]);

function listedFile(common: Uint8Array, name: Uint8Array, at: number): Uint8Array[] {
  const isFar = at >= MAX_32;
  const extra = isFar ? Buffer.concat([uint16(EXTRA_64), uint16(8), uint64(at)]) : Buffer.alloc(0);
  const version = isFar ? VERSION_64 : VERSION;
  return [
    Buffer.concat([uint32(LISTED_FILE), uint16(MADE_ON_UNIX | version), uint16(version), common]),
    // Length of the extra field, of a comment, number of the disk, internal and external attributes, position.
    Buffer.concat([uint16(extra.byteLength), uint16(0), uint16(0), uint16(0), uint32(PLAIN_FILE)]),
    Buffer.concat([uint32(isFar ? MAX_32 : at), name, extra]),
  ];
}

function endOf({ count, size, at }: { count: number; size: number; at: number }): Buffer {
  const isLarge = count >= MAX_16 || size >= MAX_32 || at >= MAX_32;
  const capped16 = uint16(Math.min(count, MAX_16));
  const end = Buffer.concat([
    ...[uint32(END), uint16(0), uint16(0), capped16, capped16],
    ...[uint32(Math.min(size, MAX_32)), uint32(Math.min(at, MAX_32)), uint16(0)],
  ]);
  if (!isLarge) return end;
  const versions = Buffer.concat([uint16(MADE_ON_UNIX | VERSION_64), uint16(VERSION_64)]);
  const fields = [versions, uint32(0), uint32(0), uint64(count), uint64(count), uint64(size), uint64(at)];
  const rest = Buffer.concat(fields);
  const locator = Buffer.concat([uint32(END_64_LOCATOR), uint32(0), uint64(at + size), uint32(1)]);
  return Buffer.concat([uint32(END_64), uint64(rest.byteLength), rest, locator, end]);
}

/** In the format of MS-DOS, which counts two seconds as one, from 1980. */
function dosTime(date: Date): Uint8Array {
  const year = Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return Buffer.concat([uint16(time), uint16(day)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
