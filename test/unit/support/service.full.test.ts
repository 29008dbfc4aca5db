// The helper that starts the real program: its answers are right, and it leaves nothing behind.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startService, startServiceWith } from '../../support/service.ts';
import { startWeb, type Web } from '../../support/web.ts';

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

test('a service with the small web scrapes a page of it, stops cleanly and removes its folder', async () => {
  const service = await startServiceWith(web);
  assert.match(service.key, /^fc-/);
  const { status, body } = await service.scrape<{ success: boolean; data: { markdown: string } }>({
    url: web.url('news.test', '/plain'),
  });
  assert.deepEqual([status, body.success], [200, true]);
  assert.match(body.data.markdown, /Plain page/);
  assert.equal(web.requests('news.test', '/plain'), 1);
  assert.equal((await service.fetch('/v2/team/credit-usage')).status, 200);

  assert.equal(await service.stop(), 0);
  assert.equal(existsSync(service.dataDir), false);
});

test('a given data folder survives the service, even if the service is killed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-given-'));
  try {
    const first = await startService({ TRAWL_DATA_DIR: dataDir });
    await first.kill();
    await first.stop();
    assert.equal(existsSync(dataDir), true);
    const second = await startService({ TRAWL_DATA_DIR: dataDir, TRAWL_API_KEY: 'fc-of-the-test' });
    assert.equal(second.key, 'fc-of-the-test');
    await second.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a service that cannot start reports why', async () => {
  await assert.rejects(startService({ TRAWL_PORT: 'many' }), /did not start: .*TRAWL_PORT/s);
});
