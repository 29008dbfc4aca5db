// OLE compound files, the container of old Office formats and Outlook messages: a small file system with an allocation
// table. Its sector chains are checked before an engine sees them, because many engines follow a cycle forever.
import { damagedFile } from '../parse-errors.ts';

interface Ole {
  file: Buffer;
  sectorSize: number;
  /** The sector after this one in its chain. */
  next(sector: number): number;
  directory: Buffer;
}

const HEADER_SIZE = 512;
const ENTRY_SIZE = 128;
const HEADER_TABLES = 109;
/** Numbers from here on are markers, not sectors. */
const SPECIAL = 0xfffffffa;
const END = 0xfffffffe;
const NONE = 0xffffffff;
// Messages have a few entries per property; real files stay far below this.
const MAX_DIRECTORY_BYTES = 65_536 * ENTRY_SIZE;
const STREAM = 2;
const ROOT = 5;

/** Names of the top-level entries; undefined if this is not an OLE file. Incomplete if the file is damaged. */
export function oleNames(bytes: Uint8Array): string[] | undefined {
  const ole = openOle(bytes);
  if (!ole) return undefined;
  const { directory } = ole;
  const first = directory.length >= ENTRY_SIZE ? directory.readUInt32LE(76) : NONE;
  return siblings(directory, first, new Set()).map((id) => {
    const length = Math.min(64, directory.readUInt16LE(id * ENTRY_SIZE + 64));
    return directory.toString('utf16le', id * ENTRY_SIZE, id * ENTRY_SIZE + Math.max(0, length - 2));
  });
}

/** Throws DOCUMENT_DAMAGED for cycles and for sizes beyond the end of the file. */
export function checkOle(bytes: Uint8Array): void {
  const ole = openOle(bytes);
  if (!ole || ole.directory.length < ENTRY_SIZE) throw damagedFile('Its directory cannot be read.');
  const { file, directory, next } = ole;
  if (chain(file.readUInt32LE(48), next, file.length).isCyclic) throw damagedFile('Its directory contains a cycle.');
  checkTree(directory);
  const miniNext = nextMini(ole);
  const cutoff = file.readUInt32LE(56);
  // Bounds the total: chains that share sectors could be many times as long as the file.
  let budget = (file.length / 64) * 2;
  for (let at = 0; at + ENTRY_SIZE <= directory.length; at += ENTRY_SIZE) {
    const type = directory[at + 66];
    if (type !== STREAM && type !== ROOT) continue;
    const size = directory.readUInt32LE(at + 120);
    if (size > file.length) throw damagedFile('One of its streams is larger than the file.');
    const isMini = type === STREAM && size < cutoff;
    const { sectors, isCyclic } = chain(directory.readUInt32LE(at + 116), isMini ? miniNext : next, budget);
    budget -= sectors.length;
    if (isCyclic || budget < 0) throw damagedFile('One of its streams contains a cycle.');
  }
}

function openOle(bytes: Uint8Array): Ole | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < HEADER_SIZE || file.toString('latin1', 0, 4) !== '\xd0\xcf\x11\xe0') return undefined;
  const sectorSize = file.readUInt16LE(30) === 12 ? 4096 : 512;
  const next = nextSector(file, sectorSize);
  const directory = readChain(file, sectorSize, next, file.readUInt32LE(48));
  return { file, sectorSize, next, directory };
}

/** Siblings form a binary tree; `seen` guards against cycles. */
function siblings(directory: Buffer, first: number, seen: Set<number>): number[] {
  const found: number[] = [];
  const count = Math.floor(directory.length / ENTRY_SIZE);
  const waiting = [first];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id >= count || seen.has(id)) continue;
    seen.add(id);
    found.push(id);
    waiting.push(directory.readUInt32LE(id * ENTRY_SIZE + 68), directory.readUInt32LE(id * ENTRY_SIZE + 72));
  }
  return found;
}

/** If an entry is reached twice, the directory is not a tree. */
function checkTree(directory: Buffer): void {
  const count = Math.floor(directory.length / ENTRY_SIZE);
  const seen = new Set([0]);
  const waiting = [0];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // The root has no siblings, whatever its fields say.
    for (const at of id === 0 ? [76] : [68, 72, 76]) {
      const other = directory.readUInt32LE(id * ENTRY_SIZE + at);
      if (other >= count) continue;
      if (seen.has(other)) throw damagedFile('Its directory contains a cycle.');
      seen.add(other);
      waiting.push(other);
    }
  }
}

function chain(first: number, next: (sector: number) => number, most: number) {
  const sectors = new Set<number>();
  let sector = first;
  while (sector < SPECIAL && !sectors.has(sector) && sectors.size <= most) {
    sectors.add(sector);
    sector = next(sector);
  }
  return { sectors: [...sectors], isCyclic: sectors.has(sector) };
}

function readChain(file: Buffer, sectorSize: number, next: Ole['next'], first: number): Buffer {
  const { sectors } = chain(first, next, MAX_DIRECTORY_BYTES / sectorSize);
  return Buffer.concat(sectors.map((sector) => file.subarray((sector + 1) * sectorSize, (sector + 2) * sectorSize)));
}

/** The allocation table is itself stored in sectors: the first are listed in the header, the others in a chain. */
function nextSector(file: Buffer, sectorSize: number): Ole['next'] {
  const perSector = sectorSize / 4;
  const numbers = (start: number, count: number) =>
    Array.from({ length: count }, (_, index) => file.readUInt32LE(start + index * 4));
  const listEnd = (list: number) => (list + 2) * sectorSize;
  const lists = chain(
    file.readUInt32LE(68),
    (list) => (listEnd(list) <= file.length ? file.readUInt32LE(listEnd(list) - 4) : END),
    file.length / sectorSize,
  );
  const tables = [
    ...numbers(76, HEADER_TABLES),
    ...lists.sectors
      .filter((list) => listEnd(list) <= file.length)
      .flatMap((list) => numbers((list + 1) * sectorSize, perSector - 1)),
  ];
  return (sector) => {
    const table = tables[Math.floor(sector / perSector)] ?? NONE;
    const at = (table + 1) * sectorSize + (sector % perSector) * 4;
    return table < SPECIAL && at + 4 <= file.length ? file.readUInt32LE(at) : END;
  };
}

/** Small streams share sectors and have an allocation table of their own. */
function nextMini({ file, sectorSize, next }: Ole): Ole['next'] {
  const table = readChain(file, sectorSize, next, file.readUInt32LE(60));
  return (sector) => (sector * 4 + 4 <= table.length ? table.readUInt32LE(sector * 4) : END);
}
