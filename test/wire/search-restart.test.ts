// The index over the life of a data folder: killed, deleted, damaged, it has everything that was completed, and nothing twice.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runBatch, startJob, until } from '../support/jobs.ts';
import { search } from '../support/search-scene.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { textOf } from '../support/web/crawl-text.ts';
import { page, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const PAGES = 30;

let web: Web;
let folder: string;
let service: RunningService;
before(async () => {
  web = await startWeb({
    'lasting.test': {
      '/*': (exchange) =>
        send(exchange, page(`Page ${exchange.tail}`, `<p>It is ${exchange.tail}.</p>${textOf(exchange.tail)}`)),
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'trawl-search-'));
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = async () => {
  service = await startServiceWith(web, { TRAWL_DATA_DIR: folder, TRAWL_API_KEY: 'fc-a-key-that-stays' });
};
const pages = (from: number, count = PAGES) =>
  Array.from({ length: count }, (_, n) => web.url('lasting.test', `/${from + n}`));
/** All pages of the host, with repetitions if there are any. */
const found = async () =>
  (await search(service, { query: 'site:lasting.test', limit: 100 })).data.web!.map(({ url }) => url).sort();

test('a kill loses nothing that was completed', async () => {
  await start();
  const { status } = await runBatch(service, { urls: pages(100) });
  assert.equal(status.completed, PAGES);
  // A second one is under way.
  await startJob(service, '/v2/batch/scrape', { urls: pages(200, 40) });
  await service.kill();
  await start();
  const all = await found();
  assert.deepEqual(
    pages(100).filter((url) => !all.includes(url)),
    [],
  );
  await until(found, (urls) => urls.length >= PAGES + 40);
  assert.deepEqual(await found(), [...pages(100), ...pages(200, 40)].sort());
});

test('a folder without its index gets a new one', async () => {
  await service.stop();
  for (const name of await readdir(folder)) if (name.startsWith('index.db')) await rm(join(folder, name));
  await start();
  assert.equal((await until(found, (urls) => urls.length >= PAGES + 40)).length, PAGES + 40);
});

test('an index that cannot be read is made anew', async () => {
  await service.stop();
  for (const name of await readdir(folder)) if (name.startsWith('index.db')) await rm(join(folder, name));
  await writeFile(join(folder, 'index.db'), 'This is no database. '.repeat(2_000));
  await start();
  assert.equal((await until(found, (urls) => urls.length >= PAGES + 40)).length, PAGES + 40);
  await service.scrape({ url: pages(300)[0] });
  assert.equal((await found()).length, PAGES + 40 + 1);
});
