// How much space the parts of the data folder take. Large folders are measured in part: the names of blobs are random, so
// their folders are alike.
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { INCOMING_FOLDER } from './incoming-files.ts';
import { RESERVE_FILE } from './reserve.ts';

export const FOLDER_PARTS = ['store', 'index', 'blobs', 'uploads', 'reserve', 'other'] as const;
export type FolderPart = (typeof FOLDER_PARTS)[number];

export interface PartSize {
  bytes: number;
  files: number;
  /** Measured in part. */
  isEstimate: boolean;
}

export interface FolderSizes {
  parts: Record<FolderPart, PartSize>;
  /** Free bytes of the disk, for this user. */
  freeBytes: number;
  diskBytes: number;
}

const MAX_FILES = 5_000;
const PART_OF: readonly [RegExp, FolderPart][] = [
  [/^store\.db/, 'store'],
  [/^index\.db/, 'index'],
  [/^blobs$/, 'blobs'],
  [new RegExp(`^${INCOMING_FOLDER}$`), 'uploads'],
  [new RegExp(`^${RESERVE_FILE}$`), 'reserve'],
];

export async function measureFolder(dataDir: string, maxFiles = MAX_FILES): Promise<FolderSizes> {
  const parts = Object.fromEntries(
    FOLDER_PARTS.map((part) => [part, { bytes: 0, files: 0, isEstimate: false }]),
  ) as FolderSizes['parts'];
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const part = PART_OF.find(([pattern]) => pattern.test(entry.name))?.[1] ?? 'other';
    const path = join(dataDir, entry.name);
    const size = entry.isDirectory() ? await measureTree(path, maxFiles) : await measureFile(path);
    parts[part].bytes += size.bytes;
    parts[part].files += size.files;
    parts[part].isEstimate ||= size.isEstimate;
  }
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { parts, freeBytes: bavail * bsize, diskBytes: blocks * bsize };
}

/** Files of the folder and of its folders. After `maxFiles`, the folders that are left count as large as those before. */
async function measureTree(folder: string, maxFiles: number): Promise<PartSize> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const total = { bytes: 0, files: 0 };
  for (const [index, entry] of entries.entries()) {
    const path = join(folder, entry.name);
    const names = entry.isDirectory() ? await readdir(path).catch(() => []) : [''];
    for (const name of names) {
      const { bytes, files } = await measureFile(join(path, name));
      total.bytes += bytes;
      total.files += files;
    }
    if (total.files < maxFiles || index === entries.length - 1) continue;
    const scale = entries.length / (index + 1);
    return { bytes: Math.round(total.bytes * scale), files: Math.round(total.files * scale), isEstimate: true };
  }
  return { ...total, isEstimate: false };
}

/** A file that has just been removed counts as nothing. */
async function measureFile(path: string): Promise<PartSize> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile()
    ? { bytes: found.size, files: 1, isEstimate: false }
    : { bytes: 0, files: 0, isEstimate: false };
}
