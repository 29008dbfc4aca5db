// The frame of the console: navigation, theme, addresses that lead nowhere, and the size of the first view.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { until } from '../../support/jobs.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';

const MAX_FIRST_VIEW_BYTES = 80 * 1024;

export function walkFrame(tier: Tier): void {
  const { onceTest } = testsOf(tier);
  describe('the console', NEEDS_BROWSER, () => {
    const scene = useConsole({ tier });

    onceTest('every page is reached by its link, and the keyboard can skip to the content', async () => {
      const page = await scene.open('/');
      for (const name of ['Search', 'Jobs', 'Pages', 'Health', 'Settings', 'Playground']) {
        await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        const current = page.locator('.navigation [aria-current="page"]');
        assert.equal((await current.innerText()).trim(), name);
      }
      // This page puts the focus nowhere.
      await page.goto(new URL('/console/nowhere', scene.service.url).href);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Skip to the content');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
    });

    onceTest('the theme follows the system until it is chosen, and the choice stays', async () => {
      const page = await scene.open('/console/nowhere', { theme: 'dark' });
      const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const dark = await background();
      await page.getByRole('button', { name: 'Use light colours' }).click();
      const light = await background();
      assert.notEqual(light, dark);
      await page.reload();
      await page.getByRole('button', { name: 'Use dark colours' }).waitFor();
      assert.equal(await background(), light);
    });

    test('the manual is read in the console, and its links lead from chapter to chapter', async () => {
      const page = await scene.open('/console/manual');
      await page.getByRole('heading', { name: 'The first five minutes' }).waitFor();
      await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link').nth(1).click();
      await page.getByRole('heading', { name: 'Operations' }).first().waitFor();
      assert.equal(new URL(page.url()).pathname, '/console/manual/use/operations.md');
      const settings = page.locator('.markdown').getByRole('link', { name: 'Settings' }).first();
      await settings.click();
      await page.getByRole('heading', { name: 'Settings', exact: true }).first().waitFor();
      assert.equal(new URL(page.url()).pathname, '/console/manual/operate/settings.md');
      await scene.check(page, 'manual');
    });

    test('an old link to a chapter of the manual still leads there', async () => {
      const page = await scene.open('/console/manual/9-search.md#operators');
      await page.getByRole('heading', { name: 'Search', exact: true }).first().waitFor();
      const { pathname, hash } = new URL(page.url());
      assert.deepEqual([pathname, hash], ['/console/manual/use/search.md', '#operators']);
      /** As a part of the window, from 0 to 1; rounded, since browsers scroll by fractions of a pixel. */
      const topOf = (heading: string) =>
        page
          .locator('.markdown h3, .markdown h4, .markdown h5')
          .getByText(heading, { exact: true })
          .evaluate((shown) => Math.round((shown.getBoundingClientRect().top / innerHeight) * 100) / 100);
      const isInView = (top: number) => top >= 0 && top < 0.5;
      await until(() => topOf('Operators'), isInView);
      await page.locator('.markdown').getByRole('link', { name: 'below', exact: true }).first().click();
      await until(() => topOf('Scraping later'), isInView);
    });

    test('an address that leads nowhere says so', async () => {
      const page = await scene.open('/console/nowhere');
      await page.getByText('There is no page at this address').waitFor();
      await scene.check(page, 'not-found');
    });

    onceTest('the first view is small, complete without a network, and nothing in it is inline', async () => {
      const page = await scene.open('/');
      await page.getByRole('region', { name: 'The same call as code' }).waitFor();
      await page.getByRole('textbox', { name: 'URL', exact: true }).waitFor();
      const files = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .flatMap(({ name }) => (name.includes('/console/assets/') ? [name] : [])),
      );
      let total = 0;
      for (const url of [scene.service.url, ...files]) {
        // Brotli makes them smaller still; the limit is for clients that only know gzip.
        const { headers } = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
        assert.equal(headers.get('content-encoding'), 'gzip', url);
        total += Number(headers.get('content-length'));
      }
      assert.ok(files.length >= 2 && total < MAX_FIRST_VIEW_BYTES, `${total} bytes`);
      const html = await (await fetch(scene.service.url)).text();
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|style=/i);
      const { headers } = await fetch(scene.service.url);
      assert.match(
        headers.get('content-security-policy') ?? '',
        /default-src 'none'; script-src 'self'; style-src 'self'/,
      );
    });

    onceTest('files of the console are those that were built, and no others', async () => {
      const asked = ['/console/assets/page.html', '/console/assets/..%2fpage.html', '/console/assets/none-AAAA.js'];
      for (const path of asked) assert.equal((await fetch(new URL(path, scene.service.url))).status, 404, path);
      const html = await (await fetch(scene.service.url)).text();
      const script = /src="(\/console\/assets\/[^"]+)"/.exec(html)![1]!;
      const { status, headers } = await fetch(new URL(script, scene.service.url));
      assert.equal(status, 200);
      assert.match(headers.get('cache-control')!, /immutable/);
    });
  });
}
