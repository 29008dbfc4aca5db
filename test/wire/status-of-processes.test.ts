// Two processes on one database tell the same about a team, and each tells about both.
import { after, before, describe, test } from 'node:test';
import { hasPostgres, openDatabase } from '../conformance/open-postgres.ts';
import { BATCH, cancel, read, until } from '../support/jobs.ts';
import { type RunningService, startService } from '../support/service.ts';
import type { Handler } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const KEY = 'tr-status-of-processes-key-0123456789';

describe('the state of two processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  let web: Web;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let services: RunningService[] = [];
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
    const scrape = (service: RunningService, path: string) => {
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
});
