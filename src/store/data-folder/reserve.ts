// A file that only takes up space. Removing rows and merging the log of the database take space, too: on a full disk, this
// file is given up for them.
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Reserve {
  /** Writes the file if it is not there or incomplete. Throws if there is no space for it. */
  fill(): void;
  drop(): void;
}

export const RESERVE_FILE = 'reserve';
const RESERVE_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export function createReserve(dataDir: string, size = RESERVE_BYTES): Reserve {
  const path = join(dataDir, RESERVE_FILE);
  const drop = () => {
    try {
      rmSync(path, { force: true });
    } catch {
      // A file system that has become read-only: then there is nothing to gain either.
    }
  };

  const write = () => {
    // Random, because some file systems store zeros in no space at all.
    const chunk = randomFillSync(new Uint8Array(Math.min(size, CHUNK_BYTES)));
    const file = openSync(path, 'w', 0o600);
    try {
      for (let written = 0; written < size; )
        written += writeSync(file, chunk, 0, Math.min(chunk.length, size - written));
    } finally {
      closeSync(file);
    }
  };

  return {
    fill() {
      if (statSync(path, { throwIfNoEntry: false })?.size === size) return;
      try {
        write();
      } catch (error) {
        drop();
        throw error;
      }
    },
    drop,
  };
}
