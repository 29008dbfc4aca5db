// Runs a media program: without input and environment, in a work folder, held to limits, last in line for the processor,
// and ended with all it started when its time is over or when we end.
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';

export interface ToolRun {
  program: string;
  args: readonly string[];
  folder: string;
  env?: Record<string, string>;
  /** Of any one file that it writes. */
  maxFileBytes: number;
  maxOutputBytes?: number;
}

export interface ToolOutcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Rejects with the reason of the signal when that aborts; else whatever the program says is an outcome. */
export type RunTool = (run: ToolRun, signal: AbortSignal) => Promise<ToolOutcome>;

interface Keepers {
  prlimit?: string;
  setpriv?: string;
}

const MAX_MEMORY = 4 * 1024 ** 3;
const MAX_CPU_SECONDS = 1_800;
const MAX_OUTPUT = 1024 * 1024;
const LOW_PRIORITY = 10;

export const createRunTool =
  ({ prlimit, setpriv }: Keepers): RunTool =>
  async ({ program, args, folder, env = {}, maxFileBytes, maxOutputBytes = MAX_OUTPUT }, signal) => {
    signal.throwIfAborted();
    const limits = [`--as=${MAX_MEMORY}`, `--cpu=${MAX_CPU_SECONDS}`, `--fsize=${maxFileBytes}`, '--core=0'];
    const command = [
      ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []),
      ...(prlimit ? [prlimit, ...limits, '--'] : []),
      program,
      ...args,
    ];
    const child = spawn(command[0]!, command.slice(1), {
      cwd: folder,
      env,
      // A group of its own, so that all of it can be killed.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = () => killGroup(child);
    signal.addEventListener('abort', stop, { once: true });
    lowerPriority(child);
    const stdout = collect(child.stdout, maxOutputBytes);
    const stderr = collect(child.stderr, maxOutputBytes);
    try {
      const exitCode = await endOf(child);
      signal.throwIfAborted();
      return { exitCode, stdout: stdout(), stderr: stderr() };
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  };

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/** Keeps the first bytes; the rest is read and dropped. */
function collect(stream: Readable, maxBytes: number): () => string {
  const parts: Buffer[] = [];
  let room = maxBytes;
  stream.on('data', (chunk: Buffer) => {
    if (room > 0) parts.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  stream.on('error', () => {});
  return () => Buffer.concat(parts).toString();
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already.
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it is gone already.
  }
}
