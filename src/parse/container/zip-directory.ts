// The directory of a zip: where its entries are and what they claim to be. Nothing is unpacked here.
import { ServiceError } from '../../contracts/errors.ts';
import { damaged, tooComplex } from '../parse-errors.ts';
import { ARCHIVE_LIMITS } from '../parse-limits.ts';

export interface ArchiveEntry {
  name: string;
  /** Of its local header. */
  offset: number;
  packedSize: number;
  size: number;
  crc: number;
  method: number;
  isEncrypted: boolean;
}

const END_MARK = 0x06054b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
const END64_MARK = 0x06064b50;
const LOCATOR64_MARK = 0x07064b50;
const LOCATOR64_SIZE = 20;
const ENTRY_MARK = 0x02014b50;
const ENTRY_SIZE = 46;
export const LOCAL_MARK = 0x04034b50;
export const LOCAL_SIZE = 30;
const IN_ZIP64_FIELD = 0xffffffff;

/** Entries with a name that no document needs (outside of the archive, a folder) are left out. */
export function readDirectory(bytes: Uint8Array): ArchiveEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const { start, size, count, shift } = findDirectory(buffer);
    if (count > ARCHIVE_LIMITS.entries) throw tooComplex('It holds too many files.');
    const entries = readEntries(buffer.subarray(start, start + size), shift);
    refuseBombs(entries, bytes.length);
    return entries.filter(({ name }) => isInside(name));
  } catch (error) {
    // Reading beyond the end of what is there.
    throw error instanceof ServiceError ? error : damagedArchive(error);
  }
}

interface Place {
  start: number;
  size: number;
  count: number;
  /** What stands before the archive in the file, which its offsets do not count. */
  shift: number;
}

function findDirectory(buffer: Buffer): Place {
  const end = findEnd(buffer);
  const end64 = findEnd64(buffer, end);
  const count = end64 === undefined ? buffer.readUInt16LE(end + 10) : readLong(buffer, end64 + 32);
  const size = end64 === undefined ? buffer.readUInt32LE(end + 12) : readLong(buffer, end64 + 40);
  const offset = end64 === undefined ? buffer.readUInt32LE(end + 16) : readLong(buffer, end64 + 48);
  const start = (end64 ?? end) - size;
  if (start < offset) throw damagedArchive();
  return { start, size, count, shift: start - offset };
}

function findEnd(buffer: Buffer): number {
  const first = Math.max(0, buffer.length - END_SIZE - MAX_COMMENT);
  for (let at = buffer.length - END_SIZE; at >= first; at -= 1) {
    if (buffer.readUInt32LE(at) === END_MARK) return at;
  }
  throw damagedArchive();
}

function findEnd64(buffer: Buffer, end: number): number | undefined {
  const locator = end - LOCATOR64_SIZE;
  if (locator < 0 || buffer.readUInt32LE(locator) !== LOCATOR64_MARK) return undefined;
  const at = readLong(buffer, locator + 8);
  return buffer.readUInt32LE(at) === END64_MARK ? at : undefined;
}

function readEntries(directory: Buffer, shift: number): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let at = 0;
  while (at + ENTRY_SIZE <= directory.length && directory.readUInt32LE(at) === ENTRY_MARK) {
    if (entries.length >= ARCHIVE_LIMITS.entries) throw tooComplex('It holds too many files.');
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const nameEnd = at + ENTRY_SIZE + nameLength;
    const long = longFields(directory, nameEnd, nameEnd + extraLength);
    entries.push({
      // Marked as UTF-8 or not: other encodings are met only in names that nobody looks for.
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

/** Numbers that do not fit are in a field of their own, in the order size, packed size, offset. */
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

/** What is declared is enough to tell most bombs; the others are met while unpacking. */
function refuseBombs(entries: readonly ArchiveEntry[], fileSize: number): void {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  checkUnpacked(total, fileSize);
  // Entries that share their bytes are how a small file becomes endless.
  let end = 0;
  for (const { offset, packedSize } of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (offset < end) throw tooComplex('Its files overlap.');
    end = offset + LOCAL_SIZE + packedSize;
  }
}

export function checkUnpacked(total: number, fileSize: number): void {
  const { totalBytes, ratio, ratioFloorBytes } = ARCHIVE_LIMITS;
  if (total > totalBytes || (total > ratioFloorBytes && total > fileSize * ratio)) {
    throw tooComplex('It unpacks to far more than it is.');
  }
}

/** Nothing is ever unpacked to a disk; a path that leaves the archive is still no part of a document. */
const isInside = (name: string): boolean =>
  name !== '' && !name.endsWith('/') && !/^(?:\/|[a-z]:)|\0|(?:^|\/)\.\.(?:\/|$)/i.test(name);

const readLong = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at));

export const damagedArchive = (cause?: unknown): ServiceError =>
  damaged('the archive that it is cannot be read.', cause);
