// For the tests of the life of a service: a folder for its data, and the program run to its end.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { MAIN, PROGRAM_ENV } from '../program.ts';
import { startWeb, type Web } from '../web.ts';

export let web: Web;

export let folder: string;

/** Runs the program until it exits. */
export async function run(settings: Record<string, string>, ...args: string[]) {
  const env = { ...PROGRAM_ENV, TRAWL_DATA_DIR: join(folder, 'run'), TRAWL_PORT: '0', ...settings };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

/** Before the first test of a file, and after its last. */
export function useLifecycle(): void {
  before(async () => {
    web = await startWeb();
    folder = await mkdtemp(join(tmpdir(), 'trawl-lifecycle-'));
  });
  after(async () => {
    await web?.stop();
    await rm(folder, { recursive: true, force: true });
  });
}
