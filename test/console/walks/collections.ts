// The page "Collections": the list, one collection with its pages and changes, and a run by hand.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { HOST, putCollection, runOnce, shelfSite } from '../../support/wire/collections.ts';
import type { Tier } from '../support/tier.ts';
import { useConsole } from '../support/use-console.ts';

export function walkCollections(tier: Tier): void {
  describe('the page "Collections"', NEEDS_BROWSER, () => {
    const shelf = shelfSite();
    const scene = useConsole({ tier, hosts: { [HOST]: shelf.site } });
    const book = (path: string) => scene.web.url(HOST, path);

    test('without a collection it says how to make one', async () => {
      const page = await scene.open('/console/collections');
      await page.getByText('There is no collection yet').waitFor();
      await page.getByText('-X PUT').waitFor();
      await scene.check(page, 'collections-empty');
    });

    test('a collection is found in the list, shows its pages and changes, and runs when asked', async () => {
      for (const path of ['/a', '/b', '/d']) shelf.served.set(path, `The shelf of ${path}.`);
      const targets = (...urls: string[]) => ({ targets: [{ type: 'scrape', urls }], schedule: { cron: '0 4 * * *' } });
      await putCollection(scene.service, 'books', targets(book('/a'), book('/b'), book('/d')));
      await runOnce(scene.service, 'books');
      await putCollection(scene.service, 'books', targets(book('/a'), book('/b')));
      shelf.served.set('/b', 500);
      const form = new FormData();
      form.append('file', new File([`# Lamps\n\n${'The lamp turns once in ten seconds. '.repeat(4)}`], 'lamps.md'));
      form.append('options', JSON.stringify({ collection: 'books' }));
      assert.equal((await scene.service.fetch('/v2/parse', { method: 'POST', body: form })).status, 200);

      const page = await scene.open('/console');
      await page.getByRole('link', { name: 'Collections', exact: true }).click();
      const list = page.getByRole('region', { name: 'Collections' });
      await list.getByText('3 added').waitFor();
      await scene.check(page, 'collections-list');
      await list.getByRole('link', { name: 'books' }).click();
      const pages = page.getByRole('region', { name: 'Pages of the collection' });
      await pages.getByText('/d').waitFor();
      await pages.getByText('lamps.md').waitFor();
      await pages.getByText('uploaded').waitFor();

      await page.getByRole('button', { name: 'Run now' }).click();
      await pages.getByText('/d').waitFor({ state: 'detached' });
      await page.getByRole('region', { name: 'Problems of the last run' }).getByText('status 500').waitFor();
      await scene.check(page, 'collections-pages');
      await page.getByRole('tab', { name: 'Last changes' }).click();
      const changes = page.getByRole('region', { name: 'Last changes' });
      await changes.getByRole('row', { name: /\/d .*Deleted/ }).waitFor();
      assert.match(await changes.getByRole('row').nth(1).innerText(), /\/d\b/, 'the newest is the first');
      await scene.check(page, 'collections-changes');
      await page.getByRole('tab', { name: 'Definition' }).click();
      await page.getByText('"retentionDays": 30').waitFor();
    });

    test('an unknown collection is said to be unknown', async () => {
      const page = await scene.open('/console/collections/no-such');
      await page.getByText('no collection of this name').waitFor();
    });
  });
}
