// What the first start of the program prints, and the commands in it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { until } from './jobs.ts';
import { MAIN, PROGRAM_ENV } from './program.ts';
import type { RunningProgram } from './service.ts';

/** What a machine without names is told. */
export const HINT = /No name can be resolved.*`npm run demo`/;
/** Makes the program believe that a person is reading along. */
export const TERMINAL = 'data:text/javascript,process.stdout.isTTY = true';

/** The commands that a service has printed for its user to try. */
export const printedCommands = (service: RunningProgram): string[] =>
  service.output().stdout.match(/^ {2}curl (?:.*\\\n)*.*$/gm) ?? [];

/** Runs a command as it stands, and reads its answer. */
export const runPrinted = async (command: string) =>
  JSON.parse((await promisify(execFile)('bash', ['-c', command])).stdout);

/** Starts the program, stops it when that is enough, and returns all that it has printed. */
export async function printed(
  t: TestContext,
  flags: string[],
  dns: string,
  isEnough: (output: string) => boolean,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-first-'));
  const env = { ...PROGRAM_ENV, TRAWL_DATA_DIR: folder, TRAWL_PORT: '0', TRAWL_DNS: dns, TRAWL_INDEX_MANUAL: 'off' };
  const child = spawn(process.execPath, [...flags, MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until(async () => isEnough(output) || child.exitCode !== null, Boolean);
  child.kill('SIGTERM');
  await ended;
  return output;
}
