// How much memory a process and all its descendants hold, where the system tells it (Linux).
import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Resident memory of the tree below `root`, without what they share; 0 where it cannot be known. */
export function treeMemory(root: number): number {
  const children = childrenByParent();
  let bytes = 0;
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    bytes += ownMemory(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return bytes;
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readOrNothing(() => readdirSync('/proc')) ?? []) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readOrNothing(() => readFileSync(`/proc/${name}/stat`, 'utf8'));
    if (stat === undefined) continue;
    // The program's name, in brackets, may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  return children;
}

function ownMemory(pid: number): number {
  const [, resident, shared] = (readOrNothing(() => readFileSync(`/proc/${pid}/statm`, 'utf8')) ?? '').split(' ');
  return (Number(resident ?? 0) - Number(shared ?? 0)) * PAGE_BYTES;
}

/** Processes come and go while they are looked at. */
function readOrNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
