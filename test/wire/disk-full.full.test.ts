// A full disk: callers get their pages, the cache and the oldest results make room, jobs pause, and everything goes on by
// itself when there is space again.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CRAWL, endedJob, type JobStatus, read, startJob, until } from '../support/jobs.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { mountSmallDisk, noSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const DISK_MB = 40;
const PAGES = 24;
/** Hardly gets smaller when it is compressed, and is nothing to be indexed. */
const ballast = (kilobytes: number) => `<!-- ${randomBytes(kilobytes * 768).toString('base64')} -->`;

interface Health {
  status?: string;
  code?: string;
  error?: string;
}

describe('a full disk', { skip: noSmallDisk }, () => {
  let disk: SmallDisk;
  let web: Web;
  let service: RunningService;
  const gate = Promise.withResolvers<void>();

  const heavy: Site = {
    '/*': (exchange) => send(exchange, page(exchange.path, `<p>A heavy page.</p>${ballast(1_000)}`)),
  };
  const gated: Site = {
    '/': (exchange) => {
      const links = Array.from({ length: PAGES }, (_, number) => `<a href="/page/${number}">Page ${number}</a>`);
      send(exchange, page('Start', `<p>All pages of this site.</p>${links.join(' ')}`));
    },
    '/page/*': async (exchange) => {
      await gate.promise;
      send(exchange, page(`Page ${exchange.tail}`, `<p>quokka${exchange.tail}</p>${ballast(300)}`));
    },
  };

  before(async () => {
    disk = await mountSmallDisk(DISK_MB);
    web = await startWeb({ 'heavy.test': heavy, 'gated.test': gated });
    const settings = { TRAWL_DATA_DIR: disk.folder, TRAWL_MIN_FREE_MB: '0', TRAWL_SEARCH_PROVIDERS: 'index' };
    service = await startServiceWith(web, settings, { command: disk.command });
    await until(async () => existsSync(join(disk.seenFromHere, 'reserve')), Boolean);
  });
  after(async () => {
    gate.resolve();
    await service?.stop();
    await web?.stop();
    await disk?.close();
  });

  const readiness = () => read<Health>(service, '/v0/health/readiness');
  const scrape = (path: string) =>
    service.scrape<{ success: boolean; warning?: string; data: { rawHtml: string; metadata: { scrapeId: string } } }>({
      url: web.url('heavy.test', path),
      formats: ['rawHtml'],
      maxAge: 0,
    });

  const stillFull = <T>(ask: () => Promise<T>, isDone: (seen: T) => boolean): Promise<T> =>
    until(() => {
      disk.fill();
      return ask();
    }, isDone);

  test('the least recently used pages and the oldest results make room, and nobody notices', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 50; number++) {
      const { status, body } = await scrape(`/${number}`);
      assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
      assert.equal(body.warning, undefined, `page ${number}`);
      ids.push(body.data.metadata.scrapeId);
    }
    assert.deepEqual((await readiness()).body, { status: 'ok' });
    assert.equal((await read(service, `/v2/scrape/${ids.at(-1)}`)).status, 200);
    assert.equal((await read(service, `/v2/scrape/${ids[0]}`)).status, 404, 'more was kept than fits on the disk');
  });

  test('jobs pause and then complete with every page, and scrapes are answered with a warning', async () => {
    const job = await startJob(service, CRAWL, {
      url: web.url('gated.test'),
      limit: 100,
      scrapeOptions: { formats: ['rawHtml'] },
    });
    await until(
      async () => web.requests('gated.test', '/page/0') + web.requests('gated.test', '/page/1'),
      (requests) => requests > 0,
    );
    gate.resolve();
    const { body: health } = await stillFull(readiness, ({ status }) => status === 503);
    assert.equal(health.code, 'STORAGE_UNAVAILABLE');
    assert.match(health.error ?? '', /because the disk is full/);
    assert.deepEqual((await read(service, '/v0/health/liveness')).body, { status: 'ok' });

    // What can be given up is given up first, so it takes a moment until nothing fits any more.
    const kept = await stillFull(
      () => scrape('/not-kept'),
      ({ body }) => body.warning !== undefined,
    );
    assert.equal(kept.status, 200);
    assert.match(kept.body.data.rawHtml, /A heavy page/);
    assert.match(kept.body.warning ?? '', /could not be stored/);
    const form = new FormData();
    form.set('file', new Blob([ballast(1_000)]), 'page.html');
    const refused = await stillFull(
      () => service.fetch('/v2/parse', { method: 'POST', body: form }),
      ({ status }) => status !== 200,
    );
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [503, 'STORAGE_UNAVAILABLE']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const paused = (await read<JobStatus>(service, `${CRAWL}/${job}`)).body;
    assert.equal(paused.status, 'scraping');
    assert.ok(paused.completed <= PAGES);

    disk.free();
    await until(readiness, (seen) => seen.status === 200);
    const ended = await endedJob(service, CRAWL, job);
    assert.equal(ended.status.status, 'completed');
    assert.deepEqual(ended.problems, { success: true, errors: [], robotsBlocked: [] });
    const found = ended.documents.map(({ metadata }) => new URL(metadata.sourceURL).pathname).sort();
    const all = ['/', ...Array.from({ length: PAGES }, (_, number) => `/page/${number}`)].sort();
    assert.deepEqual(found, all);
    for (const path of all) assert.equal(web.requests('gated.test', path), 1, `${path} was fetched more than once`);
    assert.ok(ended.documents.every(({ warning }) => warning === undefined));

    const searched = await until(
      () => service.post<{ data?: { web?: { url: string }[] } }>('/v2/search', { query: 'quokka7' }),
      ({ body }) => (body.data?.web?.length ?? 0) > 0,
    );
    assert.deepEqual(
      searched.body.data?.web?.map(({ url }) => url),
      [web.url('gated.test', '/page/7')],
    );
    // What was answered while nothing could be written is billed later.
    const usage = await until(
      () => read<{ data: { id: string; endpoint: string }[] }>(service, '/v2/team/activity?limit=100'),
      ({ body }) => body.data.some(({ id }) => id === kept.body.data.metadata.scrapeId),
    );
    assert.equal(usage.status, 200);
    assert.equal((await scrape('/kept-again')).body.warning, undefined);
  });
});
