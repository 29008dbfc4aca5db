// The real program is killed in the middle of a crawl and of a batch, and started again on the same data folder: in the
// end nobody can tell, neither from the results nor from the webhook calls nor from the files.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { archivePaths, archiveSite } from '../support/web/archive.ts';
import { startWeb, type Web } from '../support/web.ts';
import { differences } from './differences.ts';
import { killAfterPages, killInsideWrite } from './job-kills.ts';
import { type EndedJob, type JobKind, type JobRun, runJob } from './job-run.ts';
import { createValve } from './valve.ts';

const HOST = 'archive.test';
/** With the front page and six lists, the site has 60 pages. */
const STORIES = 53;
const BATCH = 20;
const LIMIT_MS = 60_000;

const valve = createValve();
let web: Web;
before(async () => {
  web = await startWeb({ [HOST]: archiveSite(STORIES, valve.pass) });
});
after(() => web.stop());

type Disturbance = (run: JobRun) => Promise<void>;

/** The job undisturbed, then disturbed. */
async function runTwice(kind: JobKind, body: Record<string, unknown>, disturb: Disturbance): Promise<EndedJob[]> {
  const plan = { web, valve, kind, body, limitMs: LIMIT_MS };
  const undisturbed = await runJob({ ...plan, name: `whole-${kind}` }, async () => {});
  return [undisturbed, await runJob({ ...plan, name: `killed-${kind}` }, disturb)];
}

const assertPages = ({ documents }: EndedJob, urls: string[]) =>
  assert.deepEqual(documents.map(({ url }) => url).sort(), [...urls].sort());

test('a crawl that is killed five times gives each page once, at the place where it was first seen', async () => {
  const urls = archivePaths(STORIES).map((path) => web.url(HOST, path));
  const body = { url: urls[0], scrapeOptions: { onlyMainContent: false } };
  const [undisturbed, killed] = await runTwice('crawl', body, async (run) => {
    // At once: all that is sure is that the job was accepted.
    await run.kill();
    assert.ok(await killAfterPages(run, 6, 3));
    assert.ok(await killInsideWrite(run, 16));
    assert.ok(await killAfterPages(run, 28, 12));
    assert.ok(await killInsideWrite(run, 40));
  });
  assertPages(undisturbed!, urls);
  assert.deepEqual(differences(killed!, undisturbed!), []);
});

test('a batch that is killed twice gives each page once, at the place where it was first seen', async () => {
  const urls = archivePaths(STORIES)
    .slice(-BATCH)
    .map((path) => web.url(HOST, path));
  const [undisturbed, killed] = await runTwice('batch_scrape', { urls, onlyMainContent: false }, async (run) => {
    assert.ok(await killInsideWrite(run, 2));
    assert.ok(await killAfterPages(run, 7, 5));
  });
  assertPages(undisturbed!, urls);
  assert.deepEqual(differences(killed!, undisturbed!), []);
});
