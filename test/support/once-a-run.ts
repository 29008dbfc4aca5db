// Things that take seconds to make and that several test files need: the first file of a run makes it, the others wait.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../scripts/lock.mjs';
import { atWorkerEnd } from './worker-end.ts';

/**
 * Makes something in a folder of its own, once a run of the test command, which removes the folder at its end. Nobody may
 * change what is in it.
 */
export async function onceARun(name: string, make: (folder: string) => unknown): Promise<string> {
  const folder = join(runFolder(), name);
  const done = `${folder}.done`;
  await withLock(
    `${folder}.lock`,
    () => {},
    async () => {
      if (existsSync(done)) return;
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await make(folder);
      writeFileSync(done, '');
    },
  );
  return folder;
}

/** Set by scripts/test.ts. A file that is run by hand has a folder of its own. */
function runFolder(): string {
  const { TRAWL_TEST_RUN } = process.env;
  if (TRAWL_TEST_RUN) return TRAWL_TEST_RUN;
  const own = mkdtempSync(join(tmpdir(), 'trawl-test-'));
  process.env.TRAWL_TEST_RUN = own;
  atWorkerEnd(() => rmSync(own, { recursive: true, force: true }));
  return own;
}
