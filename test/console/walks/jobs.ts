// The pages of jobs, clicked through as a person does: a crawl that is watched, paused, resumed, extended, retried and
// exported; an agent, an extraction and a monitor.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { BATCH, CRAWL, jobEnd, read, startJob, until } from '../../support/jobs.ts';
import { readWarc } from '../../support/warc.ts';
import { createShelf } from '../support/shelf.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';

/** Pages of earlier tests are in the cache. */
const FRESH = { scrapeOptions: { maxAge: 0 } };

const PATIENCE = { timeout: 60_000 };

export function walkJobs(tier: Tier): void {
  const { onceTest, fullTest } = testsOf(tier);
  describe('the pages of jobs', NEEDS_BROWSER, () => {
    const shelf = createShelf();
    const scene = useConsole({ tier, hosts: { 'shelf.test': shelf.site } });
    const { check } = scene;
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
    const startCrawl = (more = {}) =>
      startJob(scene.service, CRAWL, { url: scene.web.url('shelf.test'), sitemap: 'skip', limit: 6, ...more });

    test('empty lists say how to get the first job and the first monitor', async () => {
      const page = await scene.open('/console/jobs');
      await page.getByText('Nothing has run yet').waitFor();
      await page.getByText('curl -s').waitFor();
      await check(page, 'jobs-empty');
      await tab(page, /Monitors/).click();
      await page.getByText('No monitor watches anything yet').waitFor();
      await check(page, 'monitors-empty');
      await page.goto(new URL('/console/jobs?kind=agent', scene.service.url).href);
      await page.getByText('No job fits this filter').waitFor();
    });

    fullTest('a crawl is watched live, paused, resumed and extended, and its failed page is retried', async () => {
      const release = shelf.hold();
      const id = await startCrawl({ maxConcurrency: 2 });
      const page = await scene.open('/console/jobs');
      const row = page.getByRole('row').filter({ hasText: 'shelf.test' });
      await row.getByText('Running').waitFor(PATIENCE);
      await check(page, 'jobs-running');
      await row.getByRole('button', { name: /^Pause/ }).click();
      await row.getByText('Paused').waitFor(PATIENCE);
      await row.getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: /^Crawl: / }).waitFor(PATIENCE);
      await button(page, 'Resume').waitFor(PATIENCE);
      await check(page, 'job-paused');
      await button(page, 'Resume').press('Enter');
      await page.getByText('The crawl goes on.').waitFor(PATIENCE);
      await button(page, 'Pause').waitFor(PATIENCE);
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Pause', 'the keyboard stays');
      await tab(page, /^Hosts/).click();
      await page.getByRole('region', { name: 'Hosts of the job' }).getByText('shelf.test').waitFor(PATIENCE);
      await check(page, 'job-hosts');
      await tab(page, /^Pages/).click();
      release();
      await page.getByText('Completed', { exact: true }).waitFor(PATIENCE);
      await page.getByRole('tab', { name: 'Pages6' }).waitFor(PATIENCE);
      assert.equal(await page.getByRole('region', { name: 'Pages that were read' }).locator('tbody tr').count(), 6);
      await check(page, 'job-pages');

      await page.getByRole('button', { name: 'Book 0', exact: true }).click();
      await page.getByRole('dialog').getByText('of the shelf has a title').first().waitFor(PATIENCE);
      await check(page, 'job-page-content');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await button(page, 'Extend limit').click();
      await page.getByLabel('Maximum number of pages').fill('0');
      await page.getByText('Enter a whole number').waitFor();
      await page.getByLabel('Maximum number of pages').fill('50');
      await check(page, 'job-extend');
      await page.keyboard.press('Enter');
      await page.getByText('The limit is 50 pages now.').waitFor(PATIENCE);
      await page.getByRole('tab', { name: 'Pages12' }).waitFor(PATIENCE);
      await page.getByText('Completed', { exact: true }).waitFor(PATIENCE);

      await tab(page, /^Errors/).click();
      await page.getByRole('region', { name: 'Pages that failed' }).getByText('/book/3').waitFor(PATIENCE);
      await page.getByText('The site broke off').waitFor();
      await button(page, 'Show pages that robots.txt forbids').click();
      await page.getByText('robots.txt forbids no page').waitFor(PATIENCE);
      await check(page, 'job-errors');
      shelf.broken.clear();
      await button(page, 'Retry all failed pages').click();
      await page.getByText('1 page is read again.').waitFor(PATIENCE);
      await page.getByText('No page has failed').waitFor(PATIENCE);
      await page.getByRole('tab', { name: 'Pages13' }).waitFor(PATIENCE);

      await tab(page, /^Request/).click();
      await page.getByText('"maxConcurrency": 2').waitFor();
      await check(page, 'job-request');
      assert.equal((await jobEnd(scene.service, `${CRAWL}/${id}`)).completed, 13);
      await page.getByRole('link', { name: 'Run again in the playground' }).click();
      await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor(PATIENCE);
      await page.getByText('"maxConcurrency": 2').first().waitFor(PATIENCE);
    });

    fullTest('a crawl is exported as each format', async () => {
      const id = await startCrawl({ limit: 2, scrapeOptions: { formats: ['markdown', 'rawHtml'] } });
      await jobEnd(scene.service, `${CRAWL}/${id}`);
      const page = await scene.open(`/console/jobs/crawl/${id}`);
      await button(page, 'Export').click();
      await page.getByRole('dialog').getByText('The file has 2 pages.').waitFor(PATIENCE);
      await check(page, 'job-export');
      const endings: Record<string, RegExp> = {
        'JSON Lines': /\.jsonl$/,
        CSV: /\.csv$/,
        'Markdown files': /\.zip$/,
        'Web archive .WARC': /\.warc\.gz$/,
      };
      for (const [name, ending] of Object.entries(endings)) {
        const download = page.waitForEvent('download', PATIENCE);
        await page
          .getByRole('dialog')
          .getByRole('link', { name: new RegExp(`^${name}`) })
          .click();
        const file = await download;
        assert.match(file.suggestedFilename(), ending);
        if (ending.test('.warc.gz')) assert.equal((await readWarc(await readFile(await file.path()))).length, 7);
      }
    });

    onceTest('a batch is shown like a crawl, and runs again with its own request', async () => {
      const urls = [scene.web.url('shelf.test', '/book/1'), scene.web.url('shelf.test', '/book/2')];
      const id = await startJob(scene.service, BATCH, { urls });
      await jobEnd(scene.service, `${BATCH}/${id}`);
      const page = await scene.open(`/console/jobs/batch/${id}`);
      await page.getByRole('tab', { name: 'Pages2' }).waitFor(PATIENCE);
      assert.equal(await button(page, 'Extend limit').count(), 0);
      await tab(page, /^Request/).click();
      await button(page, 'Run again').click();
      await page.getByText('The batch runs again, as a new job.').waitFor(PATIENCE);
      await page.waitForURL((url) => url.pathname.startsWith('/console/jobs/batch/') && !url.pathname.endsWith(id));
      await page.getByRole('tab', { name: 'Pages2' }).waitFor(PATIENCE);
    });

    onceTest('a crawl is cancelled after a question, and an unknown job is said to be gone', async () => {
      const release = shelf.hold();
      const id = await startCrawl(FRESH);
      const page = await scene.open(`/console/jobs/crawl/${id}`);
      await button(page, 'Cancel').click();
      await page.getByRole('dialog').getByText('It stops for good.').waitFor(PATIENCE);
      await page.keyboard.press('Escape');
      await button(page, 'Cancel').click();
      await button(page, 'Cancel the crawl').click();
      await page.getByText('Cancelled', { exact: true }).waitFor(PATIENCE);
      release();
      await page.goto(new URL('/console/jobs/crawl/0190a0b0-0000-7000-8000-000000000000', scene.service.url).href);
      await page.getByText('Job not found').waitFor(PATIENCE);
    });

    fullTest('an agent shows its steps and its data, and an extraction its data', async () => {
      const urls = [scene.web.url('shelf.test')];
      const schema = { type: 'object', properties: { title: { type: 'string' } } };
      const agent = await startJob(scene.service, '/v2/agent', { prompt: 'The title of the page', urls, schema });
      const page = await scene.open(`/console/jobs/agent/${agent}`);
      await page.getByRole('heading', { level: 1, name: 'Agent: The title of the page' }).waitFor(PATIENCE);
      await page
        .locator('.step')
        .filter({ hasText: /Done|Failed/ })
        .waitFor(PATIENCE);
      await check(page, 'agent-steps');
      await tab(page, /^Data/).click();
      await check(page, 'agent-data');
      const extract = await startJob(scene.service, '/v2/extract', { urls, schema });
      await page.goto(new URL(`/console/jobs/extract/${extract}`, scene.service.url).href);
      await page
        .getByText(/^(Completed|Failed)$/)
        .first()
        .waitFor(PATIENCE);
      await check(page, 'extract');
    });

    fullTest('a monitor is checked by hand, shows what has changed, and is paused and deleted', async () => {
      const { body } = await scene.service.post<{ data: { id: string } }>('/v2/monitor', {
        name: 'News of the shelf',
        schedule: { text: 'daily' },
        targets: [{ type: 'scrape', urls: [scene.web.url('shelf.test', '/news')] }],
      });
      const page = await scene.open('/console/jobs?tab=monitors');
      await page.getByRole('link', { name: 'News of the shelf', exact: true }).waitFor(PATIENCE);
      await check(page, 'monitors');
      await page.getByRole('link', { name: 'News of the shelf', exact: true }).click();
      await page.getByText('No check has run yet').waitFor(PATIENCE);
      const path = `/v2/monitor/${body.data.id}`;
      const isIdle = () =>
        until(
          async () =>
            (await read<{ data: { currentCheckId: string | null; lastRunAt: string | null } }>(scene.service, path))
              .body.data,
          ({ currentCheckId, lastRunAt }) => currentCheckId === null && lastRunAt !== null,
        );
      await button(page, 'Check now').click();
      await page.getByText('New', { exact: true }).waitFor(PATIENCE);
      await isIdle();
      shelf.edition = 2;
      await page.locator('button:has-text("Check now"):enabled').waitFor(PATIENCE);
      await button(page, 'Check now').click();
      await page.getByText('Changed', { exact: true }).waitFor(PATIENCE);
      await page.getByRole('region', { name: 'What has changed' }).getByText('edition 2').first().waitFor(PATIENCE);
      await check(page, 'monitor');
      await isIdle();
      await button(page, 'Pause').click();
      await page.getByText('Paused', { exact: true }).waitFor(PATIENCE);
      await button(page, 'Delete').click();
      await button(page, 'Delete the monitor').click();
      await page.getByText('No monitor watches anything yet').waitFor(PATIENCE);
    });
  });
}
