// An export that is written once to a stored file, and then served from there, whole or in parts, for as long as it is kept.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { FileStore, StoredFile } from '../../../store/ports/files/file-store.ts';
import type { UploadContent } from '../../../store/ports/files/upload-store.ts';
import type { Clock } from '../../../util/clock.ts';
import { hashOf } from '../../../util/hash.ts';

export interface FinishedExports {
  /** `of`: everything that the content depends on. Whoever asks for the same waits for the one that is being written. */
  open(of: readonly unknown[], type: string, make: MakeFile): Promise<StoredFile>;
  /** Writes to a file that exists until `use` has ended. */
  whileWritten<T>(content: UploadContent, use: (path: string, size: number) => Promise<T>): Promise<T>;
}

/** Calls `write` once, and waits for it. */
export type MakeFile = (write: (content: UploadContent) => Promise<void>) => Promise<void>;

interface Deps {
  files: Pick<FileStore, 'adopt' | 'find'>;
  /** Receives files in the data folder. */
  write: FinishedExports['whileWritten'];
  clock: Pick<Clock, 'now'>;
}

/** It is made anew when it is asked for later: what is deleted meanwhile is not in it any more. */
const KEPT_MS = 10 * 60_000;
const ID_DIGITS = 32;

export function createFinishedExports({ files, write, clock }: Deps): FinishedExports {
  const writing = new Map<string, Promise<void>>();
  const adopt = (id: string, type: string) => (content: UploadContent) =>
    write(content, async (path) => {
      const createdAt = clock.now();
      // Another process may have been faster.
      if (await files.find(id, createdAt)) return;
      await files.adopt({ id, type, path, createdAt, expiresAt: createdAt + KEPT_MS });
    });
  return {
    whileWritten: write,
    async open(of, type, make) {
      // The period is part of the name: a file that has expired may still be there.
      const id = hashOf('export', Math.floor(clock.now() / KEPT_MS), ...of).slice(0, ID_DIGITS);
      const known = await files.find(id, clock.now());
      if (known) return known;
      const work = writing.get(id) ?? make(adopt(id, type)).finally(() => writing.delete(id));
      writing.set(id, work);
      await work;
      const written = await files.find(id, clock.now());
      if (!written) throw new ServiceError('STORAGE_UNAVAILABLE');
      return written;
    },
  };
}
