// Writes ZIP archives, correct or lying.
import { constants, crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data?: string | Uint8Array;
  /** Compressed bytes; made from `data` if absent. */
  packed?: Uint8Array;
  /** False values for the directory. */
  size?: number;
  crc?: number;
  method?: number;
  isEncrypted?: boolean;
  /** A local name that differs from the one in the directory. */
  localName?: string;
}

export interface ZipLies {
  count?: number;
  directoryOffset?: number;
  /** All entries share the bytes of the first. */
  overlap?: boolean;
  comment?: string;
}

export function zip(entries: readonly ZipEntry[], lies: ZipLies = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [index, entry] of entries.entries()) {
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.packed ?? (entry.method === 0 ? data : deflateRawSync(data));
    const at = lies.overlap && index > 0 ? 0 : offset;
    const facts = { ...entry, packed, crc: entry.crc ?? crc32(data), size: entry.size ?? data.length };
    if (at === offset) {
      const local = localHeader(facts);
      files.push(local, Buffer.from(packed));
      offset += local.length + packed.length;
    }
    directory.push(directoryEntry(facts, at));
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE((lies.count ?? entries.length) & 0xffff, 8);
  end.writeUInt16LE((lies.count ?? entries.length) & 0xffff, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(lies.directoryOffset ?? offset, 16);
  end.writeUInt16LE(lies.comment?.length ?? 0, 20);
  return Buffer.concat([...files, listed, end, Buffer.from(lies.comment ?? '')]);
}

type Facts = ZipEntry & { packed: Uint8Array; crc: number; size: number };

function localHeader({ name, localName = name, ...facts }: Facts): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFacts(header, 4, facts);
  header.writeUInt16LE(Buffer.byteLength(localName), 26);
  return Buffer.concat([header, Buffer.from(localName)]);
}

function directoryEntry({ name, ...facts }: Facts, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  writeFacts(header, 6, facts);
  header.writeUInt16LE(Buffer.byteLength(name), 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, Buffer.from(name)]);
}

function writeFacts(header: Buffer, at: number, { packed, crc, size, method = 8, isEncrypted }: Omit<Facts, 'name'>) {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(isEncrypted ? 1 : 0, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(packed.length, at + 14);
  header.writeUInt32LE(size, at + 18);
}

const MB = 1024 * 1024;
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** That many megabytes of one byte, compressed as a stream so that they never exist in memory. */
export function packedMegabytes(count: number, byte = 0): Buffer {
  const one = deflateRawSync(Buffer.alloc(MB, byte), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: count }, () => one), LAST_BLOCK]);
}
