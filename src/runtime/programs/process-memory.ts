// How much memory a process and its descendants hold, as Linux reports it; 0 on other systems.
import { readdir, readFile } from 'node:fs/promises';

/**
 * `private` leaves out shared memory, which counts once for every process that maps it: the right measure for programs
 * such as browsers, whose processes share a lot. `all` includes it, and what was swapped out.
 */
export type MemoryKind = 'all' | 'private';

const COUNTED: Readonly<Record<MemoryKind, RegExp>> = {
  all: /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm,
  private: /^RssAnon:\s+(\d+) kB$/gm,
};

/** In bytes. */
export async function memoryOfTree(pid: number, kind: MemoryKind = 'all'): Promise<number> {
  const [own, children] = await Promise.all([memoryOf(pid, kind), childrenOf(pid)]);
  const theirs = await Promise.all(children.map((child) => memoryOfTree(child, kind)));
  return theirs.reduce((sum, bytes) => sum + bytes, own);
}

export async function memoryOf(pid: number, kind: MemoryKind): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return [...status.matchAll(COUNTED[kind])].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
