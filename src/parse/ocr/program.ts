// Programs of the machine that help to read pictures: where they are, and one run of one of them, from bytes to bytes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

export interface Ended {
  /** Null if it was killed. */
  code: number | null;
  stdout: Buffer;
  /** The beginning of what it complained about. */
  stderr: string;
}

interface Run {
  program: string;
  args: readonly string[];
  input?: Uint8Array;
  /** A program that writes more is killed. */
  maxOutputBytes: number;
}

const MAX_COMPLAINT_BYTES = 16 * 1024;
const LOW_PRIORITY = 10;
// Several pictures are read at once rather than one by several threads, which only wait for each other.
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' };

/** The file of the first of these programs that is there; `chosen` is `auto`, `off`, a path or nothing. */
export function findProgram(name: string, chosen: string | undefined, searchPath: string): string | undefined {
  if (chosen === 'off') return undefined;
  if (chosen !== undefined && chosen !== 'auto') return [resolve(chosen)].find(isExecutable);
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Rejects with the reason of the signal, after the program is gone. */
export async function runProgram({ program, args, input, maxOutputBytes }: Run, signal: AbortSignal): Promise<Ended> {
  signal.throwIfAborted();
  const child = spawn(program, args, { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  // A program that has seen enough closes its end.
  child.stdin.on('error', () => {}).end(input);
  const stdout = collect(child.stdout, maxOutputBytes, kill);
  const stderr = collect(child.stderr, MAX_COMPLAINT_BYTES, () => {});
  try {
    lowerPriority(child.pid);
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function collect(stream: Readable, maxBytes: number, onMore: () => void): Buffer[] {
  const parts: Buffer[] = [];
  let room = maxBytes;
  stream.on('data', (chunk: Buffer) => {
    if (room > 0) parts.push(chunk.subarray(0, room));
    if (chunk.length > room) onMore();
    room = Math.max(0, room - chunk.length);
  });
  return parts;
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or gives way more than that.
  }
}
