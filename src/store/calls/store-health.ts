// Remembers that the disk could not be written, and tries until it can be again. Writers wait here.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { raceAbort } from '../../util/abort.ts';
import type { StoreHealth } from '../ports/store.ts';

export interface WatchedHealth extends StoreHealth {
  /** What the caller of a failed call gets. */
  noteFailure(cause: unknown): ServiceError;
  close(): void;
}

interface StoreHealthDeps {
  /** Writes as much as shows that writing works; rejects if it does not. */
  probe(): Promise<void>;
  onChange?: (problem: string | undefined) => void;
}

const PROBE_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

export function createStoreHealth({ probe, onChange }: StoreHealthDeps): WatchedHealth {
  let failing: { problem: string; recovered: PromiseWithResolvers<void> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const tryAgain = async () => {
    try {
      await probe();
    } catch {
      if (!isClosed) probeSoon();
      return;
    }
    const { recovered } = failing!;
    failing = undefined;
    onChange?.(undefined);
    recovered.resolve();
  };
  const probeSoon = () => {
    timer = setTimeout(tryAgain, PROBE_MS).unref();
  };

  const noteFault = (problem: string) => {
    if (failing || isClosed) return;
    failing = { problem, recovered: Promise.withResolvers() };
    onChange?.(problem);
    probeSoon();
  };

  const writable = async (signal: AbortSignal) => {
    if (failing) await raceAbort(failing.recovered.promise, signal);
  };

  return {
    problem: () => failing?.problem,
    writable,
    async persist(call, signal) {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== 'STORAGE_UNAVAILABLE') throw error;
        }
        await writable(signal);
      }
    },
    noteFailure(cause) {
      const { code, message } = cause as { code?: string; message?: string };
      if (code === 'STORAGE_DAMAGED') return new ServiceError(code, { message, cause });
      if (code !== 'STORAGE_UNAVAILABLE') return new ServiceError('UNKNOWN_ERROR', { cause });
      noteFault(message!);
      return new ServiceError(code, { message, cause, retryAfter: RETRY_AFTER_SECONDS });
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
