// One run of a program of the machine: from bytes to bytes, without our environment, last in line for the processor, ended
// when its time is over or when it says too much.
import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { onAbort } from './abort.ts';
import { keepStart } from './bounded-read.ts';

export interface ProgramRun {
  program: string;
  args: readonly string[];
  env: Record<string, string>;
  folder?: string;
  input?: Uint8Array;
  /** A program that writes more is killed. */
  maxOutputBytes: number;
  /** In a group of its own, which is killed as a whole: for programs that start others. */
  isGroup?: boolean;
}

export interface ProgramOutcome {
  /** Null if it was killed. */
  code: number | null;
  stdout: Buffer;
  /** The beginning of what it complained about. */
  stderr: string;
}

const MAX_COMPLAINT_BYTES = 64 * 1024;
const LOW_PRIORITY = 10;

/** Rejects with the reason of the signal, after the program is gone; else whatever the program says is an outcome. */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramOutcome> {
  signal.throwIfAborted();
  const { program, args, env, folder, input, maxOutputBytes, isGroup = false } = run;
  const child = spawn(program, args, { cwd: folder, env, detached: isGroup, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = () => (isGroup ? killGroup(child) : child.kill('SIGKILL'));
  using _kill = onAbort(signal, kill);
  // A program that has seen enough closes its end.
  child.stdin.on('error', () => {}).end(input);
  lowerPriority(child);
  const stdout = keepStart(child.stdout, maxOutputBytes, kill);
  const stderr = keepStart(child.stderr, MAX_COMPLAINT_BYTES);
  try {
    const code = await endOf(child);
    signal.throwIfAborted();
    return { code, stdout: stdout.bytes(), stderr: stderr.text() };
  } finally {
    // Those that it started may still be there.
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
    // It has ended already, or gives way more than that.
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it is gone already.
  }
}
