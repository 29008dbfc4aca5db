// Runs an external program once, from bytes to bytes: with its own environment, at low priority, and killed when it takes
// too long or writes too much.
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { onAbort } from '../../util/abort.ts';
import { keepStart } from '../../util/bytes/bounded-read.ts';
import { killGroup } from './kill-group.ts';

export interface ProgramRun {
  program: string;
  args: readonly string[];
  env: Record<string, string>;
  folder?: string;
  input?: Uint8Array;
  /** A program that writes more is killed. */
  maxOutputBytes: number;
  /** Runs in its own process group, which is killed as a whole: for programs that start others. */
  isGroup?: boolean;
}

export interface ProgramOutcome {
  /** Null if it was killed. */
  code: number | null;
  stdout: Buffer;
  /** The first part of its error output. */
  stderr: string;
}

const MAX_STDERR_BYTES = 64 * 1024;
const LOW_PRIORITY = 10;

/** Rejects with the signal's reason once the program has ended. Any exit code is an outcome, not an error. */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramOutcome> {
  signal.throwIfAborted();
  const { program, args, env, folder, input, maxOutputBytes, isGroup = false } = run;
  const child = spawn(program, args, { cwd: folder, env, detached: isGroup, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = () => (isGroup ? killGroup(child) : child.kill('SIGKILL'));
  using _kill = onAbort(signal, kill);
  // A program may stop reading early.
  child.stdin.on('error', () => {}).end(input);
  lowerPriority(child);
  const stdout = keepStart(child.stdout, maxOutputBytes, kill);
  const stderr = keepStart(child.stderr, MAX_STDERR_BYTES);
  try {
    const code = await endOf(child);
    signal.throwIfAborted();
    return { code, stdout: stdout.bytes(), stderr: stderr.text() };
  } finally {
    // Its child processes may still be running.
    if (isGroup) kill();
  }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has already ended, or has an even lower priority.
  }
}
