// The page "Pages": browsing by host, a page with its text and versions, deleting, and what is shown when there is nothing.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { page as html, type Site, send } from '../../support/web/reply.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsoleOfOperator } from '../support/use-console.ts';

const SHOP = 'shop.test';
const HOSTILE = 'hostile.test';
const FILLER = 'Every instrument is checked by hand before it leaves the workshop, and again when it comes back. ';

let price: number;

const shop: Site = {
  '/*': (exchange) => {
    const offer = exchange.path === '/compass' ? `<p>Price: ${price} EUR</p><p>Ships within two days.</p>` : '';
    const text = `<h1>Instruments ${exchange.path}</h1><p>${FILLER.repeat(3)}</p>${offer}`;
    send(exchange, html(`Instruments ${exchange.path}`, text));
  },
};
const hostile: Site = {
  '/*': (exchange) => {
    const title = `\u202egnp.exe <script>alert(1)</script> ${'very long '.repeat(60)}`;
    const text = `<h1>Hello</h1><p>&lt;img src=x onerror=alert(1)&gt; ${FILLER.repeat(3)}</p><p>${'x'.repeat(20_000)}</p>`;
    send(exchange, html(title, text));
  },
};

export function walkPages(tier: Tier): void {
  const { fullTest } = testsOf(tier);
  describe('the page "Pages"', NEEDS_BROWSER, () => {
    // A service of its own: pages of the manual belong to every team, and other files may have read some.
    const scene = useConsoleOfOperator({ tier, hosts: { [SHOP]: shop, [HOSTILE]: hostile }, settings: {} });
    const hostOf = (name: string) => new URL(scene.web.url(name, '/')).host;
    const scrape = async (url: string, formats: unknown[] = ['markdown']) => {
      const { status, body } = await scene.service.scrape({ url, formats, maxAge: 0 });
      assert.equal(status, 200, JSON.stringify(body));
    };

    test('without any pages, it says how to get the first ones', async () => {
      const page = await scene.open('/console/pages');
      await page.getByText('Nothing is stored yet').waitFor();
      await scene.check(page, 'pages-empty');
      await page.getByRole('link', { name: 'Scrape a page' }).click();
      await page.waitForURL(/playground\/scrape/);
    });

    describe('with pages', () => {
      before(async () => {
        price = 149;
        for (let n = 0; n < 60; n++) await scrape(scene.web.url(SHOP, `/item/${String(n).padStart(2, '0')}`));
        const tracked = ['markdown', 'changeTracking'];
        const compass = scene.web.url(SHOP, '/compass');
        await scrape(compass, tracked);
        price = 139;
        await scrape(compass, tracked);
        price = 129;
        await scrape(compass, tracked);
        await scrape(scene.web.url(HOSTILE, `/${'long-path-'.repeat(40)}`));
      });

      test('hosts lead to their pages, which are filtered and looked at part by part', async () => {
        const page = await scene.open('/console/pages');
        const hosts = page.getByRole('region', { name: 'Hosts' });
        await hosts.getByRole('link', { name: hostOf(SHOP) }).waitFor();
        assert.match(await hosts.getByRole('listitem').first().innerText(), /61 pages/);
        await scene.check(page, 'pages-hosts');
        await hosts.getByLabel('Find a host').fill('host');
        await hosts.getByRole('link', { name: hostOf(SHOP) }).waitFor({ state: 'detached' });
        await hosts.getByLabel('Find a host').fill('nobody');
        await page.getByText('No host begins with this').waitFor();
        await hosts.getByLabel('Find a host').fill('');
        await hosts.getByRole('link', { name: hostOf(SHOP) }).click();

        const list = page.getByRole('table', { name: `Pages of ${hostOf(SHOP)}` });
        await list.getByRole('link', { name: 'Instruments /compass' }).waitFor();
        assert.equal(await list.getByRole('row').count(), 51);
        await scene.check(page, 'pages-list');
        await page.getByRole('button', { name: 'Next' }).last().click();
        await list.getByRole('link', { name: 'Instruments /item/59' }).waitFor();
        assert.equal(await list.getByRole('row').count(), 12);
        await page.getByRole('button', { name: 'Previous' }).last().click();
        await list.getByRole('link', { name: 'Instruments /compass' }).waitFor();
        await page.getByLabel('Filter by address').fill('item/4');
        await list.getByRole('link', { name: 'Instruments /item/49' }).waitFor();
        await list.getByRole('link', { name: 'Instruments /compass' }).waitFor({ state: 'detached' });
        await page.getByLabel('Only tracked pages').check();
        await page.getByText('No page of this host is tracked').waitFor();
        await page.getByLabel('Filter by address').fill('');
        await list.getByRole('link', { name: 'Instruments /compass' }).click();
        await page.getByRole('heading', { name: 'Instruments /compass' }).first().waitFor();
        assert.equal(new URL(page.url()).searchParams.get('url'), scene.web.url(SHOP, '/compass'));
      });

      test('a page shows its text, copies, metadata, and its versions with their differences', async () => {
        const url = scene.web.url(SHOP, '/compass');
        const page = await scene.open(`/console/pages?${new URLSearchParams({ url })}`);
        await page.getByRole('region', { name: 'Text of the page' }).getByText('Price: 129 EUR').waitFor();
        await scene.check(page, 'pages-page');
        await page.getByRole('button', { name: 'Show source' }).click();
        await page.getByText('# Instruments /compass').waitFor();
        await page.getByRole('tab', { name: 'Copies' }).click();
        await page.getByRole('table', { name: 'Copies of the page in the cache' }).waitFor();
        await scene.check(page, 'pages-copies');
        await page.getByRole('tab', { name: 'Metadata' }).click();
        await page.getByText('statusCode').or(page.getByText('title')).first().waitFor();

        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        const diff = page.getByRole('region', { name: 'Differences' });
        await diff.getByText('Price: 129 EUR').waitFor();
        assert.match(await diff.innerText(), /−\s+Price: 139 EUR[\s\S]*\+\s+Price: 129 EUR/);
        assert.equal(await page.getByRole('list').last().getByRole('listitem').count(), 3);
        await scene.check(page, 'pages-versions');
        await page.getByLabel('Compared with').selectOption({ index: 1 });
        await diff.getByText('Price: 149 EUR').waitFor();
        await page.getByRole('button', { name: /First seen/ }).click();
        await page.getByText('This is the first version').waitFor();
      });

      test('what comes from hostile pages stays text, and fits on a phone', async () => {
        const page = await scene.open(`/console/pages?host=${hostOf(HOSTILE)}`);
        const link = page.getByRole('table').getByRole('link').first();
        await link.waitFor();
        assert.match(await link.innerText(), /\\u202egnp\.exe <script>/);
        await scene.check(page, 'pages-hostile-list');
        await link.click();
        await page.getByRole('region', { name: 'Text of the page' }).waitFor();
        await scene.check(page, 'pages-hostile');
        await page.getByRole('tab', { name: 'Versions' }).click();
        await page.getByText('The changes of this page are not tracked').waitFor();
        await scene.check(page, 'pages-untracked');
      });

      fullTest('pages are deleted after a question: selected ones, one, and a whole host', async () => {
        const page = await scene.open(`/console/pages?host=${hostOf(SHOP)}`);
        await page.getByLabel('Filter by address').fill('item/1');
        const list = page.getByRole('table', { name: `Pages of ${hostOf(SHOP)}` });
        await list.getByRole('link', { name: 'Instruments /compass' }).waitFor({ state: 'detached' });
        await page.getByLabel('Select /item/10').check();
        await page.getByLabel('Select /item/11').check();
        await page.getByRole('button', { name: 'Delete 2 pages' }).click();
        const question = page.getByRole('dialog', { name: 'Delete 2 pages?' });
        await scene.check(page, 'pages-question');
        await page.keyboard.press('Escape');
        await question.waitFor({ state: 'detached' });
        assert.equal(
          await list.getByRole('link', { name: 'Instruments /item/10' }).count(),
          1,
          'Escape deletes nothing',
        );
        await page.getByRole('button', { name: 'Delete 2 pages' }).click();
        await question.getByRole('button', { name: 'Delete pages' }).click();
        await page.getByText('Deleted 2 pages.').waitFor();
        await list.getByRole('link', { name: 'Instruments /item/10' }).waitFor({ state: 'detached' });

        await list.getByRole('link', { name: 'Instruments /item/12' }).click();
        await page.getByRole('button', { name: 'Delete page' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete page' }).click();
        await page.getByText('Deleted 1 page.').waitFor();
        await page.waitForURL((url) => !url.searchParams.has('url'));
        await page.getByRole('button', { name: 'Delete host' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete host' }).click();
        await page.getByText('Nothing is stored of this host').waitFor();
        await page.getByText('Deleted 58 pages.').waitFor();
        await scene.check(page, 'pages-gone');
      });

      fullTest('a page that is not stored, and an answer that fails, say what to do', async () => {
        const page = await scene.open('/console/pages?url=https://nowhere.test/page');
        await page.getByText('Nothing is stored of this page').waitFor();
        await scene.check(page, 'pages-missing');
        await page.route('**/v2/index/hosts*', (route) =>
          route.fulfill({
            status: 503,
            json: { success: false, error: 'The store cannot be reached.', code: 'SERVICE_UNAVAILABLE' },
          }),
        );
        await page.goto(new URL('/console/pages', scene.service.url).href);
        await page.getByText('The store cannot be reached.').waitFor();
        await scene.check(page, 'pages-problem');
        await page.unroute('**/v2/index/hosts*');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('link', { name: hostOf(HOSTILE) }).waitFor();
      });
    });
  });
}
