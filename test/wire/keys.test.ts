// Keys as clients and operators see them: what a restricted key answers, managing keys and teams, and how a key ends.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Firecrawl } from 'firecrawl';
import { WebSocket } from 'ws';
import { openKeyRing } from '../../src/compose/commands/keys.ts';
import { readConfig } from '../../src/config/settings.ts';
import type { KeyView, TeamView } from '../../src/contracts/team/keys.ts';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { storeSettings } from '../support/engines.ts';
import { until } from '../support/jobs.ts';
import { startWeb, type Web } from '../support/web.ts';

const OPERATOR = 'operators-own-key';
const DAY_MS = 24 * 3_600_000;
const UNKNOWN = '0190a0b0-0000-7000-8000-000000000000';

let web: Web;
let service: ClockedService;

before(async () => {
  web = await startWeb();
  service = await startClockedService(web, {
    TRAWL_AUTH: 'required',
    TRAWL_API_KEY: OPERATOR,
    TRAWL_TRUSTED_PROXIES: '127.0.0.1',
  });
});
after(async () => {
  await service?.remove();
  await web?.stop();
});

interface Answer<T> {
  status: number;
  body: T & { success: boolean; code?: string; error?: string };
}
type NewKey = KeyView & { key: string };

async function call<T = object>(key: string, route: string, body?: object, from?: string): Promise<Answer<T>> {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(from && { 'x-forwarded-for': from }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer<T>['body'] };
}

/** What the operator gets, which must be an answer. */
async function manage<T>(route: string, body?: object, key = OPERATOR): Promise<T> {
  const answer = await call<{ data: T }>(key, route, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.data;
}
const teamNamed = (name: string, settings = {}) => manage<TeamView>('POST /v2/teams', { name, ...settings });
const keyOf = (team: TeamView, request = {}) => manage<NewKey>(`POST /v2/teams/${team.id}/keys`, request);
const refused = (code: string, status: number, error: string) => ({ status, body: { success: false, code, error } });
const blocked = (text: string) => refused('KEY_RESTRICTED', 403, `Request blocked: ${text}`);

describe('a restricted key', () => {
  let team: TeamView;
  before(async () => {
    team = await teamNamed('restricted', { plan: 'unlimited' });
  });
  const with_ = async (limits: object) => (await keyOf(team, { limits })).key;
  const page = () => web.url('news.test', '/article/1');

  test('makes only the calls of its operations, and those about its team', async () => {
    const key = await with_({ operations: ['scrape'] });
    assert.equal((await call(key, 'POST /v2/scrape', { url: page() })).status, 200);
    const crawl =
      'this API key is restricted to the following operations: scrape. Requested operation not allowed: crawl.';
    assert.deepEqual(await call(key, 'POST /v2/crawl', { url: page() }), blocked(crawl));
    assert.deepEqual(await call(key, `GET /v2/crawl/${UNKNOWN}`), blocked(crawl));
    assert.deepEqual(await call(key, `DELETE /v2/crawl/${UNKNOWN}`), blocked(crawl));
    for (const path of ['/v2/team/credit-usage', '/v2/team/activity', '/v2/concurrency-check'])
      assert.equal((await call(key, `GET ${path}`)).status, 200, path);
  });

  test('requests only its formats, and the public client shows why not', async () => {
    const key = await with_({ formats: ['markdown'] });
    assert.equal((await call(key, 'POST /v2/scrape', { url: page() })).status, 200);
    const text =
      'this API key is restricted to the following formats: markdown. Requested formats not allowed: rawHtml.';
    assert.deepEqual(await call(key, 'POST /v2/scrape', { url: page(), formats: ['rawHtml'] }), blocked(text));
    assert.deepEqual(
      await call(key, 'POST /v2/scrape', { url: page(), actions: [{ type: 'executeJavascript', script: '1' }] }),
      blocked(
        'this API key is restricted to the following formats: markdown. Requested actions not allowed: executeJavascript.',
      ),
    );
    const client = new Firecrawl({ apiKey: key, apiUrl: service.url });
    await assert.rejects(client.scrape(page(), { formats: ['rawHtml'] }), (error: Error) => {
      assert.ok(error.message.includes(`Request blocked: ${text}`), error.message);
      return true;
    });
  });

  test('fetches only from its domains', async () => {
    const key = await with_({ domains: ['news.test', '*.docs.test'] });
    assert.equal((await call(key, 'POST /v2/scrape', { url: page() })).status, 200);
    const text =
      'this API key is restricted to the following domains: news.test, *.docs.test. Requested domains not allowed: error.test.';
    assert.deepEqual(
      await call(key, 'POST /v2/batch/scrape', { urls: [page(), web.url('error.test', '/404')] }),
      blocked(text),
    );
    assert.deepEqual(await call(key, 'POST /v2/map', { url: web.url('error.test', '/') }), blocked(text));
  });

  test('follows no redirect out of its domains, and neither do the jobs that it starts', async () => {
    const { key, id } = await keyOf(team, { limits: { domains: ['redirect.test'] } });
    const url = web.url('redirect.test', '/cross-host');
    const text =
      'this API key is restricted to the following domains: redirect.test. Requested domains not allowed: other.test.';
    assert.deepEqual(await call(key, 'POST /v2/scrape', { url, maxAge: 0 }), blocked(text));
    const { body: job } = await call<{ id: string }>(key, 'POST /v2/batch/scrape', { urls: [url], maxAge: 0 });
    // What the job may do does not depend on whether its key still exists.
    await manage(`DELETE /v2/teams/${team.id}/keys/${id}`);
    const other = (await keyOf(team)).key;
    await watchToTheEnd(other, job.id);
    const { body } = await call<{ errors: { error: string }[] }>(other, `GET /v2/batch/scrape/${job.id}/errors`);
    assert.deepEqual(
      body.errors.map(({ error }) => error),
      [`Request blocked: ${text}`],
    );
  });

  test('is used only from its networks, as the trusted proxy reports them, by sockets too', async () => {
    const key = await with_({ networks: ['203.0.113.0/24', '2001:db8::/32'] });
    const usage = (from?: string) => call(key, 'GET /v2/team/credit-usage', undefined, from);
    for (const from of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1'])
      assert.equal((await usage(from)).status, 200, from);
    const text = (whose: string, address: string) =>
      `Request blocked: this ${whose} does not allow requests from the address ${address}. Send it from an allowed network, or ask who manages the ${whose} to allow this one.`;
    assert.deepEqual(await usage('198.51.100.1'), refused('NETWORK_NOT_ALLOWED', 403, text('API key', '198.51.100.1')));
    assert.deepEqual(await usage(), refused('NETWORK_NOT_ALLOWED', 403, text('API key', '127.0.0.1')));
    const { code, reason } = await watchToTheEnd(key, UNKNOWN);
    assert.equal(code, 1008);
    assert.ok(reason.length > 100 && text('API key', '127.0.0.1').startsWith(reason), reason);

    const closed = await teamNamed('closed', { networks: ['10.0.0.0/8'] });
    const inside = (await keyOf(closed)).key;
    assert.equal((await call(inside, 'GET /v2/team/credit-usage', undefined, '10.1.2.3')).status, 200);
    assert.deepEqual(
      await call(inside, 'GET /v2/team/credit-usage', undefined, '203.0.113.7'),
      refused('NETWORK_NOT_ALLOWED', 403, text('team', '203.0.113.7')),
    );
  });

  test('manages neither keys nor itself', async () => {
    const text =
      'this API key is restricted, so it cannot manage keys or teams. Use a key of your team without limits and without an expiry.';
    for (const request of [{ limits: { operations: ['scrape'] } }, { expiresInDays: 1 }]) {
      const { key, id } = await keyOf(team, request);
      assert.deepEqual(await call(key, 'GET /v2/team/keys'), blocked(text));
      assert.deepEqual(await call(key, 'POST /v2/team/keys', {}), blocked(text));
      assert.deepEqual(await call(key, `PATCH /v2/team/keys/${id}`, { limits: {} }), blocked(text));
    }
    const refusals = () => manage<{ target: string }[]>(`GET /v2/team/audit?action=key.refused&team=${team.id}`);
    await until(refusals, (events) => events.some(({ target }) => target === 'createKey'));
  });
});

describe('managing keys', () => {
  test('a key is created, listed, changed and revoked; its secret is shown once', async () => {
    const team = await teamNamed('lab');
    const own = (await keyOf(team)).key;
    const limits = { operations: ['scrape'], domains: ['*.Example.COM'], requestsPerMinute: 30 };
    const { key, ...created } = await manage<NewKey>('POST /v2/team/keys', { label: 'laptop', limits }, own);
    assert.match(key, /^fc-[0-9a-f]{32}$/);
    assert.deepEqual(created, {
      id: created.id,
      prefix: key.slice(0, 11),
      team: 'lab',
      label: 'laptop',
      limits: { ...limits, domains: ['*.example.com'] },
      createdAt: created.createdAt,
      lastUsedAt: null,
      expiresAt: null,
      previousUntil: null,
    });
    const listed = await manage<KeyView[]>('GET /v2/team/keys', undefined, own);
    assert.deepEqual(listed[1], created);
    assert.ok(listed[0]!.lastUsedAt);
    assert.ok(!JSON.stringify(listed).includes(key));

    const path = `/v2/team/keys/${created.id}`;
    const changed = await manage<KeyView>(`PATCH ${path}`, { label: null, limits: { formats: ['html'] } }, own);
    assert.deepEqual(changed, { ...created, label: null, limits: { formats: ['html'] } });
    assert.deepEqual(await manage<KeyView>(`DELETE ${path}`, undefined, own), changed);
    assert.deepEqual(
      await call(key, 'GET /v2/team/credit-usage'),
      refused('UNAUTHORIZED', 401, 'Unauthorized: Invalid token'),
    );
    const gone = refused('KEY_NOT_FOUND', 404, 'Key not found. GET /v2/team/keys lists the keys of your team.');
    assert.deepEqual(await call(own, `DELETE ${path}`), gone);

    const { body } = await call<{ data: Record<string, unknown>[] }>(own, 'GET /v2/team/audit');
    const events = body.data.filter(({ target }) => target === created.prefix);
    assert.deepEqual(
      events.map(({ action, actor, address }) => [action, actor, address]),
      ['key.revoked', 'key.changed', 'key.created'].map((action) => [action, own.slice(0, 11), '127.0.0.1']),
    );
    assert.ok(!JSON.stringify(body).includes(key));
  });

  test('a key ends when it expires', async () => {
    const team = await teamNamed('short');
    const { key, expiresAt } = await keyOf(team, { expiresInDays: 2 });
    assert.ok(Math.abs(Date.parse(expiresAt!) - service.now() - 2 * DAY_MS) < 60_000);
    assert.equal((await call(key, 'GET /v2/team/credit-usage')).status, 200);
    service.turnAhead(2 * DAY_MS + 1);
    assert.equal((await call(key, 'GET /v2/team/credit-usage')).status, 401);
  });

  test('after a rotation the old secret works for the grace time, and never a third one', async () => {
    const team = await teamNamed('rotating');
    const own = await keyOf(team, { label: 'laptop' });
    const works = async (key: string) => (await call(key, 'GET /v2/team/credit-usage')).status === 200;
    const rotate = (key: string, body?: object) => manage<NewKey>(`POST /v2/team/keys/${own.id}/rotate`, body, key);
    const second = await rotate(own.key);
    assert.deepEqual([second.id, second.label, second.prefix], [own.id, 'laptop', own.prefix]);
    assert.notEqual(second.key, own.key);
    assert.deepEqual([await works(own.key), await works(second.key)], [true, true]);
    service.turnAhead(DAY_MS + 1);
    assert.deepEqual([await works(own.key), await works(second.key)], [false, true]);
    const third = await rotate(second.key, { graceHours: 1 });
    const fourth = await rotate(third.key, { graceHours: 1 });
    assert.deepEqual([await works(second.key), await works(third.key), await works(fourth.key)], [false, true, true]);
    const last = await rotate(fourth.key, { graceHours: 0 });
    assert.deepEqual([await works(fourth.key), await works(last.key)], [false, true]);
  });

  test('wrong requests say what is wrong', async () => {
    const cases: [object, string][] = [
      [{ limits: { operation: ['scrape'] } }, 'limits'],
      [{ limits: { operations: ['dance'] } }, 'operations'],
      [{ limits: { networks: ['10.0.0/8'] } }, 'CIDR'],
      [{ limits: { domains: ['https://example.com/'] } }, 'without protocol'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'in the past'],
      [{ expiresInDays: 1, expiresAt: '2040-01-01T00:00:00Z' }, 'not both'],
      [{ expiresInDays: 0 }, 'expiresInDays'],
      [{ label: 'x'.repeat(101) }, 'label'],
    ];
    for (const [body, part] of cases) {
      const { status, body: answer } = await call(OPERATOR, 'POST /v2/team/keys', body);
      assert.deepEqual([status, answer.code], [400, 'BAD_REQUEST'], JSON.stringify(body));
      assert.ok(answer.error!.includes(part), `${JSON.stringify(body)}: ${answer.error}`);
    }
  });
});

describe('teams', () => {
  test('only the operator manages teams, and nobody sees keys of others', async () => {
    const [one, other] = [await teamNamed('one'), await teamNamed('other')];
    const { key } = await keyOf(one);
    const foreign = await keyOf(other);
    const text =
      'Only the operator may do this. Use a key of the team `default` that has no restrictions, or TRAWL_API_KEY.';
    const requests: [string, object?][] = [
      ['GET /v2/teams'],
      ['POST /v2/teams', { name: 'mine' }],
      [`GET /v2/teams/${one.id}`],
      [`PATCH /v2/teams/${one.id}`, { plan: 'scale' }],
      [`GET /v2/teams/${other.id}/keys`],
      [`DELETE /v2/teams/${other.id}/keys/${foreign.id}`],
    ];
    for (const [route, body] of requests)
      assert.deepEqual(await call(key, route, body), refused('OPERATOR_ONLY', 403, text), route);
    const unknown = refused('KEY_NOT_FOUND', 404, 'Key not found. GET /v2/team/keys lists the keys of your team.');
    for (const [route, body] of [
      [`PATCH /v2/team/keys/${foreign.id}`, { label: 'stolen' }],
      [`DELETE /v2/team/keys/${foreign.id}`],
      [`POST /v2/team/keys/${foreign.id}/rotate`, {}],
    ] as [string, object?][])
      assert.deepEqual(await call(key, route, body), unknown, route);
    assert.equal((await call(foreign.key, 'GET /v2/team/credit-usage')).status, 200);
    const restricted = await manage<NewKey>('POST /v2/team/keys', { limits: { networks: ['127.0.0.1'] } });
    assert.equal((await call(restricted.key, 'GET /v2/teams')).body.code, 'KEY_RESTRICTED');
    const operator = await manage<NewKey>('POST /v2/team/keys', {});
    assert.equal((await call(operator.key, 'GET /v2/teams')).status, 200);
  });

  test('settings are changed field by field, and removed by name', async () => {
    const team = await teamNamed('set', { plan: 'hobby', monthlyCredits: 5_000 });
    assert.deepEqual([team.settings, team.limits.monthlyCredits], [{ plan: 'hobby', monthlyCredits: 5_000 }, 5_000]);
    const change = (body: object) => manage<TeamView>(`PATCH /v2/teams/${team.id}`, body);
    const changed = await change({ monthlyCredits: null, rates: { scrape: null, map: 7 }, networks: ['10.0.0.0/8'] });
    assert.deepEqual(changed.settings, {
      plan: 'hobby',
      monthlyCredits: null,
      rates: { scrape: null, map: 7 },
      networks: ['10.0.0.0/8'],
    });
    assert.deepEqual(
      [changed.limits.rates.scrape, changed.limits.rates.map, changed.limits.rates.crawl],
      [null, 7, 20],
    );
    const reset = await change({ unset: ['plan', 'networks', 'monthlyCredits'], rates: { map: 8 } });
    assert.deepEqual(reset.settings, { rates: { scrape: null, map: 8 } });
    assert.deepEqual(await manage<TeamView>(`GET /v2/teams/${team.id}`), reset);
    assert.deepEqual(
      await call(OPERATOR, 'POST /v2/teams', { name: 'set' }),
      refused('TEAM_EXISTS', 409, 'There is a team with this name already. Choose another name.'),
    );
    assert.deepEqual(
      await call(OPERATOR, `GET /v2/teams/${UNKNOWN}`),
      refused('TEAM_NOT_FOUND', 404, 'Team not found. GET /v2/teams lists the teams.'),
    );
    const plan = await call(OPERATOR, `PATCH /v2/teams/${team.id}`, { plan: 'gold' });
    assert.match(plan.body.error!, /^There is no plan 'gold'\. Plans are: unlimited, free, hobby/);
  });

  test('the operator cannot lock itself out by networks', async () => {
    const own = (await manage<TeamView[]>('GET /v2/teams')).find(({ name }) => name === 'default')!;
    const { status, body } = await call(OPERATOR, `PATCH /v2/teams/${own.id}`, { networks: ['10.0.0.0/8'] });
    assert.equal(status, 400);
    assert.match(body.error!, /must include 127\.0\.0\.1, from which this request comes/);
  });
});

describe('a key that ends while it is in use', () => {
  /** Starts a batch that waits for a page, and watches it. */
  async function watching(key: string) {
    const { body } = await call<{ id: string }>(key, 'POST /v2/batch/scrape', {
      urls: [web.url('fault.test', '/stalled-headers')],
    });
    const socket = openSocket(key, body.id);
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    await once(socket, 'message');
    return { socket, closed: closed.then(([code, reason]) => [code, String(reason)]) };
  }
  const ENDED = [3000, 'Unauthorized: The key is no longer valid.'];

  test('its watchers are closed with a code when it is revoked, and those of other keys are not', async () => {
    const team = await teamNamed('watching', { plan: 'unlimited' });
    const [own, other] = [await keyOf(team), await keyOf(team)];
    const [watched, further] = [await watching(own.key), await watching(other.key)];
    await manage(`DELETE /v2/teams/${team.id}/keys/${own.id}`);
    assert.deepEqual(await watched.closed, ENDED);
    assert.equal((await call(own.key, 'GET /v2/team/credit-usage')).status, 401);
    assert.equal(further.socket.readyState, WebSocket.OPEN);

    // Another process: the command line.
    const ring = await openKeyRing(readConfig(await storeSettings(service.dataDir)));
    await ring.revoke((await ring.listKeys()).find(({ id }) => id === other.id)!);
    await ring.close();
    assert.deepEqual(await further.closed, ENDED);
  });

  test('its watchers are closed when it expires', async () => {
    const team = await teamNamed('expiring', { plan: 'unlimited' });
    const { closed } = await watching((await keyOf(team, { expiresInDays: 0.001 })).key);
    service.turnAhead(90_000);
    assert.deepEqual(await closed, ENDED);
  });
});

test('the last key that manages the server is neither revoked nor restricted over HTTP', async () => {
  const single = await startClockedService(web, { TRAWL_AUTH: 'required' });
  const [before, running] = [service, single];
  try {
    const ring = await openKeyRing(readConfig(await storeSettings(single.dataDir)));
    const { key, record } = await ring.create('default', {});
    for (const each of await ring.listKeys()) if (each.id !== record.id) await ring.revoke(each);
    await ring.close();
    service = running;
    const text =
      'This is the last key that can manage this server, so it was not changed. Create another key without restrictions first, or use `trawl keys` on the server.';
    const last = refused('LAST_OPERATOR_KEY', 409, text);
    const path = `/v2/team/keys/${record.id}`;
    assert.deepEqual(await call(key, `DELETE ${path}`), last);
    assert.deepEqual(await call(key, `PATCH ${path}`, { expiresInDays: 1 }), last);
    assert.equal((await call(key, 'GET /v2/teams')).status, 200);
    await manage('POST /v2/team/keys', {}, key);
    assert.equal((await call(key, `DELETE ${path}`)).status, 200);
  } finally {
    service = before;
    await single.remove();
  }
});

function openSocket(key: string, id: string): WebSocket {
  return new WebSocket(`${service.url.replace(/^http/, 'ws')}/v2/batch/scrape/${id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
}

async function watchToTheEnd(key: string, id: string): Promise<{ code: number; reason: string }> {
  const [code, reason] = (await once(openSocket(key, id), 'close')) as [number, Buffer];
  return { code, reason: String(reason) };
}
