// Exports of what does not change any more: each is written once, kept like other files, and then served as a whole or in parts.
import type { CompleteFile } from '../../../archive/download.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { readVersion } from '../../../runtime/version.ts';
import type { FileStore, StoredFile } from '../../../store/ports/files/file-store.ts';
import { onAbort, raceAbort } from '../../../util/abort.ts';
import { createBoundedMap } from '../../../util/bounded-map.ts';
import type { Clock } from '../../../util/clock.ts';
import { sha256 } from '../../../util/hash.ts';
import { lazy } from '../../../util/lazy.ts';

/** Makes the file from its beginning. */
export type MakeExport = (signal: AbortSignal) => AsyncIterable<Uint8Array>;

export interface ExportFile {
  /** Everything that its bytes depend on: two exports with the same have the same bytes. */
  of: readonly unknown[];
  /** Until when it may be kept. */
  expiresAt: number;
  /** Further headers of its download. */
  headers: Readonly<Record<string, string>>;
  make: MakeExport;
}

interface WantedExport extends Omit<ExportFile, 'headers'> {
  type: string;
  /** It goes with this job. */
  jobId?: string;
  /** The one who waits for it. */
  signal: AbortSignal;
}

export interface FinishedExports {
  /** Undefined if it is not kept, so that it has to be made while it is sent. */
  open(wanted: WantedExport): Promise<CompleteFile | undefined>;
}

export interface FinishedExportsDeps {
  files: Pick<FileStore, 'find' | 'write'>;
  clock: Pick<Clock, 'now'>;
}

/** One that is being written, for all who wait for it. */
interface Writing {
  done: Promise<boolean>;
  readers: number;
  readonly stop: AbortController;
}

const MAX_REMEMBERED = 1_000;
const ID_DIGITS = 32;

export function createFinishedExports({ files, clock }: FinishedExportsDeps): FinishedExports {
  const version = lazy(readVersion);
  const underWay = new Map<string, Writing>();
  /** Those that take too much space. */
  const notKept = createBoundedMap<string, true>({ maxEntries: MAX_REMEMBERED });

  const find = async (id: string) => {
    const file = await files.find(id, clock.now());
    return file && completeFile(id, file);
  };

  const write = async (
    id: string,
    { type, expiresAt, jobId, make }: WantedExport,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const facts = { id, type, createdAt: clock.now(), expiresAt, ...(jobId !== undefined && { jobId }) };
    try {
      const isKept = await files.write(facts, make(signal));
      if (!isKept) notKept.set(id, true);
      return isKept;
    } catch (error) {
      // Another process has written it meanwhile.
      if (await find(id).catch(() => undefined)) return true;
      // What cannot be stored at the moment can still be sent.
      if (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE') return false;
      throw error;
    }
  };

  /** Whether it is kept. It is given up when nobody waits for it any more. */
  const written = async (id: string, wanted: WantedExport): Promise<boolean> => {
    wanted.signal.throwIfAborted();
    let writing = underWay.get(id);
    if (!writing) {
      const stop = new AbortController();
      const done = write(id, wanted, stop.signal).finally(() => {
        if (underWay.get(id)?.stop === stop) underWay.delete(id);
      });
      writing = { done, readers: 0, stop };
      underWay.set(id, writing);
    }
    const { done, stop } = writing;
    const leave = () => {
      writing.readers -= 1;
      if (writing.readers > 0) return;
      underWay.delete(id);
      stop.abort(wanted.signal.reason);
    };
    writing.readers += 1;
    using _ = onAbort(wanted.signal, leave);
    return await raceAbort(done, wanted.signal);
  };

  return {
    async open(wanted) {
      const id = idOf(wanted, version());
      if (notKept.get(id)) return undefined;
      const found = await find(id);
      if (found) return found;
      return (await written(id, wanted)) ? find(id) : undefined;
    },
  };
}

/** A later version of the program may write it otherwise. */
const idOf = ({ of }: WantedExport, version: string): string =>
  sha256(JSON.stringify(['export', version, ...of])).slice(0, ID_DIGITS);

const completeFile = (id: string, { size, read }: StoredFile): CompleteFile => ({ size, etag: `"${id}"`, read });
