// Logging in to the console, what a session may do, how it ends, and everything that must not work with its cookie.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { openConsoleOf } from '../../src/compose/commands/console.ts';
import { openKeyRing } from '../../src/compose/commands/keys.ts';
import { readConfig } from '../../src/config/settings.ts';
import type { ConsoleSessionResponse } from '../../src/contracts/console/console-session.ts';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { startWeb, type Web } from '../support/web.ts';

const OPERATOR = 'operators-own-key';
const HOUR_MS = 3_600_000;
const JOB = '01900000-0000-7000-8000-000000000001';

let web: Web;
let service: ClockedService;
let dataDir: string;
const settings = () => ({ TRAWL_AUTH: 'required', TRAWL_API_KEY: OPERATOR, TRAWL_DATA_DIR: dataDir });

before(async () => {
  web = await startWeb();
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-console-'));
  service = await startClockedService(web, settings());
});
after(async () => {
  await service?.close();
  await rm(dataDir, { recursive: true, force: true });
  await web?.stop();
});

type Headers = Record<string, string | undefined>;
interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: { code?: string; error?: string; data?: Record<string, unknown> } & Record<string, unknown>;
}

/** A request with exactly these headers. */
async function send(route: string, headers: Headers = {}, body?: object, base = service.url): Promise<Answer> {
  const [method, path] = route.split(' ') as [string, string];
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const content = body === undefined ? undefined : JSON.stringify(body);
  const sent = request(new URL(path, base), {
    method,
    headers: {
      ...(content !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content),
      }),
      ...given,
    },
  });
  sent.end(content);
  const [response] = await once(sent, 'response');
  const answer = await text(response);
  const isJson = response.headers['content-type']?.startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? JSON.parse(answer) : { text: answer },
  };
}

interface Session {
  cookie: string;
  token: string;
  data: ConsoleSessionResponse['data'];
}

/** As a page of the service sends it. */
const own = (base = service.url): Headers => ({ origin: base, 'sec-fetch-site': 'same-origin' });
const reading = ({ cookie }: Session): Headers => ({ cookie, 'sec-fetch-site': 'same-origin' });
const writing = ({ cookie, token }: Session): Headers => ({ cookie, 'x-csrf-token': token, ...own() });

function tryLogin(body: object, headers: Headers = own()): Promise<Answer> {
  // One login of an address is allowed every three seconds.
  service.turnAhead(3_000);
  return send('POST /console/session', headers, body);
}
function sessionOf({ status, headers, body }: Answer): Session {
  assert.equal(status, 200, JSON.stringify(body));
  const cookie = String(headers['set-cookie']).split(';')[0]!;
  const data = body.data as unknown as Session['data'];
  return { cookie, token: data.csrfToken!, data };
}
const logIn = async (key = OPERATOR) => sessionOf(await tryLogin({ key }));
const newLink = async () => new URL(await service.openConsole()).hash.replace('#login=', '');
const byLink = async () => sessionOf(await tryLogin({ link: await newLink() }));
const manage = (route: string, body?: object) => send(route, { authorization: `Bearer ${OPERATOR}` }, body);
async function newKey(more: object = {}): Promise<{ id: string; key: string; prefix: string }> {
  return (await manage('POST /v2/team/keys', more)).body.data as never;
}

describe('logging in', () => {
  test('with a key: the session is that key, in a cookie that scripts cannot read', async () => {
    const { key, prefix, id } = await newKey({ label: 'laptop' });
    const answer = await tryLogin({ key: ` ${key} ` });
    const cookie = String(answer.headers['set-cookie']);
    assert.match(
      cookie,
      /^trawl_session_[0-9a-f]{8}=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    );
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.ok(!JSON.stringify(answer.body).includes(cookie.split(/[=;]/)[1]!));
    const session = sessionOf(answer);
    assert.deepEqual(session.data.me?.key, { id, prefix, label: 'laptop', limits: {}, expiresAt: null });
    const state = await send('GET /console/session', reading(session));
    assert.deepEqual({ ...state.body.data, expiresAt: session.data.expiresAt }, session.data);
    const me = await send('GET /v2/me', reading(session));
    assert.deepEqual(me.body.data, session.data.me);
    const log = await manage('GET /v2/team/audit?action=console.login&limit=1');
    const [event] = log.body.data as unknown as { actor: string; details: object }[];
    assert.deepEqual([event!.actor, event!.details], [prefix, { with: 'key' }]);
  });

  test('with TRAWL_API_KEY and with a link, one is the operator', async () => {
    const withKey = await logIn();
    assert.deepEqual([withKey.data.me?.isOperator, withKey.data.me?.key?.prefix], [true, 'TRAWL_API_KEY']);
    const withLink = await byLink();
    assert.deepEqual([withLink.data.me?.isOperator, withLink.data.me?.key?.prefix], [true, 'operator']);
    const made = await send('POST /v2/team/keys', writing(withLink), { label: 'by link' });
    assert.equal(made.status, 200);
    const log = await manage('GET /v2/team/audit?action=key.created&limit=1');
    assert.equal((log.body.data as unknown as { actor: string }[])[0]!.actor, 'operator');
  });

  test('without a session, the answer says how to get one', async () => {
    const { body } = await send('GET /console/session');
    const { isLoggedIn, authentication, ways, csrfToken, me } = body.data!;
    assert.deepEqual(
      [isLoggedIn, authentication, ways, csrfToken, me],
      [false, 'required', ['key', 'link'], null, null],
    );
  });

  test('wrong keys, links and bodies', async () => {
    assert.equal((await tryLogin({ key: 'fc-wrong' })).status, 401);
    assert.equal((await tryLogin({ link: 'wrong' })).status, 401);
    for (const body of [
      {},
      { key: 'a', link: 'b' },
      { key: '' },
      { key: 'x'.repeat(2_000) },
      { key: OPERATOR, team: 'x' },
    ])
      assert.equal((await tryLogin(body)).status, 400, JSON.stringify(body));
    assert.equal((await tryLogin({ key: 'x'.repeat(10_000) })).status, 413);
    const log = await manage('GET /v2/team/audit?action=key.refused&limit=1');
    assert.equal((log.body.data as unknown as unknown[]).length, 1);
  });

  test('only from a page of this service', async () => {
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { ...own(), 'sec-fetch-site': 'cross-site' },
      { ...own(), 'sec-fetch-site': 'same-site' },
    ])
      assert.equal((await tryLogin({ key: OPERATOR }, headers)).body.code, 'FORBIDDEN_ORIGIN', JSON.stringify(headers));
  });

  test('an address that tries again and again has to wait', async () => {
    const slow = await startClockedService(web, { TRAWL_AUTH: 'required', TRAWL_API_KEY: OPERATOR });
    try {
      slow.stopClock();
      const tries = Array.from({ length: 30 }, () =>
        send('POST /console/session', own(slow.url), { link: 'wrong' }, slow.url),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 20);
      assert.equal(statuses.filter((status) => status === 429).length, 10);
      slow.turnAhead(HOUR_MS);
      const sent = own(slow.url);
      const session = sessionOf(await send('POST /console/session', sent, { key: OPERATOR }, slow.url));
      const [name] = session.cookie.split('=');
      const guesses = Array.from({ length: 130 }, (_, at) => {
        const cookie = `${name}=${String(at).padStart(64, '0')}`;
        return send('GET /v2/me', { cookie }, undefined, slow.url);
      });
      const refused = (await Promise.all(guesses)).filter(({ status }) => status === 429);
      assert.equal(refused.length, 30);
      // Somebody at the same address who is logged in is not kept waiting.
      assert.equal((await send('GET /v2/me', reading(session), undefined, slow.url)).status, 200);
    } finally {
      await slow.remove();
    }
  });

  test('a page that came over HTTPS gets a cookie for HTTPS', async () => {
    const proxied = await startClockedService(web, {
      ...{ TRAWL_AUTH: 'required', TRAWL_API_KEY: OPERATOR, TRAWL_PUBLIC_URL: 'https://trawl.example' },
    });
    try {
      assert.match(await proxied.openConsole(), /^https:\/\/trawl\.example\/#login=[0-9a-f]{32}$/);
      const from = { origin: 'https://trawl.example', 'sec-fetch-site': 'same-origin' };
      const answer = await send('POST /console/session', from, { key: OPERATOR }, proxied.url);
      const cookie = String(answer.headers['set-cookie']);
      assert.match(
        cookie,
        /^__Host-trawl_session_\w+=\w+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/,
      );
      // Another cookie of the weaker name, which a page without HTTPS could have set, changes nothing.
      const [sent] = cookie.split(';');
      const both = `${sent!.replace('__Host-', '').replace(/=.*/, `=${'0'.repeat(64)}`)}; ${sent}`;
      const me = await send('GET /v2/me', { cookie: both, 'sec-fetch-site': 'same-origin' }, undefined, proxied.url);
      assert.equal(me.status, 200);
    } finally {
      await proxied.remove();
    }
  });

  test('a session that somebody else has planted is not taken over', async () => {
    const planted = await logIn();
    const victim = sessionOf(await tryLogin({ link: await newLink() }, { ...own(), cookie: planted.cookie }));
    assert.notEqual(victim.cookie, planted.cookie);
    assert.equal((await send('GET /v2/me', reading(planted))).status, 401);
  });
});

describe('one-time links', () => {
  test('a link works once, also if 16 use it at the same time', async () => {
    const link = await newLink();
    const answers = await Promise.all(Array.from({ length: 16 }, () => tryLogin({ link })));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    assert.equal((await send('GET /v2/me', reading(sessionOf(won[0]!)))).status, 200);
    assert.match((await tryLogin({ link })).body.error!, /has been used/);
  });

  test('a link ends after an hour, and with the next one', async () => {
    const late = await newLink();
    service.turnAhead(HOUR_MS);
    assert.equal((await tryLogin({ link: late })).status, 401);
    const first = await newLink();
    const second = await newLink();
    assert.equal((await tryLogin({ link: first })).status, 401);
    assert.equal((await tryLogin({ link: second })).status, 200);
  });

  test('the command line makes one for the running service', async () => {
    const config = readConfig({ TRAWL_DATA_DIR: dataDir });
    const url = await openConsoleOf(config, { url: 'http://0.0.0.0:3002', needsKey: true });
    const [, link] = /^http:\/\/127\.0\.0\.1:3002\/#login=([0-9a-f]{32})$/.exec(url)!;
    // Its clock is the machine's; the one of this service was turned ahead by an hour.
    assert.equal((await tryLogin({ link })).status, 401);
    assert.equal(await openConsoleOf(config, { url: 'http://127.0.0.1:1', needsKey: false }), 'http://127.0.0.1:1/');
  });
});

describe('the cookie', () => {
  test('reads with GET, and writes with the token of its session', async () => {
    const session = await logIn();
    assert.equal((await send('GET /v2/team/keys', reading(session))).status, 200);
    assert.equal((await send('GET /v2/team/keys', { cookie: session.cookie, 'sec-fetch-site': 'none' })).status, 200);
    assert.equal((await send('POST /v2/team/keys', writing(session), {})).status, 200);
  });

  test('writes nothing without the token, with a wrong one or with that of another session', async () => {
    const [session, other] = [await logIn(), await logIn()];
    for (const token of [
      undefined,
      '',
      'wrong',
      other.token,
      `${session.token} `.repeat(2),
      session.token.toUpperCase(),
    ]) {
      const answer = await send('POST /v2/team/keys', { ...writing(session), 'x-csrf-token': token }, {});
      assert.deepEqual([answer.status, answer.body.code], [403, 'CSRF_TOKEN_INVALID'], token);
    }
    const put = await send('PUT /v2/team/threat-protection', { cookie: session.cookie, ...own() }, {});
    assert.notEqual(put.status, 200);
  });

  test('does nothing for pages of other sites, even with the token', async () => {
    const session = await logIn();
    const foreign: Headers[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': undefined },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      { origin: undefined, 'sec-fetch-site': undefined },
      { origin: undefined, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of foreign) {
      const answer = await send('POST /v2/team/keys', { ...writing(session), ...headers }, {});
      assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN_ORIGIN'], JSON.stringify(headers));
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
    for (const path of ['/v2/team/keys', '/console/session', '/metrics', '/v0/health/details', '/v2/me'])
      for (const headers of foreign.slice(0, 4)) {
        const answer = await send(`GET ${path}`, { cookie: session.cookie, ...headers });
        assert.ok([401, 403].includes(answer.status), `${path} ${JSON.stringify(headers)} ${answer.status}`);
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      }
    const preflight = await send('OPTIONS /v2/team/keys', {
      ...{ origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'x-csrf-token',
    });
    assert.equal(preflight.headers['access-control-allow-origin'], '*');
    assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
  });

  test('a key that is sent counts instead of the cookie, also a wrong one', async () => {
    const session = await logIn();
    const { key, prefix } = await newKey();
    const me = await send('GET /v2/me', { ...reading(session), authorization: `Bearer ${key}` });
    assert.equal((me.body.data!.key as { prefix: string }).prefix, prefix);
    const foreign = { cookie: session.cookie, origin: 'https://page.example', authorization: `Bearer ${key}` };
    assert.equal((await send('POST /v2/team/keys', foreign, {})).status, 200);
    for (const authorization of ['Bearer fc-wrong', 'Bearer', 'Basic x'])
      assert.equal((await send('GET /v2/me', { ...reading(session), authorization })).status, 401);
  });

  test('huge, many, doubled and malformed cookies are no session', async () => {
    const session = await logIn();
    const [name, secret] = session.cookie.split('=') as [string, string];
    for (const cookie of [
      `${name}=${'a'.repeat(10_000)}`,
      `${session.cookie}; ${session.cookie}`,
      `${session.cookie}; ${name}=${'0'.repeat(64)}`,
      `${name}=${'0'.repeat(64)}`,
      `${name}="${secret}"`,
      `${name}=${secret}%00`,
      `x${session.cookie}`,
      ';;;==;'.repeat(2_000),
    ])
      assert.equal((await send('GET /v2/me', { cookie })).status, 401, cookie.slice(0, 100));
    assert.equal((await send('GET /v2/me', { cookie: `a=b; ${session.cookie};c=d` })).status, 200);
    const many = Array.from({ length: 1_000 }, (_, at) => `c${at}=1`).join('; ');
    assert.equal((await send('GET /v2/me', { cookie: `${many}; ${session.cookie}` })).status, 200);
    assert.equal((await send('GET /v2/me', { cookie: `${name}=${'a'.repeat(40_000)}` })).status, 400);
  });

  test('is no key for the MCP server', async () => {
    const session = await logIn();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.equal((await send('POST /mcp', writing(session), body)).status, 401);
  });
});

describe('a session has the rights of its key', () => {
  test('a restricted key makes the calls of its groups and manages nothing', async () => {
    const { key, prefix } = await newKey({ limits: { operations: ['map'] } });
    const session = await logIn(key);
    assert.deepEqual([session.data.me?.mayManage, session.data.me?.groups], [false, ['map']]);
    const refused = await send('POST /v2/team/keys', writing(session), {});
    assert.deepEqual([refused.status, refused.body.code], [403, 'KEY_RESTRICTED']);
    assert.equal((await send('POST /v2/scrape', writing(session), { url: web.url('a.test', '/') })).status, 403);
    const map = await send('POST /v2/map', writing(session), { url: web.url('session.test', '/') });
    assert.notEqual(map.body.code, 'KEY_RESTRICTED');
    for (const path of ['/metrics', '/v0/health/details'])
      assert.equal((await send(`GET ${path}`, reading(session))).status, 401);
    const log = await manage('GET /v2/team/audit?action=key.refused&limit=1');
    assert.equal((log.body.data as unknown as { actor: string }[])[0]!.actor, prefix);
  });

  test('a key of other networks cannot log in here', async () => {
    const { key, id } = await newKey({ limits: { networks: ['10.0.0.0/8'] } });
    assert.equal((await tryLogin({ key })).body.code, 'NETWORK_NOT_ALLOWED');
    await manage(`PATCH /v2/team/keys/${id}`, { limits: {} });
    const session = await logIn(key);
    await manage(`PATCH /v2/team/keys/${id}`, { limits: { networks: ['10.0.0.0/8'] } });
    assert.equal((await send('GET /v2/me', reading(session))).body.code, 'NETWORK_NOT_ALLOWED');
    assert.equal((await send('GET /console/session', reading(session))).body.code, 'NETWORK_NOT_ALLOWED');
  });

  test('the operator sees metrics and health with a session, on pages of the console only', async () => {
    for (const session of [await logIn(), await byLink()])
      for (const path of ['/metrics', '/v0/health/details']) {
        assert.equal((await send(`GET ${path}`, reading(session))).status, 200);
        assert.equal((await send(`GET ${path}`, { ...reading(session), 'sec-fetch-site': 'same-site' })).status, 403);
      }
    assert.equal((await send('GET /metrics', { 'sec-fetch-site': 'same-origin' })).status, 401);
  });
});

describe('a session ends', () => {
  test('with logging out, which needs the token', async () => {
    const session = await logIn();
    const { 'x-csrf-token': _, ...withoutToken } = writing(session);
    assert.equal((await send('DELETE /console/session', withoutToken)).body.code, 'CSRF_TOKEN_INVALID');
    assert.equal((await send('DELETE /console/session', { cookie: session.cookie })).status, 403);
    const answer = await send('DELETE /console/session', writing(session));
    assert.equal(answer.body.data!.isLoggedIn, false);
    assert.match(String(answer.headers['set-cookie']), /^trawl_session_\w+=; .*Max-Age=0/);
    assert.equal((await send('GET /v2/me', reading(session))).status, 401);
    assert.equal((await send('GET /console/session', reading(session))).body.data!.isLoggedIn, false);
    assert.equal((await send('DELETE /console/session', writing(session))).status, 200);
    const log = await manage('GET /v2/team/audit?action=console.logout&limit=1');
    assert.equal((log.body.data as unknown as { actor: string }[])[0]!.actor, 'TRAWL_API_KEY');
  });

  test('with its key: revoked, rotated away or expired, also by another process', async () => {
    const ring = await openKeyRing(readConfig({ TRAWL_DATA_DIR: dataDir }));
    const recordOf = async ({ id }: { id: string }) => (await ring.listKeys()).find((key) => key.id === id)!;
    const isOpen = async (session: Session) => (await send('GET /v2/me', reading(session))).status === 200;
    try {
      const [revoked, rotated, expiring] = [await newKey(), await newKey(), await newKey({ expiresInDays: 1 })];
      const sessions = [await logIn(revoked.key), await logIn(rotated.key), await logIn(expiring.key)];
      assert.deepEqual(await Promise.all(sessions.map(isOpen)), [true, true, true]);
      await ring.revoke(await recordOf(revoked));
      assert.deepEqual(await Promise.all(sessions.map(isOpen)), [false, true, true]);
      await ring.rotate(await recordOf(rotated), 0);
      service.turnAhead(1);
      assert.deepEqual(await Promise.all(sessions.map(isOpen)), [false, false, true]);
      await manage(`PATCH /v2/team/keys/${expiring.id}`, { expiresAt: new Date(service.now() + 60_000).toISOString() });
      service.turnAhead(60_000);
      assert.deepEqual(await Promise.all(sessions.map(isOpen)), [false, false, false]);
      assert.equal((await send('POST /v2/team/keys', writing(sessions[0]!), {})).status, 401);
    } finally {
      await ring.close();
    }
  });

  test('after 12 hours without use, and after 7 days in any case', async () => {
    const [idle, used] = [await logIn(), await logIn()];
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      assert.equal((await send('GET /v2/me', reading(used))).status, 200, `${hours} hours`);
      service.turnAhead(6 * HOUR_MS);
    }
    assert.equal((await send('GET /v2/me', reading(idle))).status, 401);
    assert.equal((await send('GET /v2/me', reading(used))).status, 200);
    service.turnAhead(6 * HOUR_MS);
    assert.equal((await send('GET /v2/me', reading(used))).status, 401);
  });
});

describe('sockets', () => {
  const watch = (headers: Headers, protocols: string[] = []) =>
    new WebSocket(`${service.url.replace('http', 'ws')}/v2/crawl/${JOB}`, protocols, {
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as never,
    });
  const closing = async (socket: WebSocket) => {
    const [code, reason] = await once(socket, 'close');
    return [code, String(reason)] as const;
  };

  test('of a page with a session need an Origin of this service', async () => {
    const { cookie } = await logIn();
    for (const origin of [undefined, 'https://evil.example', 'null', 'http://127.0.0.1:1'])
      assert.match((await closing(watch({ cookie, origin })))[1], /Only pages of this server/, origin);
    // Admitted: it is told that there is no such job.
    assert.match((await closing(watch({ cookie, origin: service.url })))[1], /not found/i);
    assert.match((await closing(watch({ cookie: 'a=b', origin: service.url })))[1], /Unauthorized/);
  });

  test('with a key as the subprotocol do not look at the cookie', async () => {
    const { cookie } = await logIn();
    const [, reason] = await closing(watch({ cookie, origin: service.url }, ['fc-wrong']));
    assert.match(reason, /Unauthorized/);
  });

  test('close when their session is closed', async () => {
    const session = await logIn();
    const site = web.url('slow-session.test', '/');
    const { body } = await manage('POST /v2/crawl', { url: site, delay: 60, limit: 5 });
    const url = `${service.url.replace('http', 'ws')}/v2/crawl/${String(body.id)}`;
    const socket = new WebSocket(url, { headers: { cookie: session.cookie, origin: service.url } });
    await once(socket, 'message');
    const closed = closing(socket);
    assert.equal((await send('DELETE /console/session', writing(session))).status, 200);
    const [code] = await closed;
    assert.equal(code, 3000);
    await manage(`DELETE /v2/crawl/${String(body.id)}`);
  });
});

test('sessions survive a restart, unless TRAWL_API_KEY has changed', async () => {
  const ahead = service.now() - Date.now();
  const [withKey, withLink] = [await logIn(), await byLink()];
  const restart = async (more: object = {}) => {
    await service.close();
    service = await startClockedService(web, { ...settings(), ...more });
    service.turnAhead(ahead);
  };
  const statuses = async () => [
    (await send('GET /v2/me', reading(withKey))).status,
    (await send('GET /v2/me', reading(withLink))).status,
    (await send('POST /v2/team/keys', writing(withLink), {})).status,
  ];
  await restart();
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await restart({ TRAWL_API_KEY: 'another-key-of-the-operator' });
  assert.deepEqual(await statuses(), [401, 200, 200]);
});

test('where much is free without a key, a session is still its key, and one that has ended is nobody', async () => {
  const free = await startClockedService(web, {
    ...{ TRAWL_AUTH: 'required', TRAWL_API_KEY: OPERATOR, TRAWL_KEYLESS: 'limited' },
  });
  try {
    const session = sessionOf(await send('POST /console/session', own(free.url), { key: OPERATOR }, free.url));
    const search = (headers: Headers) => send('POST /v2/search', headers, { query: 'harbour', limit: 1 }, free.url);
    const inSession = { cookie: session.cookie, 'x-csrf-token': session.token, ...own(free.url) };
    assert.equal((await search({})).status, 200);
    assert.equal((await search(inSession)).status, 200);
    assert.equal((await search({ ...inSession, 'x-csrf-token': 'wrong' })).body.code, 'CSRF_TOKEN_INVALID');
    await send('DELETE /console/session', inSession, undefined, free.url);
    assert.equal((await search(inSession)).status, 401);
  } finally {
    await free.remove();
  }
});

test('while authentication is off, everybody on this machine is logged in, and no page of another site', async () => {
  const open = await startClockedService(web);
  try {
    assert.equal(await open.openConsole(), `${open.url}/`);
    const state = await send('GET /console/session', {}, undefined, open.url);
    const { isLoggedIn, authentication, ways, csrfToken } = state.body.data!;
    assert.deepEqual([isLoggedIn, authentication, ways, csrfToken], [true, 'off', [], null]);
    for (const path of ['/metrics', '/v0/health/details', '/v2/me']) {
      const get = async (headers: Headers) => (await send(`GET ${path}`, headers, undefined, open.url)).status;
      assert.equal(await get({ 'sec-fetch-site': 'same-origin' }), 200);
      assert.equal(await get(own(open.url)), 200);
      assert.equal(await get({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }), 403);
      // A name of somebody else that resolves to this machine.
      assert.equal(await get({ host: 'rebound.example', 'sec-fetch-site': 'same-origin' }), 403);
    }
    assert.equal((await send('POST /console/session', own(open.url), { key: 'any' }, open.url)).status, 200);
    assert.equal((await send('DELETE /console/session', own(open.url), undefined, open.url)).status, 200);
  } finally {
    await open.remove();
  }
});
