// Makes a data folder from a backup. Every file is compared with its checksum before anything is put in place.
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DataFolderError } from '../../data-folder/data-folder.ts';
import { tooOld, UPGRADER } from '../../data-folder/migration-files.ts';
import { readMigrations } from '../../sqlite/database/open-database.ts';
import { describeFile, type ManifestEntry, readManifest } from './manifest.ts';

export interface RestoreOptions {
  /** A folder that `makeBackup` made. */
  source: string;
  /** The data folder to make. It must be missing or empty. */
  dataDir: string;
  onProgress?: (words: string) => void;
}

export async function restoreBackup({ source, dataDir, onProgress = () => {} }: RestoreOptions) {
  const { files, schema, createdAt } = await readManifest(source);
  refuseOther(source, schema);
  refuseUsed(dataDir);
  await mkdir(dirname(dataDir), { recursive: true });
  const folder = await mkdtemp(join(dirname(dataDir), `.${basename(dataDir)}-`));
  try {
    onProgress(`Copying and checking ${files.length} files ...`);
    for (const file of files) await copyChecked(source, folder, file);
    await mkdir(join(folder, 'blobs'), { recursive: true, mode: 0o700 });
    if (existsSync(dataDir)) await rmdir(dataDir);
    await rename(folder, dataDir);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { files: files.length, createdAt };
}

async function copyChecked(source: string, folder: string, expected: ManifestEntry): Promise<void> {
  const { path, size, sha256 } = expected;
  const copy = join(folder, path);
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
  await copyFile(join(source, path), copy).catch((cause: NodeJS.ErrnoException) => {
    throw new DataFolderError(
      `${join(source, path)} cannot be read (${cause.code}), so nothing was restored. Use another backup.`,
      { cause },
    );
  });
  const found = await describeFile(folder, path);
  if (found.size === size && found.sha256 === sha256) return;
  throw new DataFolderError(
    `${join(source, path)} is damaged: its checksum is not the one in the list of files. Nothing was restored. Use another backup.`,
  );
}

function refuseOther(source: string, schema: number): void {
  const migrations = readMigrations();
  const problem = tooOld(`The backup ${source}`, schema, migrations, `Restore it with ${UPGRADER} and start that once`);
  if (problem !== undefined) throw new DataFolderError(problem);
  const newest = migrations.at(-1)!.version;
  if (schema <= newest) return;
  throw new DataFolderError(
    `The backup ${source} is of a newer version of Trawl (schema ${schema}, this program knows ${newest}). Update Trawl first.`,
  );
}

/** The folder of a running service is never empty. */
function refuseUsed(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return;
  throw new DataFolderError(
    `The data folder ${dataDir} is not empty. Stop the service that uses it and move the folder away, or set TRAWL_DATA_DIR to a new one.`,
  );
}
