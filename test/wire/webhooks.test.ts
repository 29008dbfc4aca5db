// Webhooks of the whole service: what a receiver gets, in which order, signed, and only the events it wants.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe } from 'node:test';
import { fullTest, test } from '../support/full-run.ts';
import { BATCH, CRAWL, cancel, type JobDocument, read, runBatch, runCrawl, startJob, until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { type Received, readReceived } from '../support/web/hooks.ts';
import { WEBHOOK_SECRET as SECRET, SHARED_SETTINGS } from '../support/wire/settings.ts';

const scene = useService(SHARED_SETTINGS);

interface Call {
  success: boolean;
  type: string;
  id: string;
  webhookId: string;
  data: JobDocument[];
  metadata?: Record<string, unknown>;
  error?: string;
}

const hook = (name: string) => scene.web.url('hooks.test', `/hook/${name}`);
const bodies = (received: Received[]): Call[] => received.map(({ body }) => JSON.parse(body) as Call);
const article = (number: number) => scene.web.url('load.test', `/article/${number}`);

/** The calls received under a name, once the last one has arrived. */
const receivedUntil = (name: string, last: string): Promise<Received[]> =>
  until(
    () => readReceived(scene.web, name),
    (received) => bodies(received).at(-1)?.type === last,
  );

test('a crawl reports its start, each page and its completion, in this order and signed', async () => {
  const { id, documents } = await runCrawl(scene.service, {
    url: scene.web.url('docs.test', '/blog'),
    limit: 5,
    webhook: hook('crawl'),
  });
  const received = await receivedUntil('crawl', 'crawl.completed');
  const calls = bodies(received);
  assert.deepEqual(
    calls.map(({ type }) => type),
    ['crawl.started', ...Array(5).fill('crawl.page'), 'crawl.completed'],
  );
  assert.ok(calls.every((call) => call.success && call.id === id && call.error === undefined));
  assert.equal(new Set(calls.map(({ webhookId }) => webhookId)).size, calls.length);
  assert.deepEqual(
    calls.flatMap(({ data }) => data),
    documents,
  );
  for (const { method, headers, body } of received) {
    assert.deepEqual([method, headers['content-type']], ['POST', 'application/json']);
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    assert.equal(headers['x-firecrawl-signature'], `sha256=${signature}`);
  }
});

test('a batch does the same under its own name', async () => {
  const { id, documents } = await runBatch(scene.service, {
    urls: [article(1), article(2)],
    webhook: { url: hook('batch') },
  });
  const calls = bodies(await receivedUntil('batch', 'batch_scrape.completed'));
  assert.deepEqual(
    calls.map(({ type }) => type),
    ['batch_scrape.started', 'batch_scrape.page', 'batch_scrape.page', 'batch_scrape.completed'],
  );
  assert.ok(calls.every((call) => call.id === id));
  assert.deepEqual(
    calls.flatMap(({ data }) => data),
    documents,
  );
});

fullTest('an agent reports its start, its actions and its result; an extraction its start and its result', async () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const asked = { urls: [article(1)], prompt: 'The title of the article', schema, strictConstrainToURLs: true };
  const start = async (path: string, name: string) => {
    const { body } = await scene.service.post<{ id: string }>(path, { ...asked, webhook: hook(name) });
    return body.id;
  };
  const ids = [await start('/v2/agent', 'agent'), await start('/v2/extract', 'extract')];
  const agent = bodies(await receivedUntil('agent', 'agent.completed'));
  const extract = bodies(await receivedUntil('extract', 'extract.completed'));
  assert.deepEqual([agent[0]!.type, extract.map(({ type }) => type)], ['agent.started', EXTRACTED]);
  const actions = agent.slice(1, -1);
  assert.ok(actions.length > 0 && actions.every(({ type }) => type === 'agent.action'));
  const { action, input, creditsUsed } = actions[0]!.data[0] as unknown as Record<string, unknown>;
  assert.deepEqual([typeof action, typeof input, Number.isInteger(creditsUsed)], ['string', 'object', true]);
  assert.ok(agent.every(({ id, success }) => id === ids[0] && success));
  const [found] = extract.at(-1)!.data as unknown as Record<string, unknown>[];
  assert.deepEqual([found!.success, found!.extractId, found!.totalUrlsScraped], [true, ids[1], 1]);
});

const EXTRACTED = ['extract.started', 'extract.completed'];

test('every call has the metadata and headers of the webhook, which cannot replace ours', async () => {
  const metadata = { order: 17, owner: { name: 'Ada' } };
  const headers = { 'X-Harbour': 'north', 'Content-Type': 'text/plain', 'X-Firecrawl-Signature': 'mine' };
  await runBatch(scene.service, { urls: [article(3)], webhook: { url: hook('own'), headers, metadata } });
  const received = await receivedUntil('own', 'batch_scrape.completed');
  assert.equal(received.length, 3);
  for (const { headers: sent, body } of received) {
    assert.equal(sent['x-harbour'], 'north');
    assert.equal(sent['content-type'], 'application/json');
    assert.match(String(sent['x-firecrawl-signature']), /^sha256=[0-9a-f]{64}$/);
    assert.deepEqual((JSON.parse(body) as Call).metadata, metadata);
  }
});

describe('events', { concurrency: true }, () => {
  /** The types of the calls of a small crawl with this filter, once the last one has arrived. */
  const typesWith = async (name: string, events: string[], last: string) => {
    const url = scene.web.url('docs.test', '/list');
    await runCrawl(scene.service, { url, limit: 2, webhook: { url: hook(name), events } });
    return bodies(await receivedUntil(name, last)).map(({ type }) => type);
  };

  test('can be chosen by their short names', async () => {
    const types = await typesWith('short', ['completed', 'page'], 'crawl.completed');
    assert.deepEqual(types, ['crawl.page', 'crawl.page', 'crawl.completed']);
  });

  test('can be chosen by their full names', async () => {
    const types = await typesWith('full', ['crawl.started', 'crawl.completed'], 'crawl.completed');
    assert.deepEqual(types, ['crawl.started', 'crawl.completed']);
  });
});

test('a failed page is reported with its error', async () => {
  const url = scene.web.url('flawed.test', '/picture/1');
  const { problems } = await runBatch(scene.service, {
    urls: [url],
    webhook: { url: hook('failed'), events: ['page', 'completed'] },
  });
  const [page, completed] = bodies(await receivedUntil('failed', 'batch_scrape.completed'));
  const { id, error } = problems.errors[0]!;
  assert.deepEqual([page!.type, page!.success, page!.error], ['batch_scrape.page', false, error]);
  const [{ metadata } = assert.fail(), ...more] = page!.data;
  assert.deepEqual([metadata.sourceURL, metadata.error, metadata.scrapeId, more], [url, error, id, []]);
  // The batch as a whole succeeded.
  assert.deepEqual([completed!.type, completed!.success], ['batch_scrape.completed', true]);
});

test('a cancelled job reports that last', async () => {
  for (const [path, request, kind] of [
    [CRAWL, { url: scene.web.url('fault.test', '/stalled-headers') }, 'crawl'],
    [BATCH, { urls: [scene.web.url('fault.test', '/stalled-headers')] }, 'batch_scrape'],
  ] as const) {
    const id = await startJob(scene.service, path, { ...request, webhook: hook(`cancelled-${kind}`) });
    await cancel(scene.service, `${path}/${id}`);
    const [started, cancelled, ...more] = bodies(await receivedUntil(`cancelled-${kind}`, `${kind}.cancelled`));
    assert.deepEqual([started!.type, started!.success, started!.data], [`${kind}.started`, true, []]);
    assert.deepEqual([cancelled!.success, cancelled!.data], [false, []]);
    assert.match(cancelled!.error!, /cancelled/);
    assert.deepEqual(more, []);
  }
});

test('a failing receiver delays neither the job nor the calls to others', async () => {
  const gone = await runBatch(scene.service, {
    urls: [article(4)],
    webhook: scene.web.url('hooks.test', '/gone/gone'),
  });
  assert.equal(gone.status.status, 'completed');
  await runBatch(scene.service, { urls: [article(4)], webhook: hook('beside') });
  await receivedUntil('beside', 'batch_scrape.completed');
  // The next attempt comes after a minute, and no later call overtakes it.
  assert.deepEqual(
    bodies(await readReceived(scene.web, 'gone')).map(({ type }) => type),
    ['batch_scrape.started'],
  );
});

test('a call does not follow redirects', async () => {
  await runBatch(scene.service, { urls: [article(5)], webhook: scene.web.url('hooks.test', '/redirect/moved') });
  const received = await until(
    () => readReceived(scene.web, 'moved'),
    (calls) => calls.length > 0,
  );
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/redirect/moved'],
  );
  assert.equal((await read(scene.service, '/v2/crawl/active')).status, 200);
});
