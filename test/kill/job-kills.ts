// Ways to kill the program at different moments of a job.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { blobFiles, uncommittedFiles } from './data-folder.ts';
import type { JobRun } from './job-run.ts';
import type { Stage } from './stage.ts';

const POLL_MS = 20;
/** How long to wait for an event before checking whether the job has ended. */
const QUIET_MS = 200;

/** Kills after `pages` pages, `delayMs` after the site's next answer. False if the job ended first. */
export async function killAfterPages(run: JobRun, pages: number, delayMs: number): Promise<boolean> {
  if (!(await reachPages(run, pages))) return false;
  const { answers } = run.stage;
  run.stage.open();
  if (!(await waitUntil(run, () => run.stage.answers > answers))) return false;
  await sleep(delayMs);
  await run.kill();
  return true;
}

/** Kills after `pages` pages, during an unanswered webhook call, which must be repeated. False if the job ended first. */
export async function killDuringCall(run: JobRun, pages: number): Promise<boolean> {
  if (!(await reachPages(run, pages))) return false;
  // A call is certain to come, because the job has not ended and its end causes one.
  const call = run.stage.holdNextCall();
  run.stage.open();
  const tooLate = once(run.signal, 'abort').then(() => run.signal.throwIfAborted());
  await Promise.race([call, tooLate]);
  await run.kill();
  return true;
}

/**
 * Kills after `pages` pages, while a page is being written. Large pages are written to files first; the rows that name
 * the files are committed last. When a new file appears, the process is stopped with SIGSTOP: a file without a row means
 * that the write is incomplete, so the process is killed there. Otherwise the write was already committed; the process
 * continues and we wait for the next file. False if the job ended first.
 */
export async function killInsideWrite(run: JobRun, pages: number): Promise<boolean> {
  if (!(await reachPages(run, pages))) return false;
  const { pid } = await run.service();
  run.stage.open();
  for (;;) {
    const known = blobFiles(run.dataDir).length;
    if (!(await waitUntil(run, () => blobFiles(run.dataDir).length > known))) return false;
    process.kill(pid, 'SIGSTOP');
    if (uncommittedFiles(run.dataDir).length > 0) break;
    process.kill(pid, 'SIGCONT');
  }
  await run.kill();
  return true;
}

/**
 * Pauses after `pages` pages with others in flight, and kills. The job must still be paused after a restart, and claim nothing;
 * then it is resumed and killed at once. False if the job ended first.
 */
export async function killWhilePaused(run: JobRun, pages: number): Promise<boolean> {
  if (!(await reachPages(run, pages))) return false;
  await run.control('pause');
  await run.kill();
  const { paused, completed } = await run.progress();
  const { answers } = run.stage;
  // Requests to the service itself show that it works.
  for (let asked = 0; asked < 20; asked++) await run.progress();
  const later = await run.progress();
  if (!paused || !later.paused || later.completed !== completed || run.stage.answers !== answers) {
    throw new Error(`The job is not paused any more: ${JSON.stringify({ paused, completed, later })}`);
  }
  await run.control('resume');
  await run.kill();
  return true;
}

/** Kills `afterMs` milliseconds (at least 1) after a start. The program must not be running. */
export async function killWhileStarting(
  { stage, settings }: { stage: Pick<Stage, 'web'>; settings: Record<string, string> },
  afterMs: number,
): Promise<void> {
  const env = { ...PROGRAM_ENV, TRAWL_PORT: '0', ...stage.web.settings, ...settings };
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore', timeout: afterMs, killSignal: 'SIGKILL' });
  await once(child, 'close');
}

/** Waits for `pages` completed pages, blocks the site and records the results. False if the job ended first. */
async function reachPages(run: JobRun, pages: number): Promise<boolean> {
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

/** Polls without delay until the condition holds. False if the job ended first. */
async function waitUntil(run: JobRun, condition: () => boolean): Promise<boolean> {
  for (let asked = performance.now(); !condition(); ) {
    run.signal.throwIfAborted();
    await nextTurn();
    if (performance.now() - asked < QUIET_MS) continue;
    if ((await run.progress()).status !== 'scraping') return false;
    asked = performance.now();
  }
  return true;
}
