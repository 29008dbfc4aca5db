// A zip in memory, which most documents are. Every entry is unpacked within limits and held against its checksum.
import { crc32, inflateRawSync } from 'node:zlib';
import { ServiceError } from '../../contracts/errors.ts';
import { tooComplex } from '../parse-errors.ts';
import { ARCHIVE_LIMITS } from '../parse-limits.ts';
import {
  type ArchiveEntry,
  checkUnpacked,
  damagedArchive,
  LOCAL_MARK,
  LOCAL_SIZE,
  readDirectory,
} from './zip-directory.ts';

export interface Archive {
  names: readonly string[];
  has(name: string): boolean;
  /** Undefined when there is no such entry. Throws DOCUMENT_DAMAGED, DOCUMENT_ENCRYPTED, DOCUMENT_TOO_COMPLEX. */
  read(name: string): Uint8Array | undefined;
}

const STORED = 0;
const DEFLATED = 8;

/** Throws DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX. */
export function openArchive(bytes: Uint8Array): Archive {
  const entries = new Map(readDirectory(bytes).map((entry) => [entry.name, entry]));
  let total = 0;
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      // Counted each time: a document may refer to the same entry over and over.
      total += entry.size;
      checkUnpacked(total, bytes.length);
      return unpack(bytes, entry);
    },
  };
}

function unpack(bytes: Uint8Array, entry: ArchiveEntry): Uint8Array {
  if (entry.isEncrypted) throw new ServiceError('DOCUMENT_ENCRYPTED');
  if (entry.size > ARCHIVE_LIMITS.entryBytes) throw tooComplex('A part of it is too large.');
  const packed = packedBytes(bytes, entry);
  const unpacked = entry.method === STORED ? packed : inflate(packed, entry);
  if (unpacked.length !== entry.size || crc32(unpacked) !== entry.crc) {
    throw damagedArchive(`The checksum of ${entry.name} is wrong.`);
  }
  return unpacked;
}

function packedBytes(bytes: Uint8Array, { offset, packedSize }: ArchiveEntry): Uint8Array {
  if (offset + LOCAL_SIZE > bytes.length) throw damagedArchive();
  const header = Buffer.from(bytes.buffer, bytes.byteOffset + offset, LOCAL_SIZE);
  if (header.readUInt32LE(0) !== LOCAL_MARK) throw damagedArchive();
  const start = offset + LOCAL_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + packedSize > bytes.length) throw damagedArchive();
  return bytes.subarray(start, start + packedSize);
}

function inflate(packed: Uint8Array, { method, size }: ArchiveEntry): Uint8Array {
  if (method !== DEFLATED) throw damagedArchive(`Compression ${method} is not read.`);
  try {
    // Not a byte more than was declared, and checked against the limits.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw damagedArchive(error);
  }
}
