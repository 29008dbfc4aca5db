// Processes with different roles on one database: workers crawl what the API has accepted, another worker takes over from one
// that was killed, and what is asked of one process holds for all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createDatabase, hasPostgres } from '../conformance/open-postgres.ts';
import { BATCH, type JobStatus, read } from '../support/jobs.ts';
import { type RunningProgram, startService } from '../support/service.ts';
import { textOf } from '../support/web/crawl-text.ts';
import { type Handler, page, type Site, send } from '../support/web/reply.ts';
import { startWeb } from '../support/web.ts';

const skip = !hasPostgres && 'It runs with npm run test:cluster';
const HOSTS = ['one.test', 'two.test', 'three.test', 'four.test'];
const PATHS = ['/a', '/b'];

/** Sites whose pages wait until the test lets them pass. They count the requests that wait at the same time. */
function holdingSites() {
  let passage = Promise.withResolvers<void>();
  const active = new Map(HOSTS.map((host) => [host, 0]));
  let most = 0;
  const answer =
    (host: string): Handler =>
    async (exchange) => {
      active.set(host, active.get(host)! + 1);
      most = Math.max(most, active.get(host)!);
      const gone = new Promise<void>((resolve) => exchange.signal.addEventListener('abort', () => resolve()));
      await Promise.race([passage.promise, gone]);
      active.set(host, active.get(host)! - 1);
      const word = `zebra${host.split('.')[0]}`;
      if (!exchange.signal.aborted) send(exchange, page(word, `<p>It is ${word}.</p>${textOf(host + exchange.path)}`));
    };
  const site = (host: string): Site => Object.fromEntries(PATHS.map((path) => [path, answer(host)]));
  return {
    sites: Object.fromEntries(HOSTS.map((host) => [host, site(host)])),
    waiting: () => [...active.values()].reduce((sum, count) => sum + count, 0),
    most: () => most,
    open: () => passage.resolve(),
    close: () => {
      passage = Promise.withResolvers();
    },
  };
}

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await wait(100);
};

test('roles, takeover and cancellation over three processes', { skip, timeout: 120_000 }, async (t) => {
  const { url } = await createDatabase(t);
  const { sites, waiting, most, open, close } = holdingSites();
  const web = await startWeb(sites);
  t.after(() => web.stop());
  const started: RunningProgram[] = [];
  const start = async (role: string): Promise<RunningProgram> => {
    const service = await startService({
      ...web.settings,
      TRAWL_DATABASE_URL: url,
      TRAWL_SECRET: 'a secret of the tests that is long enough',
      TRAWL_API_KEY: 'tr-several-processes-key-0123456789',
      TRAWL_ROLE: role,
    });
    started.push(service);
    return service;
  };
  // Before the database goes.
  const stopAll = () => Promise.all(started.map((service) => service.stop()));
  try {
    const [api, first] = await Promise.all([start('api'), start('worker')]);
    const urls = HOSTS.flatMap((host) => PATHS.map((path) => web.url(host, path)));
    const startBatch = async () => (await api.post<{ id: string }>(BATCH, { urls, maxAge: 0 })).body.id;
    const statusOf = async (id: string) => (await read<JobStatus>(api, `${BATCH}/${id}`)).body;

    const id = await startBatch();
    await until(() => waiting() === urls.length);
    const second = await start('worker');
    await first.kill();
    await until(() => waiting() === 0);
    // The leases of the killed worker end, and the other one asks the sites again.
    await until(() => waiting() === urls.length);
    assert.equal((await statusOf(id)).status, 'scraping');
    open();
    await until(async () => (await statusOf(id)).status !== 'scraping');
    const ended = await statusOf(id);
    assert.equal(ended.status, 'completed');
    assert.equal(ended.completed, urls.length);
    const seen = ended.data.map(({ metadata }) => metadata.sourceURL);
    assert.deepEqual(seen.toSorted(), urls.toSorted(), 'each page once');
    assert.equal(most(), 2, 'no host had more requests at once than it may have at first');

    // Completed means findable, also in the index of the process that has read none of the pages.
    const found = await api.post<{ data: { web: { url: string }[] } }>('/v2/search', { query: 'zebrathree' });
    assert.deepEqual(new Set(found.body.data.web.map((hit) => new URL(hit.url).hostname)), new Set(['three.test']));

    // The sites are in an allowed network, in which the processes are, too.
    const inside = await api.post<{ code: string }>('/v2/scrape', { url: `${second.url}/v0/health/liveness` });
    assert.equal(inside.body.code, 'UNSUPPORTED_SITE', 'no page is read from another process');

    close();
    const again = await startBatch();
    await until(() => waiting() === urls.length);
    assert.equal((await api.fetch(`${BATCH}/${again}`, { method: 'DELETE' })).status, 200);
    await until(() => waiting() === 0);
    assert.equal((await statusOf(again)).status, 'cancelled');
    open();
    assert.equal(await second.stop(), 0);
  } finally {
    await stopAll();
  }
});
