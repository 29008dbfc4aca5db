// API keys, teams, and which web pages may call the service.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { openKeyRing } from '../../src/compose/commands/keys.ts';
import { readConfig } from '../../src/config/settings.ts';
import { storeSettings } from '../support/engines.ts';
import { runKeys } from '../support/run-keys.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { useOwnService } from '../support/use-service.ts';

const OPERATOR_KEY = 'operators-own-key';

const scene = useOwnService({ TRAWL_API_KEY: OPERATOR_KEY });

const keys = (...args: string[]) => runKeys(scene.service.dataDir, ...args);
/** As the store has them. */
async function listKeys(dataDir: string) {
  const ring = await openKeyRing(readConfig(await storeSettings(dataDir)));
  return ring.listKeys().finally(() => ring.close());
}
const usage = (authorization?: string) =>
  fetch(`${scene.service.url}/v2/team/credit-usage`, { headers: authorization === undefined ? {} : { authorization } });

/** Unlike fetch, sets only the given Host and Origin. */
const raw = (base: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    request(`${base}/v2/concurrency-check`, { method, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode!, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });

describe('with keys', () => {
  test('each kind of missing or wrong key has its own error text', async () => {
    const cases: [authorization: string | undefined, error: string][] = [
      [undefined, 'Unauthorized'],
      ['Bearer', 'Unauthorized: Token missing'],
      ['Bearer ', 'Unauthorized: Token missing'],
      ['Basic abc', 'Unauthorized: Token missing'],
      ['Bearer fc-wrong', 'Unauthorized: Invalid token'],
      ['Bearer undefined', 'Unauthorized: Invalid token'],
    ];
    for (const [authorization, error] of cases) {
      const response = await usage(authorization);
      assert.equal(response.status, 401);
      assert.deepEqual(await response.json(), { success: false, code: 'UNAUTHORIZED', error });
    }
  });

  test('an operator who sets a key gets no other one', async () => {
    assert.equal((await usage(`bearer ${OPERATOR_KEY}`)).status, 200);
    const { stdout } = scene.service.output();
    assert.doesNotMatch(stdout, /\bfc-/);
    assert.match(stdout, /Your API key is the value of TRAWL_API_KEY\./);
    assert.ok(!stdout.includes(OPERATOR_KEY));
    assert.deepEqual(await listKeys(scene.service.dataDir), []);
  });

  test('a request without a valid key is refused before its body arrives, and its connection is closed', async () => {
    const { hostname, port } = new URL(scene.service.url);
    for (const path of ['/v2/scrape', '/v2/parse', '/v2/agent']) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer fc-wrong\r\n` +
          'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"url":',
      );
      // Ends only because the server closes the connection.
      const answer = await text(socket);
      assert.match(answer, /^HTTP\/1\.1 401 /, path);
      assert.match(answer, /\r\nconnection: close\r\n/i, path);
      assert.match(answer, /"code":"UNAUTHORIZED"/, path);
    }
  });

  test('health probes and the OpenAPI description need no key', async () => {
    for (const path of ['/v0/health/liveness', '/v0/health/readiness', '/v2/openapi.json']) {
      assert.equal((await fetch(scene.service.url + path)).status, 200, path);
    }
    assert.deepEqual(await (await fetch(`${scene.service.url}/v0/health/liveness`)).json(), { status: 'ok' });
  });

  test('keys are added, listed and revoked while the service runs', async () => {
    const added = await keys('add', '--team', 'research');
    const key = /fc-\S+/.exec(added.text)![0];
    assert.equal((await usage(`Bearer ${key}`)).status, 200);
    const listed = await keys('list');
    assert.match(listed.text, new RegExp(`${key.slice(0, 11)}\\.\\.\\. +research`));
    assert.ok(!listed.text.includes(key));
    assert.equal((await keys('revoke', key.slice(0, 11))).code, 0);
    assert.equal((await usage(`Bearer ${key}`)).status, 401);
  });

  test('another team’s scrape is not found', async () => {
    const { body } = await scene.service.scrape<{ data: { metadata: { scrapeId: string } } }>({
      url: scene.web.url('news.test', '/'),
    });
    const path = `${scene.service.url}/v2/scrape/${body.data.metadata.scrapeId}`;
    const team = await scene.service.post<{ data: { id: string } }>('/v2/teams', { name: 'stranger' });
    const made = await scene.service.post<{ data: { key: string } }>(`/v2/teams/${team.body.data.id}/keys`, {});
    const stranger = made.body.data.key;
    assert.equal((await fetch(path, { headers: { authorization: `Bearer ${scene.service.key}` } })).status, 200);
    const response = await fetch(path, { headers: { authorization: `Bearer ${stranger}` } });
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), { success: false, code: 'JOB_NOT_FOUND', error: 'Job not found.' });
  });

  test('any web page with a key may call the API', async () => {
    const preflight = await raw(
      scene.service.url,
      {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
      'OPTIONS',
    );
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], '*');
    assert.match(String(preflight.headers['access-control-allow-headers']), /authorization/i);
    // Unlike other headers, this one is not covered by `*`.
    const general = await raw(
      scene.service.url,
      { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      'OPTIONS',
    );
    assert.match(String(general.headers['access-control-allow-headers']), /\bAuthorization\b/);
    const call = await raw(scene.service.url, {
      origin: 'https://app.example',
      authorization: `Bearer ${scene.service.key}`,
    });
    assert.deepEqual([call.status, call.headers['access-control-allow-origin']], [200, '*']);
    assert.ok(!('access-control-allow-credentials' in call.headers));
  });
});

describe('without keys', () => {
  let open: RunningService;
  before(async () => {
    open = await startServiceHereWith(scene.web, { TRAWL_AUTH: 'off', TRAWL_PUBLIC_URL: 'https://trawl.example' });
  });
  after(() => open?.stop());

  test('no key is created, and requests with any key or none are accepted', async () => {
    assert.deepEqual(await listKeys(open.dataDir), []);
    assert.equal((await raw(open.url, {})).status, 200);
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer fc-any']) {
      assert.equal((await raw(open.url, { authorization })).status, 200);
    }
  });

  test('requests from foreign web pages or to foreign host names are refused', async () => {
    const { port } = new URL(open.url);
    assert.equal((await raw(open.url, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await raw(open.url, { origin: 'null' })).status, 403);
    assert.equal((await raw(open.url, { host: 'evil.example' })).status, 403);
    assert.equal((await raw(open.url, { host: 'evil.example', origin: 'http://evil.example' })).status, 403);
    const allowed = await raw(open.url, { host: `localhost:${port}`, origin: `http://localhost:${port}` });
    assert.equal(allowed.status, 200);
    assert.ok(!('access-control-allow-origin' in allowed.headers));
    assert.equal((await raw(open.url, { host: 'trawl.example' })).status, 200);
    assert.equal((await raw(open.url, { host: '[::1]:99' })).status, 200);
  });
});
