// `npm run demo` in a process, with a temporary folder of its own in which everything would be that it leaves behind.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_ENV, ROOT } from './program.ts';

export interface Demo {
  child: ChildProcess;
  output(): string;
  /** Waits until the output contains the text. */
  shows(text: string): Promise<void>;
  ended: Promise<number | null>;
}

/** The temporary folder of the demo is the caller's, who sees what it leaves there. */
export function startDemo(folder: string, args: string[], settings: Record<string, string> = {}): Demo {
  const env = { ...PROGRAM_ENV, TMPDIR: folder, ...settings };
  const child = spawn(process.execPath, [join(ROOT, 'demo/run.ts'), ...args], { cwd: ROOT, env, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    child,
    output: () => output,
    async shows(text) {
      while (!output.includes(text)) {
        assert.equal(child.exitCode, null, output);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    ended,
  };
}

export function assertNothingIsLeft(folder: string): void {
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(processesWith(folder), []);
}

/** Ids of processes that have the text in their environment, as all descendants of the demo do (Linux). */
export function processesWith(text: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}
