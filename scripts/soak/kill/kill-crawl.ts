// Kills the service at random moments during a crawl of 300 pages: while it starts, fetches or writes. In the end it must
// have the same result as an undisturbed crawl.
import { differences } from '../../../test/kill/differences.ts';
import { killAfterPages, killDuringCall, killInsideWrite, killWhileStarting } from '../../../test/kill/job-kills.ts';
import { type EndedJob, type JobRun, runJob } from '../../../test/kill/job-run.ts';
import { startStage } from '../../../test/kill/stage.ts';
import { createDice, type Dice } from '../../../test/support/web/words.ts';
import type { SoakOptions } from '../soak-options.ts';

/** Together with a front page and 28 lists, the site has 300 pages. */
const STORIES = 271;
const KILLS = 50;
const MS_A_CRAWL = 120_000;
const MS_A_KILL = 15_000;
/** A start takes about this long, so a kill may hit any part of it. */
const START_MS = 1_000;
const LONGEST_DELAY_MS = 40;

export async function killCrawl({ count = KILLS, seed }: SoakOptions): Promise<string[]> {
  const stage = await startStage(STORIES);
  const body = { url: stage.urls[0], scrapeOptions: { onlyMainContent: false } };
  const plan = { stage, kind: 'crawl' as const, body };
  try {
    const undisturbed = await report('Undisturbed', () =>
      runJob({ ...plan, name: 'undisturbed', limitMs: MS_A_CRAWL }, async () => {}),
    );
    if (undisturbed.completed !== stage.urls.length)
      return [`An undisturbed crawl must have ${stage.urls.length} pages.`];
    const killed = await report('Disturbed', () =>
      runJob({ ...plan, name: 'killed', limitMs: MS_A_CRAWL + count * MS_A_KILL }, (run) =>
        killManyTimes(run, count, createDice(seed)),
      ),
    );
    return differences(killed, undisturbed);
  } finally {
    await stage.stop();
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

/** Returns a description of the moment; undefined if the crawl had already ended. */
async function killOnce(run: JobRun, killsLeft: number, dice: Dice): Promise<string | undefined> {
  if (dice.roll(5) === 0) {
    const ms = 1 + dice.roll(START_MS);
    await run.kill();
    await killWhileStarting(run, ms);
    return `at once, and again ${ms} ms after a start`;
  }
  // Distributes the remaining pages among the remaining kills, so that there are some left for the last one.
  const { completed } = await run.progress();
  const left = run.stage.urls.length - completed;
  const pages = completed + dice.roll(1 + Math.max(1, Math.floor(left / (killsLeft + 1))));
  const delayMs = dice.roll(LONGEST_DELAY_MS);
  const [how, isKilled] = await dice.pick([
    async () => ['inside a write', await killInsideWrite(run, pages)] as const,
    async () => ['during a webhook call', await killDuringCall(run, pages)] as const,
    async () => [`${delayMs} ms after an answer of the site`, await killAfterPages(run, pages, delayMs)] as const,
  ])();
  return isKilled ? `after ${pages} pages, ${how}` : undefined;
}
