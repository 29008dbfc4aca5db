// What a service has promised (results, jobs, keys, uploads, cached pages), and tests that it holds when somebody sets the clock
// of the machine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type JumpingService, startJumpingService } from './clocked-service.ts';
import { BATCH, cancel, read, runBatch, startJob, until } from './jobs.ts';
import type { RunningService } from './service.ts';
import { page, type Site, send } from './web/reply.ts';
import { startWeb, type Web } from './web.ts';

const DAY = 86_400_000;
const JUMPS = { 'a day forward': DAY, 'a day back': -DAY };

interface Promised {
  scrapeId: string;
  batchId: string;
  runningId: string;
  /** Unique for each set of promises. */
  name: string;
  /** Addresses for files; each can be used once. */
  uploads: string[];
}

let gate: PromiseWithResolvers<void>;
const site: Site = {
  '/held/*': async (exchange) => {
    await gate.promise;
    send(exchange, page('Held back'));
  },
  '/page/*': (exchange) => send(exchange, page(`Page ${exchange.tail}`)),
};

let web: Web;

/** The tests of one jump. */
export function describeJump(direction: keyof typeof JUMPS, mode: 'while it runs' | 'while it is stopped'): void {
  const jump = JUMPS[direction];
  describe(`the wall clock is set ${direction} ${mode}`, () => {
    let service: JumpingService;
    let client: RunningService;
    before(async () => {
      web = await startWeb({ 'clock.test': site });
      service = await startJumpingService(web);
      client = clientOf(service);
      gate = Promise.withResolvers();
    });
    after(async () => {
      gate.resolve();
      await service?.remove();
      await web?.stop();
    });
    const setClock = async (ms: number) => {
      service.jump(ms);
      if (mode === 'while it is stopped') await service.restart();
    };

    test('results, jobs, keys, uploads and cached pages outlive it, and so do those of the wrong time', async () => {
      const name = `${direction}-${mode}`.replaceAll(' ', '-');
      const early = await promise(client, `${name}-early`);
      await setClock(jump);
      await sweep(client);
      await checkPromises(client, early);
      const late = await promise(client, `${name}-late`);
      await setClock(-jump);
      await sweep(client);
      await checkPromises(client, early);
      await checkPromises(client, late);
      gate.resolve();
      for (const { runningId } of [early, late]) {
        const ask = () => read(client, `${BATCH}/${runningId}`);
        const { body } = await until(ask, (answer) => answer.body.status !== 'scraping');
        assert.deepEqual([body.status, body.completed], ['completed', 1]);
      }
      // A lease that was lost would have sent its page again.
      if (mode === 'while it runs') {
        for (const promised of [early, late]) assert.equal(web.requests('clock.test', `/held/${promised.name}`), 1);
      }
    });
  });
}

async function promise(client: RunningService, name: string): Promise<Promised> {
  const url = web.url('clock.test', `/page/${name}`);
  const { body: scraped } = await client.post<{ data: { metadata: { scrapeId: string } } }>('/v2/scrape', { url });
  const batch = await runBatch(client, { urls: [url] });
  const running = await startJob(client, BATCH, { urls: [web.url('clock.test', `/held/${name}`)] });
  await until(
    async () => web.requests('clock.test', `/held/${name}`),
    (requests) => requests > 0,
  );
  assert.equal((await useKey(client, name)).status, 200);
  const uploads = [await uploadAddress(client), await uploadAddress(client)];
  const { scrapeId } = scraped.data.metadata;
  return { scrapeId, batchId: batch.id, runningId: running, name, uploads };
}

async function checkPromises(client: RunningService, promised: Promised): Promise<void> {
  const { scrapeId, batchId, runningId, name, uploads } = promised;
  assert.equal((await read(client, `/v2/scrape/${scrapeId}`)).status, 200, 'the scrape');
  const batch = await read(client, `${BATCH}/${batchId}`);
  assert.deepEqual([batch.status, batch.body.status, batch.body.completed], [200, 'completed', 1], 'the batch');
  assert.equal((await read(client, `${BATCH}/${runningId}`)).body.status, 'scraping', 'the running batch');
  assert.equal((await useKey(client, name)).status, 409, 'the idempotency key');
  const before = web.requests('clock.test', `/page/${name}`);
  const copy = await client.post('/v2/scrape', { url: web.url('clock.test', `/page/${name}`), maxAge: 3_600_000 });
  assert.equal(copy.status, 200);
  assert.equal(web.requests('clock.test', `/page/${name}`), before, 'the cached page');
  const upload = await client.fetch(uploads.pop()!, { method: 'PUT', body: 'a,b\n1,2\n' });
  assert.equal(upload.status, 200, 'the upload');
}

async function uploadAddress(client: RunningService): Promise<string> {
  const { body } = await client.post<{ data: { uploadUrl: string } }>('/v2/parse/upload-url', { filename: 'a.csv' });
  const { pathname, search } = new URL(body.data.uploadUrl);
  return pathname + search;
}

const useKey = (client: RunningService, key: string): Promise<Response> =>
  client.fetch(BATCH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
    body: JSON.stringify({ urls: [web.url('clock.test', '/page/key')] }),
  });

/** Removes what has expired: the end of a job of which nothing may be kept does so at once. */
async function sweep(client: RunningService): Promise<void> {
  const request = { urls: [web.url('clock.test', '/held/swept')], zeroDataRetention: true };
  await cancel(client, `${BATCH}/${await startJob(client, BATCH, request)}`);
}

function clientOf(service: JumpingService): RunningService {
  const call = (path: string, init?: RequestInit) => fetch(new URL(path, service.url), init);
  return {
    fetch: call,
    async post(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json' };
      const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  } as RunningService;
}
