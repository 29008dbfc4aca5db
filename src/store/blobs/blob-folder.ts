// Bodies too large for a database row, one file each. A file gets its final name only when it is completely on disk.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../runtime/private-files.ts';
import { randomToken } from '../../util/ids.ts';

export interface BlobFolder {
  /** Writes a new file and returns its name. */
  write(bytes: Uint8Array): string;
  /** Moves an existing file of the same file system into the folder and returns its new name. */
  adopt(path: string): string;
  /** Undoes `adopt`. */
  giveBack(name: string, path: string): void;
  /** Path and size of the file; undefined if it does not exist. */
  locate(name: string): { path: string; size: number } | undefined;
  /** Undefined if the file does not exist. */
  read(name: string): Uint8Array | undefined;
  remove(name: string): void;
  /** Names of all complete files. */
  names(): string[];
  /**
   * Removes all files that `namesWith(prefix)` does not list, including temporary ones. Only safe while nobody writes
   * to the folder.
   */
  removeOrphans(namesWith: (prefix: string) => Set<string>): number;
}

const PREFIX_LENGTH = 2;
const TEMPORARY = '.tmp';

export function createBlobFolder(folder: string): BlobFolder {
  const made = new Set<string>();
  makePrivateFolder(folder);

  const pathOf = (name: string) => join(folder, name.slice(0, PREFIX_LENGTH), name);

  const makePrefixFolder = (prefix: string) => {
    if (made.has(prefix)) return;
    makePrivateFolder(join(folder, prefix));
    made.add(prefix);
  };

  return {
    write(bytes) {
      const name = randomToken(16);
      makePrefixFolder(name.slice(0, PREFIX_LENGTH));
      const path = pathOf(name);
      const temporary = path + TEMPORARY;
      try {
        writeDurably(temporary, bytes);
        renameSync(temporary, path);
      } catch (error) {
        removeFile(temporary);
        throw error;
      }
      return name;
    },

    adopt(path) {
      const name = randomToken(16);
      makePrefixFolder(name.slice(0, PREFIX_LENGTH));
      chmodSync(path, 0o600);
      renameSync(path, pathOf(name));
      return name;
    },

    giveBack(name, path) {
      renameSync(pathOf(name), path);
    },

    locate(name) {
      const path = pathOf(name);
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      return size === undefined ? undefined : { path, size };
    },

    read(name) {
      try {
        return readFileSync(pathOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },

    remove(name) {
      removeFile(pathOf(name));
    },

    names: () =>
      readdirSync(folder).flatMap((prefix) =>
        readdirSync(join(folder, prefix)).filter((name) => !name.endsWith(TEMPORARY)),
      ),

    removeOrphans(namesWith) {
      let removed = 0;
      for (const prefix of readdirSync(folder)) {
        const known = namesWith(prefix);
        const orphans = readdirSync(join(folder, prefix)).filter((name) => !known.has(name));
        for (const name of orphans) removeFile(join(folder, prefix, name));
        removed += orphans.length;
      }
      return removed;
    },
  };
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A file that cannot be removed is left for the next start; its row is gone in any case. */
function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
