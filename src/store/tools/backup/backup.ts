// Makes a backup of a data folder, also while a service uses it: a snapshot of the database, and every file it refers to.
import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { DataFolderError } from '../../data-folder/data-folder.ts';
import { readBlobNames } from '../../sqlite/objects/blob-names.ts';
import { describeFile, type ManifestEntry, writeManifest } from './manifest.ts';

export interface BackupOptions {
  dataDir: string;
  /** The folder to make. It must not exist. */
  target: string;
  /** Copies files that hard links could share with the data folder. */
  copy?: boolean;
  onProgress?: (words: string) => void;
  now: number;
}

export interface BackupSummary {
  files: number;
  bytes: number;
  /** Large contents that the data folder itself has lost. */
  lost: number;
  /** Large contents that are in an object store, and so not in the backup. */
  moved: number;
}

/** A file can be removed between the snapshot and its copy. Then there is a newer snapshot that does not refer to it. */
const SNAPSHOTS = 5;
/** One step: in several, each write of the service would start the copy over. */
const ALL_PAGES = 2 ** 30;

export async function makeBackup(options: BackupOptions): Promise<BackupSummary> {
  const { dataDir, target, onProgress = () => {}, now } = options;
  if (!existsSync(join(dataDir, 'store.db'))) {
    throw new DataFolderError(
      `There is nothing to back up in ${dataDir}. Set TRAWL_DATA_DIR to the folder of the service.`,
    );
  }
  if (existsSync(target)) throw new DataFolderError(`${target} exists already. Name a folder that does not.`);
  await mkdir(dirname(target), { recursive: true });
  // Under another name until it is complete.
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    const blobs = createBlobCopies(dataDir, folder, options.copy === true);
    onProgress('Copying large contents ...');
    await blobs.takeAll();
    onProgress('Copying the database ...');
    const { schema, missing, moved } = await takeSnapshot(dataDir, folder, blobs);
    await copyFile(join(dataDir, 'secret'), join(folder, 'secret'));
    onProgress('Computing checksums ...');
    const files = await describeAll(folder, ['store.db', 'secret', ...blobs.paths()]);
    await writeManifest(folder, { createdAt: new Date(now).toISOString(), schema, files });
    await rename(folder, target);
    return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), lost: missing, moved };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function takeSnapshot(dataDir: string, folder: string, blobs: BlobCopies) {
  for (let left = SNAPSHOTS; ; left--) {
    const { schema, names, moved } = await copyStore(join(dataDir, 'store.db'), join(folder, 'store.db'));
    const missing = await blobs.take(names);
    if (missing > 0 && left > 1) continue;
    await blobs.keepOnly(names);
    return { schema, missing, moved };
  }
}

async function copyStore(source: string, copy: string): Promise<{ schema: number; names: string[]; moved: number }> {
  await rm(copy, { force: true });
  const original = new DatabaseSync(source, { readOnly: true, timeout: 60_000 });
  try {
    await copyDatabase(original, copy, { rate: ALL_PAGES });
  } finally {
    original.close();
  }
  const copied = new DatabaseSync(copy);
  try {
    // The copy is one file, without a log beside it.
    copied.exec('PRAGMA journal_mode = DELETE');
    const [problem] = copied
      .prepare('PRAGMA quick_check(1)')
      .all()
      .map((row) => String(Object.values(row)[0]));
    if (problem !== 'ok') {
      throw new DataFolderError(
        `The database ${source} is damaged (${problem}), so no backup was made. Run \`trawl doctor\`.`,
      );
    }
    const { inFolder, moved } = readBlobNames(copied);
    return { schema: Number(copied.prepare('PRAGMA user_version').get()!.user_version), names: inFolder, moved };
  } finally {
    copied.close();
  }
}

interface BlobCopies {
  /** Everything that is there now, so that nothing is missing that is removed later. */
  takeAll(): Promise<void>;
  /** Returns how many of them are not there. */
  take(names: readonly string[]): Promise<number>;
  keepOnly(names: readonly string[]): Promise<void>;
  paths(): string[];
}

function createBlobCopies(dataDir: string, folder: string, mustCopy: boolean): BlobCopies {
  const taken = new Set<string>();
  const pathOf = (name: string) => join('blobs', name.slice(0, 2), name);
  let hasLinks = !mustCopy;

  const takeOne = async (name: string): Promise<boolean> => {
    if (taken.has(name)) return true;
    const [from, to] = [join(dataDir, pathOf(name)), join(folder, pathOf(name))];
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    try {
      if (hasLinks) await link(from, to).catch((error: NodeJS.ErrnoException) => copyInstead(error, from, to));
      else await copyFile(from, to, constants.COPYFILE_FICLONE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    taken.add(name);
    return true;
  };
  /** Another file system, or one without hard links. */
  const copyInstead = async (error: NodeJS.ErrnoException, from: string, to: string) => {
    if (error.code === 'ENOENT') throw error;
    hasLinks = false;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  };

  return {
    async takeAll() {
      for (const entry of await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }))
        if (entry.isFile() && /^[\da-f]{32}$/.test(entry.name)) await takeOne(entry.name);
    },
    async take(names) {
      let missing = 0;
      for (const name of names) if (!(await takeOne(name))) missing += 1;
      return missing;
    },
    async keepOnly(names) {
      const wanted = new Set(names);
      for (const name of [...taken].filter((each) => !wanted.has(each))) {
        await rm(join(folder, pathOf(name)));
        taken.delete(name);
      }
    },
    paths: () => [...taken].map((name) => `blobs/${name.slice(0, 2)}/${name}`),
  };
}

async function describeAll(folder: string, paths: readonly string[]): Promise<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const path of paths) entries.push(await describeFile(folder, path));
  return entries;
}
