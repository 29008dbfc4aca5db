// The log of webhook calls over HTTP: a receiver that fails, sending again after a restart, and who may do that.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type {
  DeliveryResponse,
  ShownDelivery,
  TestWebhookResponse,
} from '../../src/contracts/webhooks/webhook-deliveries.ts';
import { until } from '../support/jobs.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { addTeams } from '../support/team-with.ts';
import { readReceived } from '../support/web/hooks.ts';
import { startWeb, type Web } from '../support/web.ts';

const SECRET = 'path-secret-574cebfe63a0';
const DELIVERIES = '/v2/webhooks/deliveries';

let web: Web;
let service: RunningService;
let folder: string;
let settings: Record<string, string>;
/** A plain key and a restricted one of the team `acme`, and a key of the team `other`. */
let keys: string[];

before(async () => {
  web = await startWeb();
  folder = await mkdtemp(join(tmpdir(), 'trawl-deliveries-'));
  settings = {
    TRAWL_DATA_DIR: join(folder, 'data'),
    TRAWL_API_KEY: 'the-operator',
    TRAWL_TEAM_FEATURES: 'threat-protection,zdr',
  };
  service = await startServiceHereWith(web, settings);
  keys = await addTeams(service.dataDir, [
    { name: 'acme' },
    { name: 'acme', limits: { operations: ['crawl'] } },
    { name: 'other' },
  ]);
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

type Body<Data> = {
  success: boolean;
  code?: string;
  error?: string;
  data: Data;
  cursor: string | null;
  has_more: boolean;
};

async function call<Data>(method: string, path: string, sent?: object, key = keys[0]!) {
  const response = await service.fetch(path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(sent && { 'content-type': 'application/json' }) },
    ...(sent && { body: JSON.stringify(sent) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Body<Data> };
}

const list = async (query = '', key?: string) =>
  (await call<ShownDelivery[]>('GET', `${DELIVERIES}${query}`, undefined, key)).body;
const show = async (id: string) => (await call<DeliveryResponse['data']>('GET', `${DELIVERIES}/${id}`)).body.data;
const resend = (id: string, key?: string) => call<ShownDelivery>('POST', `${DELIVERIES}/${id}/resend`, undefined, key);
const tryUrl = async (url: string, headers = {}) =>
  (await call<TestWebhookResponse['data']>('POST', '/v2/webhooks/test', { url, headers })).body;
const hook = (path: string) => web.url('hooks.test', path);

async function startBatch(webhook: object | string, more: object = {}): Promise<string> {
  const urls = [web.url('load.test', '/article/1')];
  const { status, body } = await call('POST', '/v2/batch/scrape', { urls, webhook, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return (body as unknown as { id: string }).id;
}

const listedUntil = (jobId: string, isDone: (listed: ShownDelivery[]) => boolean) =>
  until(async () => (await list(`?jobId=${jobId}`)).data, isDone);
const typesAt = async (name: string) =>
  (await readReceived(web, name)).map(({ body }) => JSON.parse(body).type as string);
const idsAt = async (name: string) =>
  (await readReceived(web, name)).map(({ body }) => JSON.parse(body).webhookId as string);

test('a call that failed is sent at once when asked for, also after a restart, and the others follow in order', async () => {
  const headers = { 'X-Token': SECRET };
  const id = await startBatch({ url: `${hook(`/flaky/moody/1`)}?token=${SECRET}`, headers });
  const failed = await listedUntil(id, (listed) => listed.length === 3 && listed[2]!.attempts === 1);
  assert.deepEqual(
    failed.map(({ event, status }) => [event, status]),
    [
      ['batch_scrape.completed', 'waiting'],
      ['batch_scrape.page', 'waiting'],
      ['batch_scrape.started', 'waiting'],
    ],
  );
  const first = failed[2]!;
  assert.equal(first.statusCode, 500);
  assert.equal(first.error, 'The receiver answered with status 500.');
  assert.ok(Date.parse(first.nextAt!) > Date.parse(first.triedAt!));
  assert.equal(first.url, `${hook('/flaky/moody/1')}?token=***`);
  assert.deepEqual((await show(first.id)).headerNames, ['X-Token']);

  await service.stop();
  service = await startServiceHereWith(web, settings);
  assert.deepEqual((await list(`?jobId=${id}`)).data, failed);
  // The last one: those before it are sent first.
  const { status, body } = await resend(failed[0]!.id);
  assert.deepEqual([status, body.data.status], [200, 'waiting']);
  const delivered = await listedUntil(id, (listed) => listed.every((one) => one.status === 'delivered'));
  assert.deepEqual(await typesAt('moody'), [
    'batch_scrape.started',
    'batch_scrape.started',
    'batch_scrape.page',
    'batch_scrape.completed',
  ]);
  const [{ attempts, statusCode, error, nextAt, size } = assert.fail()] = delivered.slice(2);
  assert.deepEqual(
    { attempts, statusCode, error, nextAt },
    { attempts: 2, statusCode: 204, error: null, nextAt: null },
  );
  assert.equal(size, Buffer.byteLength((await show(first.id)).body!));
  assert.equal((await readReceived(web, 'moody'))[3]!.headers['x-token'], SECRET);
  for (const { id: one } of delivered) assert.ok(!(await call('GET', `${DELIVERIES}/${one}`)).text.includes(SECRET));
  assert.ok(!JSON.stringify(await list()).includes(SECRET));
});

test('a delivered call can be sent again, and its receiver recognises it', async () => {
  const id = await startBatch(hook('/hook/again'));
  const [, page] = await listedUntil(
    id,
    (listed) => listed.length === 3 && listed.every((one) => one.status === 'delivered'),
  );
  const shown = await show(page!.id);
  assert.equal(shown.bodyTruncated, false);
  assert.equal((await readReceived(web, 'again'))[1]!.body, shown.body);
  assert.equal((await resend(page!.id)).status, 200);
  const received = await until(
    () => idsAt('again'),
    (ids) => ids.length === 4,
  );
  assert.equal(received[3], page!.webhookId);
  assert.equal((await readReceived(web, 'again'))[3]!.body, shown.body);
});

test('lists have filters and pages', async () => {
  await until(
    async () => (await list('?status=waiting')).data.length,
    (count) => count === 0,
  );
  assert.deepEqual((await list('?status=failed')).data, []);
  const all = (await list('?limit=100')).data;
  assert.equal(all.length, 6);
  const start = await list('?limit=4&status=delivered');
  assert.deepEqual([start.data.length, start.has_more], [4, true]);
  const rest = await list(`?limit=4&status=delivered&cursor=${start.cursor}`);
  assert.deepEqual([rest.data.length, rest.has_more, rest.cursor], [2, false, null]);
  assert.deepEqual([...start.data, ...rest.data], all);
  for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?status=lost'])
    assert.equal((await call('GET', `${DELIVERIES}${query}`)).status, 400, query);
});

test('other teams and restricted keys have no access', async () => {
  const [{ id } = assert.fail()] = (await list()).data;
  const [, restricted, other] = keys as [string, string, string];
  assert.deepEqual((await list('', other)).data, []);
  for (const path of [`${DELIVERIES}/${id}`, `${DELIVERIES}/0`, `${DELIVERIES}/x`, `${DELIVERIES}/9999999999999999`]) {
    const { status, body } = await call('GET', path, undefined, other);
    assert.deepEqual([status, body.code], [404, 'DELIVERY_NOT_FOUND'], path);
  }
  assert.equal((await resend(id, other)).status, 404);
  const refused = await resend(id, restricted);
  assert.deepEqual([refused.status, refused.body.code], [403, 'KEY_RESTRICTED']);
  assert.equal((await call('GET', DELIVERIES, undefined, restricted)).status, 403);
});

test('a job with zero data retention leaves no record', async () => {
  const id = await startBatch(hook('/hook/zero'), { zeroDataRetention: true });
  await until(
    () => typesAt('zero'),
    (types) => types.length === 3,
  );
  assert.deepEqual(await listedUntil(id, (listed) => listed.length === 0), []);
});

test('a receiver is tried with an event that says it is a test', async () => {
  const { data } = await tryUrl(hook('/hook/tried'), { 'X-Mine': 'yes' });
  const { durationMs, webhookId, ...rest } = data;
  assert.deepEqual(rest, { delivered: true, statusCode: 200, error: null, signed: false });
  assert.ok(durationMs >= 0);
  const [{ headers, body } = assert.fail(), ...more] = await readReceived(web, 'tried');
  assert.deepEqual(
    [JSON.parse(body).type, JSON.parse(body).webhookId, headers['x-mine'], more],
    ['webhook.test', webhookId, 'yes', []],
  );
  const broken = (await tryUrl(hook('/gone/tried'))).data;
  assert.deepEqual(
    [broken.delivered, broken.statusCode, broken.error],
    [false, 500, 'The receiver answered with status 500.'],
  );
  assert.equal((await tryUrl('http://192.168.0.1/hook')).code, 'UNSUPPORTED_SITE');
  assert.equal((await tryUrl('nonsense')).code, 'BAD_REQUEST');
});

test('the threat policy of the team decides again when a call is sent again', async () => {
  const policy = { mode: 'manual-only', blacklist: ['hooks.test'] };
  assert.equal((await call('PUT', '/v2/team/threat-protection', policy)).status, 200);
  const [{ id } = assert.fail()] = (await list()).data;
  const { status, body } = await resend(id);
  assert.deepEqual([status, body.code], [403, 'unsafe_domain_blocked']);
  assert.equal((await tryUrl(hook('/hook/tried'))).code, 'unsafe_domain_blocked');
  await call('PUT', '/v2/team/threat-protection', { mode: 'off' });
});
