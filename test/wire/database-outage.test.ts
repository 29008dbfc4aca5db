// A process that is cut off from its database says so: it stays alive, is not ready, refuses requests, and comes back by
// itself. It does not start without its database, and it can be stopped without it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createDatabase, hasPostgres } from '../conformance/open-postgres.ts';
import { BATCH, type JobStatus, read } from '../support/jobs.ts';
import { type RunningService, startService } from '../support/service.ts';
import { type Passage, startTcpProxy } from '../support/tcp-proxy.ts';
import { textOf } from '../support/web/crawl-text.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const skip = !hasPostgres && 'PostgreSQL is not installed';
const PATHS = Array.from({ length: 12 }, (_, at) => `/${at}`);

async function startBehindProxy(t: TestContext, settings: Record<string, string> = {}) {
  const { url } = await createDatabase(t);
  const proxy = await startTcpProxy(url);
  const start = () =>
    startService({
      ...settings,
      TRAWL_DATABASE_URL: proxy.url,
      TRAWL_SECRET: 'a secret of the tests that is long enough',
      TRAWL_API_KEY: 'tr-database-outage-key-0123456789',
    });
  return { proxy, start };
}

const statusOf = async (service: RunningService, path: string): Promise<number> => {
  const response = await service.fetch(path);
  await response.arrayBuffer();
  return response.status;
};

const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await wait(100);
};

const answers = (service: RunningService, path: string, status: number) =>
  until(async () => (await statusOf(service, path)) === status);

/** A site whose pages wait until the test lets them pass. */
function holdingSite() {
  let passage = Promise.withResolvers<void>();
  let waiting = 0;
  const site: Site = Object.fromEntries(
    PATHS.map((path) => [
      path,
      async (exchange) => {
        waiting += 1;
        await passage.promise;
        waiting -= 1;
        if (!exchange.signal.aborted) send(exchange, page(path, textOf(path)));
      },
    ]),
  );
  return {
    site,
    waiting: () => waiting,
    open: () => passage.resolve(),
    close: () => {
      passage = Promise.withResolvers();
    },
  };
}

test('a database that is gone, or only silent', { skip, timeout: 200_000 }, async (t) => {
  const { site, waiting, open, close } = holdingSite();
  const web = await startWeb({ 'held.test': site });
  t.after(() => web.stop());
  const { proxy, start } = await startBehindProxy(t, web.settings);
  const service = await start();
  const urls = PATHS.map((path) => web.url('held.test', path));
  try {
    for (const passage of ['refuse', 'reset', 'swallow'] as const) {
      const { body } = await service.post<{ id: string }>(BATCH, { urls, maxAge: 0 });
      await until(() => waiting() > 0);
      proxy.set(passage);
      await assertRefused(service, passage);
      // Pages that are read meanwhile wait to be written.
      open();
      await until(() => waiting() === 0);
      proxy.set('open');
      await answers(service, '/v0/health/readiness', 200);
      await answers(service, '/v2/jobs', 200);
      await assertCompleted(service, body.id, urls);
      close();
    }
  } finally {
    proxy.set('open');
    open();
    await service.stop();
    await proxy.stop();
  }
});

async function assertRefused(service: RunningService, passage: Passage): Promise<void> {
  const refused = await service.fetch('/v2/jobs');
  assert.equal(refused.status, 503, passage);
  assert.equal(((await refused.json()) as { code: string }).code, 'STORAGE_UNAVAILABLE');
  assert.match(refused.headers.get('retry-after')!, /^\d+$/);
  await answers(service, '/v0/health/readiness', 503);
  assert.equal(await statusOf(service, '/v0/health/liveness'), 200);
}

async function assertCompleted(service: RunningService, id: string, urls: string[]): Promise<void> {
  let job: Partial<JobStatus> = {};
  await until(async () => {
    job = (await read<Partial<JobStatus>>(service, `${BATCH}/${id}`)).body;
    // One process may still be cut off when another one is back.
    return job.status !== undefined && job.status !== 'scraping';
  });
  const { status, completed, data = [] } = job;
  assert.deepEqual({ status, completed }, { status: 'completed', completed: urls.length });
  assert.deepEqual(data.map(({ metadata }) => metadata.sourceURL).toSorted(), urls.toSorted(), 'each page once');
}

test('a process is stopped while its database is silent', { skip, timeout: 100_000 }, async (t) => {
  const { site, waiting, open } = holdingSite();
  const web: Web = await startWeb({ 'held.test': site });
  t.after(() => web.stop());
  const { proxy, start } = await startBehindProxy(t, web.settings);
  const service = await start();
  try {
    await service.post(BATCH, { urls: PATHS.map((path) => web.url('held.test', path)), maxAge: 0 });
    await until(() => waiting() > 0);
    proxy.set('swallow');
    const began = performance.now();
    assert.equal(await service.stop(), 0, 'it ends by itself');
    t.diagnostic(`stopped in ${Math.round(performance.now() - began)} ms`);
  } finally {
    proxy.set('open');
    open();
    await proxy.stop();
  }
});

for (const passage of ['refuse', 'swallow'] as const)
  test(`a process whose database begins to ${passage} before the start says so and ends`, { skip }, async (t) => {
    const { proxy, start } = await startBehindProxy(t);
    proxy.set(passage);
    try {
      await assert.rejects(start(), /did not start: The database cannot be used: .*TRAWL_DATABASE_URL/);
    } finally {
      await proxy.stop();
    }
  });
