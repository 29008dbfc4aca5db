// Rewrites a zip without compression from entries that were unpacked within limits and verified, so that engines with
// their own unzip code cannot be attacked by compressed data.
import { crc32 } from 'node:zlib';
import { ServiceError } from '../../contracts/errors.ts';
import type { ZipArchive } from './zip.ts';
import { LOCAL_SIGNATURE, LOCAL_SIZE } from './zip-directory.ts';

const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_SIZE = 46;
const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const STRUCTURE = /\.(?:xml|rels|bin)$|^mimetype$/i;

/** `replaced`: new content of entries by name; undefined drops an entry. */
export function repackZip(archive: ZipArchive, replaced: ReadonlyMap<string, Uint8Array | undefined>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let end = 0;
  for (const name of archive.names) {
    const content = replaced.has(name) ? replaced.get(name) : readEntry(archive, name);
    if (!content) continue;
    const header = fields(Buffer.from(name), content);
    directory.push(directoryEntry(header, end));
    parts.push(localHeader(header), content);
    end += LOCAL_SIZE + header.name.length + content.length;
  }
  const last = Buffer.alloc(END_SIZE);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  last.writeUInt32LE(END_SIGNATURE, 0);
  last.writeUInt16LE(directory.length, 8);
  last.writeUInt16LE(directory.length, 10);
  last.writeUInt32LE(size, 12);
  last.writeUInt32LE(end, 16);
  return Buffer.concat([...parts, ...directory, last]);
}

/** A damaged picture is dropped; the text can still be parsed. */
function readEntry(archive: ZipArchive, name: string): Uint8Array | undefined {
  try {
    return archive.read(name);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'DOCUMENT_DAMAGED' && !STRUCTURE.test(name)) return undefined;
    throw error;
  }
}

interface Header {
  name: Buffer;
  /** The fields that both headers share, in the same order. */
  common: Buffer;
}

function fields(name: Buffer, content: Uint8Array): Header {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(UTF8_NAMES, 2);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  return { name, common };
}

function localHeader({ name, common }: Header): Buffer {
  const header = Buffer.alloc(LOCAL_SIZE);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  common.copy(header, 4);
  return Buffer.concat([header, name]);
}

function directoryEntry({ name, common }: Header, offset: number): Buffer {
  const header = Buffer.alloc(ENTRY_SIZE);
  header.writeUInt32LE(ENTRY_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  common.copy(header, 6);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}
