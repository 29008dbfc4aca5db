// Ways to kill the program while it works on a job, each at a moment of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { blobFiles, uncommittedFiles } from './data-folder.ts';
import type { JobRun } from './job-run.ts';

const POLL_MS = 20;
/** How long nothing may happen before the job is asked whether it has ended. */
const QUIET_MS = 200;

/** After so many pages, and `delayMs` after the site has answered once more. False when the job ended before. */
export async function killAfterPages(run: JobRun, pages: number, delayMs: number): Promise<boolean> {
  if (!(await cameTo(run, pages))) return false;
  const { answers } = run.stage;
  run.stage.open();
  if (!(await happened(run, () => run.stage.answers > answers))) return false;
  await sleep(delayMs);
  await run.kill();
  return true;
}

/** After so many pages, when a webhook call has come and was not answered: it must come again. False as above. */
export async function killDuringCall(run: JobRun, pages: number): Promise<boolean> {
  if (!(await cameTo(run, pages))) return false;
  // The job has not ended, so one is sure to come: the one that tells its end.
  const call = run.stage.holdNextCall();
  run.stage.open();
  const tooLate = once(run.signal, 'abort').then(() => run.signal.throwIfAborted());
  await Promise.race([call, tooLate]);
  await run.kill();
  return true;
}

/**
 * After so many pages, inside the write of one. A page that is too large for a row is written to files first, and the rows
 * that name them are committed last. When a new file shows up, the process is stopped, so that it cannot go on while we
 * look: if there is a file that no row names, the write has begun and is not done, and the process dies as it stands,
 * perhaps in the middle of the commit. Else the write was over already; the process continues, and the next new file is
 * awaited. False as above.
 */
export async function killInsideWrite(run: JobRun, pages: number): Promise<boolean> {
  if (!(await cameTo(run, pages))) return false;
  const { pid } = await run.service();
  run.stage.open();
  for (;;) {
    const known = blobFiles(run.dataDir).length;
    if (!(await happened(run, () => blobFiles(run.dataDir).length > known))) return false;
    process.kill(pid, 'SIGSTOP');
    if (uncommittedFiles(run.dataDir).length > 0) break;
    process.kill(pid, 'SIGCONT');
  }
  await run.kill();
  return true;
}

/** So many milliseconds (at least 1) after a start, whatever it has come to by then. The program must not be running. */
export async function killWhileStarting({ stage, settings }: JobRun, afterMs: number): Promise<void> {
  const env = { ...PROGRAM_ENV, TRAWL_PORT: '0', ...stage.web.settings, ...settings };
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore', timeout: afterMs, killSignal: 'SIGKILL' });
  await once(child, 'close');
}

/** Waits for so many completed pages, holds the site up and has a look at them; false when the job ended before. */
async function cameTo(run: JobRun, pages: number): Promise<boolean> {
  for (;;) {
    const { status, completed } = await run.progress();
    if (status !== 'scraping') return false;
    if (completed >= pages) break;
    await sleep(POLL_MS, undefined, { signal: run.signal });
  }
  run.stage.close();
  await run.look();
  return true;
}

/** Waits without a pause until the condition holds; false when the job ended before. */
async function happened(run: JobRun, condition: () => boolean): Promise<boolean> {
  for (let asked = performance.now(); !condition(); ) {
    run.signal.throwIfAborted();
    await nextTurn();
    if (performance.now() - asked < QUIET_MS) continue;
    if ((await run.progress()).status !== 'scraping') return false;
    asked = performance.now();
  }
  return true;
}
