// The sandbox of this machine, if there is one, and a check for leftover processes.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createSandbox, type SandboxedRun, type SandboxOutcome } from '../../src/sessions/sandbox/sandbox.ts';
import { systemClock } from '../../src/util/clock.ts';
import { until } from './jobs.ts';

const HAS_SANDBOX = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;

/** For `test(name, NEEDS_SANDBOX, ...)`. */
export const NEEDS_SANDBOX = { skip: !HAS_SANDBOX && 'bubblewrap cannot start on this machine' };

interface Options extends Partial<SandboxedRun> {
  hidden?: string[];
  executable?: string;
  signal?: AbortSignal;
}

/** Runs a bash script, or the given program. */
export function runInSandbox(code: string, options: Options = {}): Promise<SandboxOutcome> {
  const { hidden = [], executable, signal = new AbortController().signal, ...run } = options;
  return createSandbox({ clock: systemClock, hidden, executable }).run(
    { program: ['bash', '/trawl/code'], code, binds: [], timeoutMs: 30_000, onReady() {}, ...run },
    signal,
  );
}

export const NODE_BIND = { from: process.execPath, to: '/trawl/node' };

/** Number of processes with this text in their command line. */
export function countProcesses(text: string): number {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  }).length;
}

/** Waits until no process has this text in its command line. */
export const untilGone = (text: string): Promise<number> =>
  until(
    async () => countProcesses(text),
    (count) => count === 0,
  );
