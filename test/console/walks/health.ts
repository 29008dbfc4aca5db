// The page Health as the operator and as another team see it: figures, browsers, providers, usage.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { EXECUTABLE, isAlive, NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { until } from '../../support/jobs.ts';
import { type ModelServer, startModelServer } from '../../support/models/model-server.ts';
import { says, WRONG_KEY } from '../../support/models/replies.ts';
import { type ProviderStandIn, sendJson, startProviderStandIn } from '../../support/search/provider-stand-ins.ts';
import { asNewTeam } from '../../support/shared-service.ts';
import { page as html, reply } from '../../support/web/reply.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsoleOfOperator } from '../support/use-console.ts';

export function walkHealth(tier: Tier): void {
  const { fullTest } = testsOf(tier);
  describe('the page Health', NEEDS_BROWSER, () => {
    const settings: Record<string, string> = {
      TRAWL_AUTH: 'required',
      TRAWL_BROWSER: EXECUTABLE ?? 'off',
      TRAWL_SEARCH_PROVIDERS: 'index,searxng',
    };
    let searxng: ProviderStandIn;
    let model: ModelServer;
    before(async () => {
      [searxng, model] = await Promise.all([startProviderStandIn('searxng'), startModelServer(says('ok'))]);
      Object.assign(settings, model.settings(), { TRAWL_SEARXNG_URL: searxng.url });
    });
    const scene = useConsoleOfOperator({ tier, hosts: { 'site.test': { '/*': reply(html('Site')) } }, settings });
    after(() => Promise.all([searxng?.stop(), model?.close()]));

    const { check } = scene;
    async function openAs(key: string, path: string): Promise<Page> {
      const page = await scene.open(path);
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
      return page;
    }
    const operator = (view = 'overview') => openAs(scene.service.key, `/console/health?view=${view}`);
    const scrape = (more = {}) =>
      scene.service.scrape({ url: scene.web.url('site.test', `/${Math.random()}`), maxAge: 0, ...more });
    const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

    test('the overview tells the state of now and of the last hour, in charts and as tables', async () => {
      for (let count = 0; count < 3; count++) assert.equal((await scrape()).status, 200);
      const page = await operator();
      await page.getByText('Ready', { exact: true }).waitFor();
      await page.getByText(/^The data folder .* holds/).waitFor();
      await page.locator('.uplot').nth(5).waitFor();
      await page.getByRole('img', { name: /^Memory\. Service: .+ now, .+ at most/ }).waitFor();
      await check(page, 'health-overview');
      const memory = page.getByRole('region', { name: 'Memory', exact: true });
      await memory.getByRole('button', { name: 'Show as table' }).press('Enter');
      await memory.getByRole('columnheader', { name: 'Browsers' }).waitFor();
      assert.match(await memory.getByRole('cell').nth(1).innerText(), /^\d+(\.\d)? [MG]B/);
      await check(page, 'health-overview-table');
      await memory.getByRole('button', { name: 'Show the chart' }).click();
      await memory.locator('.uplot').waitFor();
      const width = () => memory.locator('.uplot').evaluate((element) => element.clientWidth);
      const wide = await width();
      await page.setViewportSize({ width: 390, height: 900 });
      await until(width, (narrow) => narrow < wide);
    });

    fullTest('a service that does not answer is said in words, and comes back with a click', async () => {
      const page = await operator();
      await page.getByText('Ready', { exact: true }).waitFor();
      await page.route('**/v2/health/**', (route) => route.abort());
      await page.getByRole('tab', { name: 'Browsers' }).click();
      await page.getByText('The service did not answer.').waitFor();
      await check(page, 'health-unreachable');
      await page.unroute('**/v2/health/**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Browsers for pages' }).waitFor();
    });

    fullTest('browsers are listed and killed, sessions are watched and ended', async () => {
      const page = await operator('browsers');
      await page.getByText('No session is open').waitFor();
      await check(page, 'health-browsers-empty');
      assert.equal((await scrape({ waitFor: 1 })).status, 200);
      const opened = await scene.service.post<{ id: string }>('/v2/browser', {});
      assert.equal(opened.status, 200);
      const process = page.getByRole('row', { name: /^Process \d/ });
      await process.waitFor();
      const session = row(page, opened.body.id.slice(-12));
      await session.waitFor();
      await check(page, 'health-browsers');

      await session.getByRole('button', { name: 'Watch' }).click();
      const view = page.frameLocator('iframe[title="Live view of the session"]');
      await view.locator('body').waitFor();
      await check(page, 'health-live-view');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      const pid = Number(/Process (\d+)/.exec(await process.innerText())![1]);
      await process.getByRole('button', { name: 'Kill' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.ok(isAlive(pid));
      await process.getByRole('button', { name: 'Kill' }).click();
      await page.getByRole('dialog').getByText('loaded again in another browser').waitFor();
      await check(page, 'health-kill');
      await page.getByRole('button', { name: 'Kill the browser' }).click();
      await page.getByText('The browser was killed.').waitFor();
      await until(
        async () => isAlive(pid),
        (alive) => !alive,
      );
      await session.getByRole('button', { name: 'End' }).click();
      await page.getByRole('button', { name: 'End the session' }).click();
      await page.getByText('No session is open').waitFor();
    });

    fullTest('providers and models say how they do, and a test asks them now', async () => {
      searxng.behave((_, response) => sendJson(response, {}, 500));
      model.answer(() => WRONG_KEY);
      const page = await operator('providers');
      const searx = row(page, 'SearXNG');
      await searx.getByText('Not asked yet').waitFor();
      await searx.getByRole('button', { name: 'Test SearXNG' }).click();
      await searx.getByText('SearXNG: it is out of order (status 500).').waitFor();
      await searx.getByText('Paused').waitFor();
      const extract = row(page, 'Extract data');
      await extract.getByRole('button', { name: 'Test' }).click();
      await extract.getByText('Fails').waitFor();
      await check(page, 'health-providers-failing');
      searxng.give({ url: 'https://found.example/', title: 'Found' });
      model.answer(says('ok'));
      await searx.getByRole('button', { name: 'Test SearXNG' }).click();
      await searx.getByText('Answers').waitFor();
      await extract.getByRole('button', { name: 'Test' }).click();
      await extract.getByText(/It answered in/).waitFor();
      await page.getByRole('button', { name: /Show all \d+/ }).click();
      await row(page, 'Kagi').getByText('It needs a key (TRAWL_KAGI_API_KEY).').waitFor();
      await check(page, 'health-providers');
    });

    fullTest('usage is shown by operation and by key, for every team that the operator chooses', async () => {
      const other = await asNewTeam(scene.service, 'spender');
      for (let count = 0; count < 2; count++) {
        await other.scrape({ url: scene.web.url('site.test', `/${Math.random()}`), maxAge: 0 });
      }
      await scrape();
      const page = await operator('usage');
      await row(page, 'Scrape').waitFor();
      await page.getByRole('img', { name: /^Credits by operation\. Scrape/ }).waitFor();
      await page.locator('.uplot').nth(1).waitFor();
      await check(page, 'health-usage');
      await page.getByLabel('Team').selectOption('spender');
      await page.getByText('2 credits').waitFor();
      await page.getByLabel('Time').selectOption('Today, by hour');
      await page.getByText('2 credits').waitFor();
      await asNewTeam(scene.service, 'saver');
      await page.reload();
      await page.getByLabel('Team').selectOption('saver');
      await page.getByText('Nothing was used in this time').waitFor();
      await check(page, 'health-usage-empty');
    });

    fullTest('another team sees its own queue, sessions and usage, and why there is no more', async () => {
      const other = await asNewTeam(scene.service, 'guests');
      const page = await openAs(other.key, '/console/health?view=providers');
      await page.getByText('Only its operator sees them.').waitFor();
      await page.getByText('No limit').waitFor();
      assert.deepEqual(await page.getByRole('tab').allInnerTexts(), ['Overview', 'Sessions', 'Usage']);
      await check(page, 'health-team');
      const opened = await other.post<{ id: string }>('/v2/browser', {});
      await page.getByRole('tab', { name: 'Sessions' }).click();
      const session = row(page, opened.body.id.slice(-12));
      await session.waitFor();
      await check(page, 'health-team-sessions');
      await session.getByRole('button', { name: 'End' }).click();
      await page.getByRole('button', { name: 'End the session' }).click();
      await page.getByText('No session is open').waitFor();
      await page.getByRole('tab', { name: 'Sessions' }).press('ArrowRight');
      await row(page, 'Browser').waitFor();
      assert.equal(await page.getByLabel('Team').count(), 0);
    });
  });
}
