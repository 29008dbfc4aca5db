// The `trawl` program as a user starts it: bin/trawl.mjs in a process of its own, with a home folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROGRAM_ENV, ROOT } from './program.ts';

export const TRAWL = join(ROOT, 'bin/trawl.mjs');

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Started {
  child: ChildProcess;
  /** What it has written so far. */
  text: Omit<Ended, 'code'>;
  ended: Promise<Ended>;
}

export interface TrawlOptions {
  env: Record<string, string>;
  input?: string | Uint8Array;
}

export function startTrawl(args: readonly string[], { env, input }: TrawlOptions): Started {
  const settings = { TRAWL_BROWSER: 'off', TRAWL_KEYLESS_PROVIDERS: 'off', ...env };
  const child = spawn(process.execPath, [TRAWL, ...args], { env: { ...PROGRAM_ENV, ...settings } });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.out += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.err += part;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...text }));
  return { child, text, ended };
}

export const runTrawl = (args: readonly string[], options: TrawlOptions): Promise<Ended> =>
  startTrawl(args, options).ended;
