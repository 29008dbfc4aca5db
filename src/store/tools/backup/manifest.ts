// The list of files in a backup, with their sizes and checksums, so that damage is found before it is used.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DataFolderError } from '../../data-folder/data-folder.ts';

export const MANIFEST_FILE = 'manifest.json';
const FORMAT = 1;

export interface ManifestEntry {
  /** Within the backup, with slashes. */
  path: string;
  size: number;
  sha256: string;
}

interface Manifest {
  format: typeof FORMAT;
  createdAt: string;
  /** Schema of store.db. */
  schema: number;
  files: ManifestEntry[];
}

export async function describeFile(folder: string, path: string): Promise<ManifestEntry> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, path)), hash);
  return { path, size: (await stat(join(folder, path))).size, sha256: hash.digest('hex') };
}

export async function writeManifest(folder: string, facts: Omit<Manifest, 'format'>): Promise<void> {
  const manifest: Manifest = { format: FORMAT, ...facts };
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
}

export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST_FILE);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new DataFolderError(
      `${folder} is not a backup: ${file} cannot be read. Give a folder that \`trawl backup\` made.`,
      { cause },
    );
  });
  const manifest = parse(text);
  if (manifest && isComplete(manifest)) return manifest;
  throw new DataFolderError(`The list of files ${file} is damaged or of another version. Use another backup.`);
}

function parse(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Paths come from a file that somebody may have changed: none leaves the folder. */
const SAFE_PATH = /^(?:store\.db|secret|blobs\/[\da-f]{2}\/[\da-f]{32})$/;

const isComplete = (manifest: Partial<Manifest>): manifest is Manifest =>
  manifest.format === FORMAT &&
  typeof manifest.schema === 'number' &&
  typeof manifest.createdAt === 'string' &&
  Array.isArray(manifest.files) &&
  manifest.files.every(
    ({ path, size, sha256 }) => SAFE_PATH.test(path) && typeof size === 'number' && typeof sha256 === 'string',
  );
