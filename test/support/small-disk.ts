// A small disk: a tmpfs that only one process and its children see. It disappears with them, whatever happens.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As root, or where users may have namespaces of their own. */
const UNSHARE = ['-m', '-rm'].find((flags) => spawnSync('unshare', [flags, 'true']).status === 0);

/** For the `skip` of a test. */
export const noSmallDisk = UNSHARE === undefined && 'this machine does not let tests mount a small disk';

export interface SmallDisk {
  /** The folder, as programs on this disk see it. They are started through `command`. */
  folder: string;
  /** The same folder for this process. */
  seenFromHere: string;
  /** Makes a command run where the disk is mounted. */
  command(program: string, args: readonly string[]): [program: string, args: string[]];
  /** Writes until nothing more fits, but leaves this many bytes free. */
  fill(leaveFree?: number): void;
  /** Removes what `fill` wrote. */
  free(): void;
  close(): Promise<void>;
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const parent = await mkdtemp(join(tmpdir(), 'trawl-disk-'));
  const folder = join(parent, 'disk');
  await mkdir(folder);
  // The holder keeps the namespace alive until its standard input ends, which it does with this process.
  const script = `mount -t tmpfs -o size=${megabytes}m none "$0" && echo mounted && exec cat`;
  const holder = spawn('unshare', [UNSHARE!, 'sh', '-c', script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  await Promise.race([once(holder.stdout!, 'data'), failure(holder)]);
  const seenFromHere = `/proc/${holder.pid}/root${folder}`;
  const filler = join(seenFromHere, 'filler');
  return {
    folder,
    seenFromHere,
    command: (program, args) => ['nsenter', ['-t', String(holder.pid), ...enterFlags(), program, ...args]],
    fill(leaveFree = 0) {
      const chunk = new Uint8Array(64 * 1024);
      writeUntilFull(filler, chunk);
      if (leaveFree > 0) truncateSync(filler, Math.max(0, statSync(filler).size - leaveFree));
      else writeUntilFull(filler, chunk.subarray(0, 512));
    },
    free: () => rmSync(filler, { force: true }),
    async close() {
      const ended = once(holder, 'exit');
      holder.stdin!.end();
      await ended;
      await rm(parent, { recursive: true, force: true });
    },
  };
}

const enterFlags = (): string[] => (UNSHARE === '-m' ? ['-m'] : ['-U', '-m', '--preserve-credentials']);

async function failure(holder: ChildProcess): Promise<never> {
  await once(holder, 'exit');
  throw new Error('The small disk could not be mounted.');
}

function writeUntilFull(path: string, chunk: Uint8Array): void {
  const file = openSync(path, 'a');
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
