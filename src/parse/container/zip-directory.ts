// Reads the central directory of a zip: positions and declared sizes of its entries. Nothing is unpacked.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { damagedFile, tooComplex } from '../parse-errors.ts';
import { ZIP_LIMITS } from '../parse-limits.ts';

export interface ZipEntry {
  name: string;
  /** Position of its local header. */
  offset: number;
  packedSize: number;
  size: number;
  crc: number;
  method: number;
  isEncrypted: boolean;
}

const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_SIZE = 20;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_SIZE = 46;
export const LOCAL_SIGNATURE = 0x04034b50;
export const LOCAL_SIZE = 30;
const IN_ZIP64_FIELD = 0xffffffff;

/** Leaves out folders and names that point outside the archive. */
export function readZipDirectory(bytes: Uint8Array): ZipEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const { start, size, count, shift } = findDirectory(buffer);
    if (count > ZIP_LIMITS.entries) throw tooComplex('It contains too many files.');
    const entries = readEntries(buffer.subarray(start, start + size), shift);
    rejectBombs(entries, bytes.length);
    return entries.filter(({ name }) => isInside(name));
  } catch (error) {
    // A read beyond the end of the buffer.
    throw error instanceof ServiceError ? error : damagedZip(error);
  }
}

interface DirectoryRange {
  start: number;
  size: number;
  count: number;
  /** Bytes in front of the archive, which its offsets do not count. */
  shift: number;
}

function findDirectory(buffer: Buffer): DirectoryRange {
  const end = findEnd(buffer);
  const end64 = findEnd64(buffer, end);
  const count = end64 === undefined ? buffer.readUInt16LE(end + 10) : readLong(buffer, end64 + 32);
  const size = end64 === undefined ? buffer.readUInt32LE(end + 12) : readLong(buffer, end64 + 40);
  const offset = end64 === undefined ? buffer.readUInt32LE(end + 16) : readLong(buffer, end64 + 48);
  const start = (end64 ?? end) - size;
  if (start < offset) throw damagedZip();
  return { start, size, count, shift: start - offset };
}

function findEnd(buffer: Buffer): number {
  const first = Math.max(0, buffer.length - END_SIZE - MAX_COMMENT);
  for (let at = buffer.length - END_SIZE; at >= first; at -= 1) {
    if (buffer.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw damagedZip();
}

function findEnd64(buffer: Buffer, end: number): number | undefined {
  const locator = end - LOCATOR64_SIZE;
  if (locator < 0 || buffer.readUInt32LE(locator) !== LOCATOR64_SIGNATURE) return undefined;
  const at = readLong(buffer, locator + 8);
  return buffer.readUInt32LE(at) === END64_SIGNATURE ? at : undefined;
}

function readEntries(directory: Buffer, shift: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_SIZE <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    if (entries.length >= ZIP_LIMITS.entries) throw tooComplex('It contains too many files.');
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const nameEnd = at + ENTRY_SIZE + nameLength;
    const long = longFields(directory, nameEnd, nameEnd + extraLength);
    entries.push({
      // The UTF-8 flag is ignored: no part that a parser reads has a name in another encoding.
      name: directory.toString('utf8', at + ENTRY_SIZE, nameEnd).replaceAll('\\', '/'),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      size: long(directory.readUInt32LE(at + 24)),
      packedSize: long(directory.readUInt32LE(at + 20)),
      offset: long(directory.readUInt32LE(at + 42)) + shift,
    });
    at = nameEnd + extraLength + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Zip64: numbers over 32 bits are in an extra field, in the order size, packed size, offset. */
function longFields(directory: Buffer, from: number, to: number): (short: number) => number {
  let at = from;
  let fields: Buffer | undefined;
  while (at + 4 <= to && !fields) {
    const next = at + 4 + directory.readUInt16LE(at + 2);
    if (directory.readUInt16LE(at) === 1) fields = directory.subarray(at + 4, next);
    at = next;
  }
  let read = 0;
  return (short) => {
    if (short !== IN_ZIP64_FIELD || !fields) return short;
    read += 8;
    return readLong(fields, read - 8);
  };
}

/** The declared sizes reveal most zip bombs; the others are caught while unpacking. */
function rejectBombs(entries: readonly ZipEntry[], fileSize: number): void {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  checkUnpacked(total, fileSize);
  // Overlapping entries let a small file unpack to an endless one.
  let end = 0;
  for (const { offset, packedSize } of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (offset < end) throw tooComplex('Files inside it overlap.');
    end = offset + LOCAL_SIZE + packedSize;
  }
}

export function checkUnpacked(total: number, fileSize: number): void {
  const { totalBytes, ratio, ratioFloorBytes } = ZIP_LIMITS;
  if (total > totalBytes || (total > ratioFloorBytes && total > fileSize * ratio)) {
    throw tooComplex('It unpacks to far more than its own size.');
  }
}

/** Although nothing is unpacked to disk, a path that leaves the archive is never a valid part. */
const isInside = (name: string): boolean =>
  name !== '' && !name.endsWith('/') && !/^(?:\/|[a-z]:)|\0|(?:^|\/)\.\.(?:\/|$)/i.test(name);

const readLong = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

export const damagedZip = (cause?: unknown): ServiceError => damagedFile('It is not a readable zip archive.', cause);
