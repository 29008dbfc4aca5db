// The index that answers, and beside it the one that is filled with the words of this version until it can take its place.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Index } from './create-index.ts';
import { hasOlderWords, moveIndexFile, openIndexFile, openOlderIndexFile, removeIndexFile } from './index-file.ts';
import type { IndexChange } from './page-index.ts';

export interface IndexVersions {
  /** Rejects if the file cannot be opened. */
  serving(): Promise<Index>;
  apply(changes: readonly IndexChange[]): Promise<void>;
  appliedNext(): number | undefined;
  applyNext(changes: readonly IndexChange[]): Promise<void>;
  /** Begins with an empty index. */
  startOver(): Promise<void>;
  releaseMemory(): void;
  close(): Promise<void>;
}

export function openIndexVersions(file: string, create: (database: DatabaseSync) => Index): IndexVersions {
  const nextFile = `${file}.next`;
  let serving: Index;
  let next: Index | undefined;
  /** While the two change places. */
  let changing: Promise<void> = Promise.resolve();

  function open(): void {
    if (hasOlderWords(file)) {
      serving = openOlderIndexFile(file, create);
      next = openIndexFile(nextFile, create);
      return;
    }
    // An interruption may have come before the file was back in its place.
    if (!existsSync(file) && existsSync(nextFile)) moveIndexFile(nextFile, file);
    removeIndexFile(nextFile);
    serving = openIndexFile(file, create);
    next = undefined;
  }

  async function closeBoth(): Promise<void> {
    await Promise.all([serving.close(), next?.close()]);
  }

  function change(move: () => void): Promise<void> {
    changing = changing.then(async () => {
      await closeBoth();
      move();
      open();
    });
    return changing;
  }

  open();
  return {
    async serving() {
      await changing;
      return serving;
    },
    async apply(changes) {
      await changing;
      // The feed forgets removals once they are applied.
      await next?.remove(changes.filter(({ entry }) => entry === null));
      await serving.apply(changes);
    },
    appliedNext: () => next?.applied(),
    async applyNext(changes) {
      await changing;
      if (!next) return;
      await next.apply(changes);
      if (changes.length === 0 || next.applied() >= serving.applied())
        await change(() => moveIndexFile(nextFile, file));
    },
    startOver: () => change(() => [file, nextFile].forEach(removeIndexFile)),
    releaseMemory() {
      serving.releaseMemory();
      next?.releaseMemory();
    },
    async close() {
      await changing.catch(() => {});
      await closeBoth();
    },
  };
}
