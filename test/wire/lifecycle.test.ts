// Starting, stopping and being killed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { folder, run, useLifecycle, web } from '../support/wire/lifecycle.ts';

/** The tests follow each other through the life of one data folder. */
const start = () => startServiceWith(web, { TRAWL_DATA_DIR: join(folder, 'data') });
let service: RunningProgram;
let key: string;
// Before the folder is removed.
after(() => service?.stop());
useLifecycle();

test('the first start prints a key, with a command to paste', async () => {
  service = await start();
  key = service.key;
  const { stdout } = service.output();
  assert.match(stdout, /Your API key: fc-[0-9a-f]{32}/);
  assert.match(stdout, new RegExp(`curl -s ${service.url}/v2/scrape`));
  assert.match(stdout, /npm run keys/);
});

test('SIGTERM lets a running scrape finish and exits 0', async () => {
  const running = service.scrape({ url: web.url('fault.test', '/slow-headers?ms=800') });
  while (web.requests('fault.test', '/slow-headers') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const stopped = service.stop();
  assert.equal((await running).status, 200);
  assert.equal(await stopped, 0);
});

/** With the key of the first start. */
const get = (path: string) => service.fetch(path, { headers: { authorization: `Bearer ${key}` } });

test('the second start prints no key, and the first one is still valid', async () => {
  service = await start();
  assert.ok(!service.output().stdout.includes('fc-'));
  assert.equal((await get('/v2/team/credit-usage')).status, 200);
});

test('a service killed while working loses no answered scrape and starts again at once', async () => {
  const answered: string[] = [];
  const authorization = `Bearer ${key}`;
  const load = Array.from({ length: 30 }, async (_, n) => {
    const response = await service
      .fetch('/v2/scrape', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ url: web.url('load.test', `/article/${n}`) }),
      })
      .catch(() => undefined);
    const body = (await response?.json().catch(() => undefined)) as Scraped | undefined;
    if (body?.success) answered.push(body.data.metadata.scrapeId);
    if (answered.length === 12) await service.kill();
  });
  await Promise.all(load);
  assert.ok(answered.length >= 12);
  service = await start();
  for (const id of answered) {
    const response = await get(`/v2/scrape/${id}`);
    assert.equal(response.status, 200);
    const { data } = (await response.json()) as { data: { markdown: string } };
    assert.ok(data.markdown.length > 100);
  }
});

interface Scraped {
  success: boolean;
  data: { metadata: { scrapeId: string } };
}

test('help lists the settings; an unknown command fails with a sentence', async () => {
  const help = await run({}, 'help', 'settings');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /TRAWL_ALLOW_NETWORKS/);
  const unknown = await run({}, 'dance');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^There is no command 'trawl dance'/);
});
