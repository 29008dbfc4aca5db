// Reads a zip in memory. Every entry is unpacked within limits and verified against its checksum.
import { crc32, inflateRawSync } from 'node:zlib';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { tooComplex } from '../parse-errors.ts';
import { ZIP_LIMITS } from '../parse-limits.ts';
import {
  checkUnpacked,
  damagedZip,
  LOCAL_SIGNATURE,
  LOCAL_SIZE,
  readZipDirectory,
  type ZipEntry,
} from './zip-directory.ts';

export interface ZipArchive {
  names: readonly string[];
  has(name: string): boolean;
  /** Undefined if there is no such entry. Throws DOCUMENT_DAMAGED, DOCUMENT_ENCRYPTED, DOCUMENT_TOO_COMPLEX. */
  read(name: string): Uint8Array | undefined;
}

const STORED = 0;
const DEFLATED = 8;

/** Throws DOCUMENT_DAMAGED, DOCUMENT_TOO_COMPLEX. */
export function openZip(bytes: Uint8Array): ZipArchive {
  const entries = new Map(readZipDirectory(bytes).map((entry) => [entry.name, entry]));
  let total = 0;
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      // Counted on every read: a file may refer to the same entry over and over.
      total += entry.size;
      checkUnpacked(total, bytes.length);
      return unpack(bytes, entry);
    },
  };
}

function unpack(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.isEncrypted) throw new ServiceError('DOCUMENT_ENCRYPTED');
  if (entry.size > ZIP_LIMITS.entryBytes) throw tooComplex('One of the files inside it is too large.');
  const packed = packedBytes(bytes, entry);
  const unpacked = entry.method === STORED ? packed : inflate(packed, entry);
  if (unpacked.length !== entry.size || crc32(unpacked) !== entry.crc) {
    throw damagedZip(`The checksum of ${entry.name} is wrong.`);
  }
  return unpacked;
}

function packedBytes(bytes: Uint8Array, { offset, packedSize }: ZipEntry): Uint8Array {
  if (offset + LOCAL_SIZE > bytes.length) throw damagedZip();
  const header = Buffer.from(bytes.buffer, bytes.byteOffset + offset, LOCAL_SIZE);
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damagedZip();
  const start = offset + LOCAL_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + packedSize > bytes.length) throw damagedZip();
  return bytes.subarray(start, start + packedSize);
}

function inflate(packed: Uint8Array, { method, size }: ZipEntry): Uint8Array {
  if (method !== DEFLATED) throw damagedZip(`Compression method ${method} is not supported.`);
  try {
    // Never more than the declared size, which was checked against the limits.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw damagedZip(error);
  }
}
