// API keys, teams, and which web pages may call the service.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { storeSettings } from '../support/engines.ts';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const OPERATOR_KEY = 'operators-own-key';

const scene = useService(
  { TRAWL_API_KEY: OPERATOR_KEY },
  { TRAWL_AUTH: 'off', TRAWL_PUBLIC_URL: 'https://trawl.example' },
);

const keys = async (...args: string[]) => {
  const env = { ...PROGRAM_ENV, ...(await storeSettings(scene.service.dataDir)) };
  const run = promisify(execFile)(process.execPath, [MAIN, 'keys', ...args], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, text: error.stderr }),
  );
};
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
    assert.equal((await keys('list')).text.match(/\bfc-/g), null);
  });

  test('without one, a key is generated, and stays valid when the operator sets one later', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trawl-keys-'));
    try {
      const first = await startService({ TRAWL_DATA_DIR: dataDir });
      assert.match(first.key, /^fc-[0-9a-f]{32}$/);
      await first.stop();
      const second = await startService({ TRAWL_DATA_DIR: dataDir, TRAWL_API_KEY: OPERATOR_KEY });
      const { status } = await second.fetch('/v2/team/credit-usage', {
        headers: { authorization: `Bearer ${first.key}` },
      });
      await second.stop();
      assert.equal(status, 200);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
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

  test('wrong uses of the keys command fail with a one-sentence error', async () => {
    assert.equal((await keys()).code, 2);
    for (const args of [
      ['dance'],
      ['revoke'],
      ['revoke', 'fc-'],
      ['revoke', 'fc-nothing'],
      ['add', '--team', 'a b'],
      ['list', 'x'],
    ]) {
      const { code, text } = await keys(...args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(text.trim().split('\n').length, 1);
    }
  });

  test('another team’s scrape is not found', async () => {
    const { body } = await scene.service.scrape<{ data: { metadata: { scrapeId: string } } }>({
      url: scene.web.url('news.test', '/'),
    });
    const path = `${scene.service.url}/v2/scrape/${body.data.metadata.scrapeId}`;
    const stranger = /fc-\S+/.exec((await keys('add', '--team', 'stranger')).text)![0];
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
  test('no key is created, and requests with any key or none are accepted', async () => {
    assert.equal(scene.other.key, '');
    assert.equal((await raw(scene.other.url, {})).status, 200);
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer fc-any']) {
      assert.equal((await raw(scene.other.url, { authorization })).status, 200);
    }
  });

  test('requests from foreign web pages or to foreign host names are refused', async () => {
    const { port } = new URL(scene.other.url);
    assert.equal((await raw(scene.other.url, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await raw(scene.other.url, { origin: 'null' })).status, 403);
    assert.equal((await raw(scene.other.url, { host: 'evil.example' })).status, 403);
    assert.equal((await raw(scene.other.url, { host: 'evil.example', origin: 'http://evil.example' })).status, 403);
    const allowed = await raw(scene.other.url, { host: `localhost:${port}`, origin: `http://localhost:${port}` });
    assert.equal(allowed.status, 200);
    assert.ok(!('access-control-allow-origin' in allowed.headers));
    assert.equal((await raw(scene.other.url, { host: 'trawl.example' })).status, 200);
    assert.equal((await raw(scene.other.url, { host: '[::1]:99' })).status, 200);
  });
});
