// `trawl keys` in a process of its own, beside the service of a data folder.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { storeSettings } from './engines.ts';
import { MAIN, PROGRAM_ENV } from './program.ts';

export async function runKeys(dataDir: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const env = { ...PROGRAM_ENV, ...(await storeSettings(dataDir)) };
  const run = promisify(execFile)(process.execPath, [MAIN, 'keys', ...args], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  );
}
