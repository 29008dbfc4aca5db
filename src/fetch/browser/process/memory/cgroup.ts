// A control group for all browsers, where this machine lets us make one: then the kernel holds the limit for all of
// them together, also while this process is busy. It ends the largest renderer first, since Chromium offers those.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Cgroup {
  /** Puts a process into the group. What it starts from now on follows. */
  add(pid: number): void;
  remove(): void;
}

interface Version {
  /** Our own group's folder, from the lines of /proc/self/cgroup; undefined if this version is not in use. */
  folder(lines: string): string | undefined;
  limitFile: string;
}

const ROOT = '/sys/fs/cgroup';
const NAME = /^trawl-(\d+)$/;
const VERSIONS: readonly Version[] = [
  {
    folder: (lines) => groupOf(lines, /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m, 'memory'),
    limitFile: 'memory.limit_in_bytes',
  },
  { folder: (lines) => groupOf(lines, /^0::(.*)$/m, ''), limitFile: 'memory.max' },
];
const RETRY_MS = 200;
const NONE: Cgroup = { add() {}, remove() {} };

/** A group with this limit; without the right to make one, a group that does nothing. */
export function availableCgroup(maxBytes: number): Cgroup {
  const lines = attempt(() => readFileSync('/proc/self/cgroup', 'utf8')) ?? '';
  for (const { folder: folderIn, limitFile } of VERSIONS) {
    const parent = folderIn(lines);
    const made = parent && attempt(() => makeGroup(parent, limitFile, maxBytes));
    if (made) return made;
  }
  return NONE;
}

function makeGroup(parent: string, limitFile: string, maxBytes: number): Cgroup {
  removeLeft(parent);
  const folder = join(parent, `trawl-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    // Fails if the memory of groups cannot be limited here: the file must exist already.
    writeFileSync(join(folder, limitFile), String(Math.floor(maxBytes)), { flag: 'r+' });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return {
    add: (pid) => attempt(() => writeFileSync(join(folder, 'cgroup.procs'), String(pid), { flag: 'r+' })),
    remove: () => removeWhenEmpty(folder),
  };
}

/** Processes that were killed a moment ago may still be in it. What is left then is removed with the next group. */
function removeWhenEmpty(folder: string, tries = 5): void {
  if (attempt(() => rmdirSync(folder)) === undefined && existsSync(folder) && tries > 1) {
    setTimeout(() => removeWhenEmpty(folder, tries - 1), RETRY_MS).unref();
  }
}

/** Groups of services that were killed. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid && attempt(() => process.kill(pid, 0)) === undefined) attempt(() => rmdirSync(join(parent, name)));
  }
}

function groupOf(lines: string, pattern: RegExp, mount: string): string | undefined {
  const path = pattern.exec(lines)?.[1];
  return path === undefined ? undefined : join(ROOT, mount, path);
}

/** Undefined if it fails: every step may be forbidden, and none is needed. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
