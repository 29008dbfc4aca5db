// Bodies too large for a database row, one file each. A file gets its name only when all of it is on the disk.
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
import { randomToken } from '../../util/ids.ts';
import { makePrivateFolder } from '../../util/private-files.ts';

export interface BlobFolder {
  /** Writes a new file and returns its name. */
  write(bytes: Uint8Array): string;
  /** Takes over a file of the same file system that is on the disk already, and returns its new name. */
  adopt(path: string): string;
  /** Where the file is and how large; undefined when there is none. */
  locate(name: string): { path: string; size: number } | undefined;
  /** The bytes, or undefined when there is no such file. */
  read(name: string): Uint8Array | undefined;
  remove(name: string): void;
  /** Removes the files that `namesWith(prefix)` does not know, temporary ones included. Only for a folder nobody writes to. */
  removeOrphans(namesWith: (prefix: string) => Set<string>): number;
}

const PREFIX_LENGTH = 2;

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
      const temporary = `${path}.tmp`;
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

/** A file that will not go is an orphan for the next start to remove; the row that named it is gone all the same. */
function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
