// What the processes of one browser hold, read from /proc. On systems without it nothing is known.
// Synchronous, so only for a thread of its own: a queue behind other work would make the figures old.
import { readdirSync, readFileSync } from 'node:fs';

export interface BrowserMemory {
  /** Bytes of all processes, without memory that they share: it would count once for each. */
  total: number;
  /** The process that holds the most among those that show pages. It never shows pages of two contexts. */
  largestRenderer?: { pid: number; bytes: number };
}

/** Reads the memory of a browser. Processes in `ended` are about to disappear and do not count. */
export type ReadMemory = (ended: ReadonlySet<number>) => BrowserMemory;

type Kind = 'renderer' | 'helper' | 'parent';

// As everywhere on Linux x64; where pages are larger, the sizes are too, and the limit is reached sooner.
const PAGE_BYTES = 4_096;
// Finding processes is most of the work: the children of each thread are listed in a file of its own.
const LOOKS_PER_SEARCH = 3;

export function createMemoryReader(root: number): ReadMemory {
  let kinds = new Map<number, Kind>();
  let looks = 0;
  return (ended) => {
    const seen = new Map<number, Kind>();
    const memory: BrowserMemory = { total: 0 };
    const isSearching = looks % LOOKS_PER_SEARCH === 0;
    looks += 1;
    for (const open = isSearching ? [root] : [...kinds.keys()]; open.length > 0; ) {
      const pid = open.pop()!;
      if (ended.has(pid) || seen.has(pid)) continue;
      const kind = kinds.get(pid) ?? kindOf(pid);
      const bytes = privateBytes(pid);
      seen.set(pid, kind);
      memory.total += bytes;
      if (isSearching && kind === 'parent') open.push(...childrenOf(pid));
      if (kind === 'renderer' && bytes > (memory.largestRenderer?.bytes ?? 0)) memory.largestRenderer = { pid, bytes };
    }
    kinds = seen;
    return memory;
  };
}

/** Only the main process and those that fork others for it have children. */
function kindOf(pid: number): Kind {
  const type = /\0--type=([\w-]+)/.exec(read(`/proc/${pid}/cmdline`))?.[1];
  if (type === 'renderer') return 'renderer';
  return type === undefined || type === 'zygote' ? 'parent' : 'helper';
}

/** Resident minus shared. */
function privateBytes(pid: number): number {
  const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`).split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
