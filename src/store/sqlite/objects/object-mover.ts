// Moves blobs of the data folder to the object store, and removes objects that nothing refers to. It runs beside the service,
// which never waits for it.
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { BlobStore } from '../../ports/files/blob-store.ts';
import type { FileToMove, ObjectPort } from './object-rows.ts';

export interface ObjectMover {
  close(): Promise<void>;
}

interface MoverDeps {
  objects: ObjectPort;
  blobs: BlobStore;
  /** Bodies wait in the data folder for that reason, or no longer. */
  onProblem?: (problem: string | undefined) => void;
  times?: MoverTimes;
}

export interface MoverTimes {
  pauseMs: number;
  /** After a failure, twice as long each time, up to a minute. */
  retryMs: number;
  /** How long a file stays after it was moved: what is new is read most. */
  keepMs: number;
  sweepMs: number;
}

const TIMES: MoverTimes = { pauseMs: 1_000, retryMs: 1_000, keepMs: 600_000, sweepMs: 3_600_000 };
const LONGEST_RETRY_MS = 60_000;
const AT_ONCE = 4;
const BATCH = 32;
const LISTED = 1_000;

export function createObjectMover({ objects, blobs, onProblem, times = TIMES }: MoverDeps): ObjectMover {
  const closing = new AbortController();
  /** Files that were moved, the oldest first. */
  const moved: { path: string; at: number }[] = [];

  const moveFile = async ({ name, path, size }: FileToMove) => {
    await blobs.put(name, { path, size });
    return { name, size };
  };

  /** False if there is nothing to do. */
  const moveSome = async (): Promise<boolean> => {
    const { files, removed } = await objects.due(BATCH);
    if (files.length + removed.length === 0) return false;
    const results: PromiseSettledResult<{ name: string; size: number }>[] = [];
    for (let at = 0; at < files.length && !closing.signal.aborted; at += AT_ONCE)
      results.push(...(await Promise.allSettled(files.slice(at, at + AT_ONCE).map(moveFile))));
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = files.filter(({ name }) => !done.some((each) => each.name === name));
    const removal = await Promise.allSettled([removed.length > 0 ? blobs.remove(removed) : undefined]);
    const problem = [...results, ...removal].find((result) => result.status === 'rejected' && !isGone(result.reason));
    await objects.settle({
      moved: done,
      failed: failed.map(({ name }) => name),
      removed: removal[0].status === 'fulfilled' ? removed : [],
    });
    const at = performance.now();
    moved.push(...files.filter((file) => !failed.includes(file)).map(({ path }) => ({ path, at })));
    if (problem?.status === 'rejected') throw problem.reason;
    return true;
  };

  const removeCopies = async () => {
    const before = performance.now() - times.keepMs;
    while (moved.length > 0 && moved[0]!.at <= before) await rm(moved.shift()!.path, { force: true });
  };

  const moveAll = async () => {
    while (!closing.signal.aborted && (await moveSome()));
    await removeCopies();
  };

  /** Objects without a row, as a killed process may have left them. A row is always older than its object. */
  const removeOrphans = async () => {
    for (let after = ''; !closing.signal.aborted; ) {
      const names = (await blobs.list(after, LISTED)).map(({ name }) => name);
      if (names.length === 0) break;
      await blobs.remove(await objects.unknown(names));
      after = names.at(-1)!;
    }
  };

  const run = async () => {
    let retryMs = times.retryMs;
    let hasProblem = false;
    let sweptAt = Number.NEGATIVE_INFINITY;
    while (!closing.signal.aborted) {
      let pauseMs = times.pauseMs;
      try {
        await moveAll();
        if (performance.now() - sweptAt >= times.sweepMs) {
          await removeOrphans();
          sweptAt = performance.now();
        }
        if (hasProblem) onProblem?.(undefined);
        hasProblem = false;
        retryMs = times.retryMs;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (!hasProblem) onProblem?.((error as Error).message);
        hasProblem = true;
        pauseMs = retryMs;
        retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
      }
      await wait(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => {});
    }
  };

  const running = run();
  return {
    async close() {
      closing.abort();
      await blobs.close();
      await running;
    },
  };
}

/** The file was removed with its row while it was on the way. */
const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
