// A crawl of 300 pages whose program is killed again and again, at random moments: while it starts, while pages are on
// their way, inside a write. In the end it must have what an undisturbed crawl has.
import { differences } from '../../test/kill/differences.ts';
import { killAfterPages, killInsideWrite, killWhileStarting } from '../../test/kill/job-kills.ts';
import { type EndedJob, type JobRun, runJob } from '../../test/kill/job-run.ts';
import { createValve } from '../../test/kill/valve.ts';
import { archivePaths, archiveSite } from '../../test/support/web/archive.ts';
import { createDice, type Dice } from '../../test/support/web/words.ts';
import { startWeb } from '../../test/support/web.ts';

export interface SoakOptions {
  count: number | undefined;
  /** The same seed makes the same choices; what the machine makes of them still differs. */
  seed: number;
}

const HOST = 'archive.test';
const STORIES = 271;
const PAGES = archivePaths(STORIES).length;
const KILLS = 50;
const MS_A_CRAWL = 120_000;
const MS_A_KILL = 15_000;
/** A start takes about this long, so a kill within it finds any part of it. */
const START_MS = 1_000;
const LONGEST_DELAY_MS = 40;

export async function kill({ count = KILLS, seed }: SoakOptions): Promise<string[]> {
  const valve = createValve();
  const web = await startWeb({ [HOST]: archiveSite(STORIES, valve.pass) });
  const plan = {
    web,
    valve,
    kind: 'crawl' as const,
    body: { url: web.url(HOST), scrapeOptions: { onlyMainContent: false } },
  };
  try {
    const undisturbed = await report('Undisturbed', () =>
      runJob({ ...plan, name: 'undisturbed', limitMs: MS_A_CRAWL }, async () => {}),
    );
    if (undisturbed.completed !== PAGES)
      return [`Undisturbed, the crawl has ${undisturbed.completed} of ${PAGES} pages.`];
    const killed = await report(`Killed ${count} times`, () =>
      runJob({ ...plan, name: 'killed', limitMs: MS_A_CRAWL + count * MS_A_KILL }, (run) =>
        killManyTimes(run, count, createDice(seed)),
      ),
    );
    return differences(killed, undisturbed);
  } finally {
    await web.stop();
  }
}

async function report(what: string, crawl: () => Promise<EndedJob>): Promise<EndedJob> {
  const began = performance.now();
  const ended = await crawl();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${what}: ${ended.completed} pages, ${ended.calls.length} webhook calls, ${seconds} s`);
  return ended;
}

async function killManyTimes(run: JobRun, count: number, dice: Dice): Promise<void> {
  for (let nth = 1; nth <= count; nth++) {
    const how = await killOnce(run, count - nth + 1, dice);
    console.log(`${String(nth).padStart(4)}. ${how ?? 'too late, the crawl has ended'}`);
    if (how === undefined) return;
  }
}

/** Says at what moment; undefined when there was nothing left to be disturbed. */
async function killOnce(run: JobRun, killsLeft: number, dice: Dice): Promise<string | undefined> {
  if (dice.roll(5) === 0) {
    const ms = 1 + dice.roll(START_MS);
    await run.kill();
    await killWhileStarting(run, ms);
    return `at once, and again ${ms} ms after a start`;
  }
  // The pages that are left are shared out among the kills that are left, so that the last one finds some, too.
  const { completed } = await run.progress();
  const share = Math.max(1, Math.floor((PAGES - completed) / (killsLeft + 1)));
  const pages = completed + dice.roll(share + 1);
  const progress = `after ${pages} pages`;
  if (dice.roll(3) === 0) return (await killInsideWrite(run, pages)) ? `${progress}, inside a write` : undefined;
  const delayMs = dice.roll(LONGEST_DELAY_MS);
  const isKilled = await killAfterPages(run, pages, delayMs);
  return isKilled ? `${progress}, ${delayMs} ms after the site answered` : undefined;
}
