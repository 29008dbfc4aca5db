// Looks at the memory of every browser while it runs, and ends what is over its limit: one page can allocate a
// gigabyte a second. Each browser that is spawned is watched, also if nobody listens.
import { remotePort, startThread, type Thread } from '../../../../runtime/threads/thread.ts';
import { availableCgroup, type Cgroup } from './cgroup.ts';
import { type Excess, findExcess, type MemoryLimits } from './find-excess.ts';
import type { MemoryThread } from './memory-thread.ts';

export interface WatchedMemory {
  /** Bytes that its processes held when they were last looked at. */
  readonly bytes: number;
  /** How many pages of different callers it shows. Undefined: everything in it belongs to one caller. */
  pages: number | undefined;
  /** Called just before the page's process or the whole browser is killed. */
  onExcess: (excess: Excess) => void;
}

export interface MemoryWatch {
  watch(browser: { pid: number; kill(): void; ended: Promise<void> }): WatchedMemory;
}

interface Watched extends WatchedMemory {
  bytes: number;
  pid: number;
  kill(): void;
}

// A look at one browser takes less than a millisecond.
const LOOK_MS = 100;
/** The kernel acts only if we are late: we know which page is at fault. */
const CGROUP_SLACK = 1.25;
const THREAD = new URL('./memory-thread.ts', import.meta.url);
const THREAD_MB = 32;

export function createMemoryWatch(limits: MemoryLimits): MemoryWatch {
  const browsers = new Set<Watched>();
  /** Killed renderers, until they are gone. */
  const ended = new Set<number>();
  let cgroup: Cgroup | undefined;
  /** Runs as long as a browser does. */
  let thread: Thread | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    // The machine is busy: the last look is not over yet.
    if (thread && thread.pending > 0) return;
    thread ??= startThread(THREAD, {
      maxOldGenerationSizeMb: THREAD_MB,
      onCrash: () => {
        thread = undefined;
      },
    });
    forgetGone(ended);
    const looked = [...browsers];
    const pids = looked.map(({ pid }) => pid);
    // If the thread ends, the next look starts another.
    const memories = await remotePort<MemoryThread>(thread.call)
      .read(pids, ended)
      .catch(() => []);
    const measured = looked.flatMap((watched, index) => {
      const memory = memories[index];
      // It may have ended during the look.
      return memory && browsers.has(watched) ? [{ watched, memory, pages: watched.pages }] : [];
    });
    for (const { watched, memory } of measured) watched.bytes = memory.total;
    for (const { browser, excess } of findExcess(measured, limits)) {
      const { watched } = browser;
      watched.onExcess(excess);
      if (excess.renderer === undefined) {
        // Its processes are about to disappear and no longer count.
        browsers.delete(watched);
        watched.kill();
      } else {
        ended.add(excess.renderer);
        killProcess(excess.renderer);
      }
    }
  };
  const remove = (watched: Watched) => {
    browsers.delete(watched);
    if (browsers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    void thread?.terminate();
    thread = undefined;
    cgroup?.remove();
    cgroup = undefined;
  };

  return {
    watch({ pid, kill, ended: gone }) {
      const watched: Watched = { bytes: 0, pages: undefined, onExcess() {}, pid, kill };
      // Not started.
      if (pid === 0) return watched;
      cgroup ??= availableCgroup(limits.totalBytes * CGROUP_SLACK);
      cgroup.add(pid);
      browsers.add(watched);
      timer ??= setInterval(look, LOOK_MS).unref();
      gone.then(() => remove(watched));
      return watched;
    },
  };
}

function forgetGone(pids: Set<number>): void {
  for (const pid of pids) if (!killProcess(pid, 0)) pids.delete(pid);
}

/** Returns whether there was such a process. */
function killProcess(pid: number, signal: 'SIGKILL' | 0 = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
