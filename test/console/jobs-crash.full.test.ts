// The page of a job while its service goes away and comes back.
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { CRAWL, startJob } from '../support/jobs.ts';
import { startServiceWith } from '../support/service.ts';
import { createShelf } from './support/shelf.ts';
import { useConsoleOfProgram } from './support/use-console.ts';

const PATIENCE = { timeout: 60_000 };

describe('the page of a job', NEEDS_BROWSER, () => {
  const shelf = createShelf();
  const scene = useConsoleOfProgram({ tier: 'full', hosts: { 'shelf.test': shelf.site }, settings: {} });

  test('a crawl that survives a crash of the service is followed again, and the page says what happens', async (t) => {
    const release = shelf.hold();
    const wanted = { url: scene.web.url('shelf.test'), sitemap: 'skip', limit: 6 };
    const id = await startJob(scene.service, CRAWL, wanted);
    const page = await scene.open(`/console/jobs/crawl/${id}`);
    await page.getByText('Live', { exact: true }).waitFor(PATIENCE);
    await scene.service.kill();
    await page.getByText('Connection lost, trying again').waitFor(PATIENCE);
    await page.getByRole('heading', { level: 1, name: /^Crawl: / }).waitFor();
    const restarted = await startServiceWith(scene.web, {
      ...{ TRAWL_AUTH: 'off', TRAWL_DATA_DIR: scene.service.dataDir },
      TRAWL_PORT: new URL(scene.service.url).port,
    });
    t.after(() => restarted.stop());
    await page.getByText('The service answers again.').waitFor(PATIENCE);
    await page.getByText('Live', { exact: true }).waitFor(PATIENCE);
    shelf.broken.clear();
    release();
    await page.getByText('Completed', { exact: true }).waitFor(PATIENCE);
    await page.getByRole('tab', { name: 'Pages6' }).waitFor(PATIENCE);
  });
});
