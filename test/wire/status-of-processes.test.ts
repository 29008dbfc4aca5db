// Two processes on one database tell the same about a team, and each tells about both.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hasPostgres, openDatabase } from '../conformance/open-postgres.ts';
import { EXECUTABLE, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { BATCH, cancel, read, until } from '../support/jobs.ts';
import { type RunningProgram, startService } from '../support/service.ts';
import type { Handler } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const KEY = 'tr-status-of-processes-key-0123456789';

describe('the state of two processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  let web: Web;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let services: RunningProgram[] = [];
  before(async () => {
    const hold: Handler = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    [web, database] = await Promise.all([startWeb({ 'held.test': { '/*': hold } }), openDatabase()]);
    const start = (name: string) =>
      startService({
        ...web.settings,
        TRAWL_DATABASE_URL: database.url,
        TRAWL_SECRET: 'a secret of the tests that is long enough',
        TRAWL_API_KEY: KEY,
        TRAWL_MAX_CONCURRENCY: '5',
        TRAWL_BROWSER: EXECUTABLE ?? 'off',
        TRAWL_BROWSER_PAGES: '3',
        TRAWL_PROCESS_NAME: name,
      });
    services = await Promise.all([start('one'), start('two')]);
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([web?.stop(), database?.drop()]);
  });

  const eachSays = (path: string, expected: Record<string, unknown>) =>
    Promise.all(
      services.map((service) =>
        until(
          async () => (await read<Record<string, unknown>>(service, path)).body,
          (body) => Object.entries(expected).every(([name, value]) => body[name] === value),
        ),
      ),
    );

  test('requests and pages of both count, whichever is asked', async () => {
    const leaving = new AbortController();
    const [one, two] = services;
    const scrape = (service: RunningProgram, path: string) => {
      const body = JSON.stringify({ url: web.url('held.test', path), timeout: 60_000 });
      const headers = { 'content-type': 'application/json' };
      service.fetch('/v2/scrape', { method: 'POST', headers, body, signal: leaving.signal }).catch(() => {});
    };
    await eachSays('/v2/concurrency-check', { concurrency: 0, maxConcurrency: 10 });
    for (const path of ['/1', '/2']) scrape(one!, path);
    for (const path of ['/3', '/4', '/5', '/6', '/7', '/8']) scrape(two!, path);
    // The second process runs five, and one waits there.
    await eachSays('/v2/concurrency-check', { concurrency: 7, maxConcurrency: 10 });
    const queue = { jobsInQueue: 8, activeJobsInQueue: 7, waitingJobsInQueue: 1, maxConcurrency: 10 };
    await eachSays('/v2/team/queue-status', queue);

    const urls = ['/a', '/b', '/c'].map((path) => web.url('held.test', path));
    const { id } = (await one!.post<{ id: string }>(BATCH, { urls, maxAge: 0 })).body;
    // A new host has two slots.
    await eachSays('/v2/team/queue-status', { ...queue, jobsInQueue: 11, activeJobsInQueue: 9, waitingJobsInQueue: 2 });
    await cancel(one!, `${BATCH}/${id}`);
    leaving.abort();
    await eachSays('/v2/team/queue-status', { jobsInQueue: 0, activeJobsInQueue: 0, waitingJobsInQueue: 0 });
  });

  interface Asked {
    process: string;
    answered: boolean;
  }
  interface Details {
    processes: { id: string; name: string; isThis: boolean }[];
    storage: { shared: boolean };
  }
  const get = async <T>(service: RunningProgram, path: string) => (await read<T>(service, path)).body;

  test('each lists both, and shows the last hour and the disk of either', async () => {
    for (const [place, service] of services.entries()) {
      const { processes, storage } = await get<Details>(service, '/v0/health/details');
      const own = place === 0 ? 'one' : 'two';
      assert.equal(storage.shared, true);
      assert.deepEqual(processes.map(({ name, isThis }) => [name, isThis]).toSorted(), [
        ['one', own === 'one'],
        ['two', own === 'two'],
      ]);
      for (const path of ['/v2/health/history', '/v2/health/disk']) {
        type Named = { data: { process: { id: string; name: string }; folder?: string } };
        assert.equal((await get<Named>(service, path)).data.process.name, own);
        for (const { id, name } of processes) {
          const { data } = await get<Named>(service, `${path}?process=${id}`);
          assert.deepEqual(data.process, { id, name });
          const { dataDir } = services[name === 'one' ? 0 : 1]!;
          if (data.folder !== undefined) assert.equal(data.folder, dataDir);
        }
        const unknown = await read<{ code: string }>(service, `${path}?process=nobody`);
        assert.deepEqual([unknown.status, unknown.body.code], [404, 'PROCESS_NOT_FOUND']);
      }
    }
  });

  test('browsers of both are listed and killed by either', { skip: NEEDS_BROWSER.skip }, async () => {
    const [one, two] = services;
    interface Browsers {
      data: { maxPages: number; asked: Asked[]; processes: { id: string; kind: string; process: string }[] };
    }
    const browsers = async (service: RunningProgram) => (await get<Browsers>(service, '/v2/health/browsers')).data;
    const opened: Record<string, string> = {};
    for (const [name, service] of [
      ['one', one!],
      ['two', two!],
    ] as const) {
      const { status, body } = await service.post<{ id: string }>('/v2/browser', {});
      assert.equal(status, 200, JSON.stringify(body));
      opened[body.id] = name;
    }
    for (const service of services) {
      // On a busy machine, an answer may take too long.
      const { processes, maxPages } = await until(
        () => browsers(service),
        ({ asked }) => asked.length === 2 && asked.every(({ answered }) => answered),
      );
      const sessions = processes.filter(({ kind }) => kind === 'session');
      assert.deepEqual(Object.fromEntries(sessions.map(({ id, process }) => [id, process])), opened);
      assert.equal(maxPages, 6);
    }
    for (const id of Object.keys(opened)) assert.equal((await cancel(two!, `/v2/health/browsers/${id}`)).status, 200);
    assert.equal((await cancel(two!, '/v2/health/browsers/nobody')).status, 404);
    assert.deepEqual((await browsers(one!)).processes, []);
  });

  test('a process that does not answer is named, until it counts as dead', async () => {
    const [one, two] = services;
    await two!.kill();
    const { data } = await get<{ data: { asked: Asked[] } }>(one!, '/v2/health/browsers');
    assert.deepEqual(data.asked, [
      { process: 'one', answered: true },
      { process: 'two', answered: false },
    ]);
  });
});
