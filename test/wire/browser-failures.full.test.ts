// A browser that is killed again and again, a service that ends with a page open, and a browser that does not exist.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { useBreakableBrowser } from '../support/browser/breakable.ts';
import { descendants, isAlive, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { until } from '../support/jobs.ts';
import { startServiceWith } from '../support/service.ts';
import { startWeb } from '../support/web.ts';

describe('a browser that dies while loading pages', NEEDS_BROWSER, () => {
  const scene = useBreakableBrowser();
  const allGone = (pids: number[]) =>
    until(
      async () => pids.filter(isAlive),
      (left) => left.length === 0,
    );

  test('if it is killed repeatedly, the answer says so, and the next page is read', async () => {
    const scraping = scene.scrape('/slow/twice');
    for (const times of [1, 2]) {
      await scene.asked('/slow/twice', times);
      scene.killBrowser();
    }
    const { status, code, error } = await scraping;
    assert.deepEqual([status, code], [500, 'SCRAPE_SITE_ERROR']);
    assert.match(error!, /browser/);
    assert.match((await scene.scrape('/number/after')).data.markdown, /Seen \/number\/after/);
  });

  test('no process or file of it is left when the service is killed or stopped', async () => {
    const open = descendants(scene.service.pid);
    assert.ok(open.length > 1);
    await scene.service.kill();
    await allGone(open);
    await scene.service.stop();

    scene.service = await scene.start();
    const scraping = scene.scrape('/slow/stop');
    await scene.asked('/slow/stop', 1);
    const again = descendants(scene.service.pid);
    assert.ok(again.length > 1);
    assert.equal(await scene.service.stop(), 0);
    // A browser on a busy machine may need longer than a stopping service waits.
    assert.ok([200, 503].includes((await scraping).status), 'the running scrape was answered');
    await allGone(again);
    assert.deepEqual(readdirSync(scene.scratch), []);
  });
});

test('a configured browser that does not exist is reported once, and the service works', async (t) => {
  const web = await startWeb();
  const service = await startServiceWith(web, { TRAWL_BROWSER: '/nowhere/chromium' });
  t.after(async () => {
    await service.stop();
    await web.stop();
  });
  const scrape = (options: object) =>
    service.scrape<{ error?: string }>({ url: web.url('app.test', '/story/alone'), ...options });
  const { status, body } = await scrape({ formats: ['screenshot'] });
  assert.equal(status, 400);
  assert.match(body.error!, /TRAWL_BROWSER names a file that cannot be executed/);
  assert.equal((await scrape({})).status, 200);
  const { stdout, stderr } = service.output();
  assert.equal((stdout + stderr).split('cannot be executed').length, 2);
});
