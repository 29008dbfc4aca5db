// What all engines share: a child process with a folder and a port, and a cache for what was downloaded once.
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface RunningEngine {
  /** As the setting of Trawl wants it. */
  url: string;
  port: number;
  /** ID of its main process, for tests that kill it. */
  pid: number;
  /** Ends it as an operator would, and removes its folder unless that was given. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Kept when it stops, and used again by the next start. Absent: a temporary folder. */
  folder?: string;
  /** Absent: a free one. */
  port?: number;
  /** Ctrl-C does not reach it: who started it ends it, also on Ctrl-C. */
  isDetached?: boolean;
}

/** It cannot be installed here. The text says what is missing and what to do. */
export class MissingEngine extends Error {}

const READY_MS = 120_000;

export function openFolder(folder: string | undefined, name: string): { path: string; remove(): void } {
  const path = folder ?? mkdtempSync(join(tmpdir(), `trawl-${name}-`));
  mkdirSync(path, { recursive: true });
  return { path, remove: () => folder ?? rmSync(path, { recursive: true, force: true }) };
}

/** For what is downloaded, once for each user. */
export function cacheFolder(name: string): string {
  const path = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'trawl-engines', name);
  mkdirSync(path, { recursive: true });
  return path;
}

export const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Runs a program to its end. Undefined if it does not exist; rejects with its last words if it fails. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> = {},
): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8', maxBuffer: 1e8 });
  if (error && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  if (status !== 0) throw new Error(`${program} failed: ${(stderr || stdout || String(error)).trim().slice(-500)}`);
  return stdout + stderr;
}

interface StartedProgram {
  child: ChildProcess;
  /** Ends it with the signal, and waits for that. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a program and waits until it is ready. Its last messages are in the error if it is not. */
export async function startProgram(
  program: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
  options: SpawnOptions = {},
): Promise<StartedProgram> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  let messages = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      messages = (messages + text).slice(-3_000);
    });
  }
  const exited = once(child, 'exit');
  child.once('exit', () => process.off('exit', killWithUs));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  for (const until = performance.now() + READY_MS; !(await isReady().catch(() => false)); await wait(100)) {
    const hasExited = child.exitCode !== null || child.signalCode !== null;
    if (!hasExited && performance.now() < until) continue;
    await end('SIGKILL');
    throw new Error(`${program} did not start: ${messages}`);
  }
  return { child, end };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
