// The index over the life of a data folder: killed, deleted or damaged, it has every completed page, and none twice.
import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { withoutFolder } from '../support/engines.ts';
import { BATCH, runBatch, startJob, until } from '../support/jobs.ts';
import { search } from '../support/search/search.ts';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { textOf } from '../support/web/crawl-text.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const PAGES = 20;
const HOSTS = [0, 1, 2, 3].map((n) => `host-${n}.lasting.test`);

const site: Site = {
  '/*': (exchange) =>
    send(exchange, page(`Page ${exchange.tail}`, `<p>It is ${exchange.tail}.</p>${textOf(exchange.tail)}`)),
};

let web: Web;
let folder: string;
let service: RunningProgram;
before(async () => {
  web = await startWeb(Object.fromEntries(HOSTS.map((host) => [host, site])));
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
const pages = (from: number) =>
  Array.from({ length: PAGES }, (_, n) => web.url(HOSTS[n % HOSTS.length]!, `/${from + n}`));

/** All pages of the hosts, including duplicates if there were any. */
const found = async () =>
  (await search(service, { query: 'site:lasting.test', limit: 100 })).data.web!.map(({ url }) => url);
const hasAll = (urls: string[], wanted: string[]) => wanted.every((url) => urls.includes(url));

test('a kill loses nothing that was completed, and duplicates nothing', async () => {
  await start();
  const { status } = await runBatch(service, { urls: pages(100) });
  assert.equal(status.completed, PAGES);
  // Another job is running when the kill comes.
  await startJob(service, BATCH, { urls: pages(200) });
  await service.kill();
  await start();
  const urls = await found();
  assert.ok(hasAll(urls, pages(100)), String(urls));
  assert.equal(new Set(urls).size, urls.length);
});

const removeIndex = async () => {
  for (const name of await readdir(folder)) if (name.startsWith('index.db')) await rm(join(folder, name));
};

test('a data folder without its index gets a new one', async () => {
  await service.stop();
  await removeIndex();
  await start();
  const urls = await until(found, (all) => hasAll(all, pages(100)));
  assert.equal(new Set(urls).size, urls.length);
});

test('an index that is damaged inside fails no search, and is repaired', { skip: withoutFolder }, async () => {
  await service.stop();
  const file = join(folder, 'index.db');
  const { size } = await stat(file);
  const half = await open(file, 'r+');
  await half.write(Buffer.alloc(Math.floor(size / 2), 0xa5), 0, Math.floor(size / 2), Math.ceil(size / 2));
  await half.close();
  await start();
  const urls = await until(found, (all) => hasAll(all, pages(100)));
  assert.equal(new Set(urls).size, urls.length);
});

test('an index that cannot be read is rebuilt, and continues', async () => {
  await service.stop();
  await removeIndex();
  await writeFile(join(folder, 'index.db'), 'This is no database. '.repeat(2_000));
  await start();
  await until(found, (all) => hasAll(all, pages(100)));
  const [later] = pages(300);
  await service.scrape({ url: later });
  await until(found, (all) => all.includes(later!));
});
