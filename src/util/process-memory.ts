// How much memory a process and all that descend from it hold, as Linux tells.
import { readdir, readFile } from 'node:fs/promises';

const HELD = /^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm;

export async function memoryOfTree(pid: number): Promise<number> {
  const [own, children] = await Promise.all([memoryOf(pid), childrenOf(pid)]);
  const theirs = await Promise.all(children.map(memoryOfTree));
  return theirs.reduce((sum, bytes) => sum + bytes, own);
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return [...status.matchAll(HELD)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
