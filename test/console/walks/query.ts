// The page "Query": examples, rows, errors in words, and the download.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import type { Tier } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';

export function walkQuery(tier: Tier): void {
  describe('the page "Query"', NEEDS_BROWSER, () => {
    const scene = useConsole({ tier });

    before(async () => {
      const { status } = await scene.service.scrape({ url: scene.web.url('news.test', '/article/1') });
      assert.equal(status, 200);
    });

    test('an example runs, its rows are shown, and they are saved as CSV', async () => {
      const page = await scene.open('/console/query');
      await page.getByRole('heading', { name: 'Tables' }).waitFor();
      await page.getByLabel('Example').selectOption('Newest pages');
      await page.getByRole('button', { name: 'Run' }).click();
      const rows = page.getByRole('region', { name: 'Rows of the query' });
      await rows.getByText('/article/1').first().waitFor();
      await scene.check(page, 'query');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      assert.match(readFileSync(await (await saved).path(), 'utf8'), /^url,title,fetched_at\r\n/);
    });

    test('what is wrong with a query is said in words, and text of pages stays text', async () => {
      const page = await scene.open('/console/query');
      const editor = page.getByRole('textbox', { name: 'SQL' });
      await editor.fill('SELECT nope FROM pages');
      await editor.press('Control+Enter');
      await page.getByText('No such column: nope.').waitFor();
      await editor.fill("SELECT '<img src=x onerror=alert(1)>' AS html, NULL AS empty");
      await editor.press('Control+Enter');
      await page.getByText('<img src=x onerror=alert(1)>').waitFor();
      await page.getByText('1 row').waitFor();
    });
  });
}
