// Kills the real program during a crawl and a batch, and restarts it on the same data folder.
// Results, webhook calls and files must end up the same as without the kills.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runs } from '../support/runs.ts';
import { differences } from './differences.ts';
import type { JobKind } from './job-client.ts';
import { killAfterPages, killDuringCall, killInsideWrite, killWhilePaused } from './job-kills.ts';
import { type EndedJob, type JobRun, runJob } from './job-run.ts';
import { type Stage, startStage } from './stage.ts';

/** The site has 60 pages, including a front page and six lists. */
const STORIES = 53;
const BATCH = 20;
const LIMIT_MS = 240_000;
/** Pages that end together share a write. With few at a time, many writes are left that can be cut off. */
const AT_ONCE = { crawl: 3, batch: 2 };

let stage: Stage;
before(async () => {
  stage = await startStage(STORIES);
});
after(() => stage.stop());

/** Runs the job once without kills and once with them. */
async function runTwice(
  round: number,
  kind: JobKind,
  body: Record<string, unknown>,
  disturb: (run: JobRun) => Promise<void>,
): Promise<[undisturbed: EndedJob, killed: EndedJob]> {
  const plan = { stage, kind, body, limitMs: LIMIT_MS };
  const undisturbed = await runJob({ ...plan, name: `whole-${kind}-${round}` }, async () => {});
  return [undisturbed, await runJob({ ...plan, name: `killed-${kind}-${round}` }, disturb)];
}

const sortedUrls = ({ documents }: EndedJob): string[] => documents.map(({ url }) => url).sort();

for (let round = 1; round <= runs(1, 10); round++) {
  test(`a crawl that is killed five times returns each page once, in stable order (round ${round})`, async () => {
    const body = {
      url: stage.urls[0],
      maxConcurrency: AT_ONCE.crawl,
      scrapeOptions: { onlyMainContent: false },
    };
    const [undisturbed, killed] = await runTwice(round, 'crawl', body, async (run) => {
      // Kill immediately: only the acceptance of the job is certain.
      await run.kill();
      assert.ok(await killAfterPages(run, 4, 3));
      assert.ok(await killInsideWrite(run, 10));
      assert.ok(await killDuringCall(run, 18));
      assert.ok(await killInsideWrite(run, 26));
    });
    assert.deepEqual(sortedUrls(undisturbed), [...stage.urls].sort());
    assert.deepEqual(differences(killed, undisturbed), []);
    assert.ok(killed.calls.length > undisturbed.calls.length, 'the interrupted webhook call was not sent again');
  });

  test(`a batch that is killed four times, twice around a pause, returns each page once, in stable order (round ${round})`, async () => {
    const urls = stage.urls.slice(-BATCH);
    const [undisturbed, killed] = await runTwice(
      round,
      'batch_scrape',
      { urls, onlyMainContent: false, maxConcurrency: AT_ONCE.batch },
      async (run) => {
        assert.ok(await killInsideWrite(run, 2));
        assert.ok(await killWhilePaused(run, 4));
        assert.ok(await killAfterPages(run, 7, 5));
      },
    );
    assert.deepEqual(sortedUrls(undisturbed), [...urls].sort());
    assert.deepEqual(differences(killed, undisturbed), []);
  });
}
