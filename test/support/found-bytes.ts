// Looks for bytes in every file of a folder: as they are, and inside everything that can be unpacked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

const FRAMES: readonly { magic: Buffer; unpack(bytes: Buffer): Buffer }[] = [
  { magic: Buffer.from('28b52ffd', 'hex'), unpack: zstdDecompressSync },
  { magic: Buffer.from('1f8b08', 'hex'), unpack: gunzipSync },
  ...['7801', '785e', '789c', '78da'].map((magic) => ({ magic: Buffer.from(magic, 'hex'), unpack: inflateSync })),
];
const LONGEST_FRAME = 200_000;

/** Where each needle was found: `file` or `file (unpacked at OFFSET)`. Empty if none was. */
export function findInFolder(folder: string, needles: readonly (string | Buffer)[]): string[] {
  const found = new Set<string>();
  const look = (bytes: Buffer, where: string) => {
    for (const needle of needles) {
      if (bytes.includes(needle)) found.add(`${where}: ${typeof needle === 'string' ? needle : 'bytes'}`);
    }
  };
  for (const [name, bytes] of filesOf(folder)) {
    look(bytes, name);
    for (const [at, unpacked] of unpackedParts(bytes)) look(unpacked, `${name} (unpacked at ${at})`);
    // Brotli has no magic; whole files are the only place where it could be recognised.
    const whole = attempt(() => brotliDecompressSync(bytes));
    if (whole) look(whole, `${name} (brotli)`);
  }
  return [...found].sort();
}

/** The contents of all compressed frames in these bytes, each with its offset. */
export function* unpackedParts(bytes: Buffer): Generator<[at: number, content: Buffer]> {
  for (const { magic, unpack } of FRAMES) {
    for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) {
      const content = attempt(() => unpack(frameAt(bytes, at)));
      if (content) yield [at, content];
    }
  }
}

/** Short pieces of these bytes, of which none may be left when they are gone. */
export function piecesOf(bytes: Uint8Array): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 16; at + 24 <= bytes.length; at += 700) pieces.push(Buffer.from(bytes.subarray(at, at + 24)));
  return pieces;
}

/** Of a running service, too: what it removes meanwhile (a journal) is left out. */
export const filesOf = (folder: string): [name: string, bytes: Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const bytes = readIfThere(join(parentPath, name));
      return bytes ? [[name, bytes]] : [];
    });

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Without what follows a frame, which the decompressors would take for damage. They stop at its end. */
const frameAt = (bytes: Buffer, at: number): Buffer => bytes.subarray(at, at + LONGEST_FRAME);

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
