// Bad requests, each with its exact answer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { PLANNED_ROUTES } from '../../src/contracts/planned-routes.ts';
import { ROUTES } from '../../src/contracts/routes.ts';
import { runBatch, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const scene = useService({ TRAWL_MAX_REQUEST_MB: '1', TRAWL_ALLOW_NETWORKS: '*.test' });

async function send(path: string, init: RequestInit = {}) {
  const response = await scene.service.fetch(path, init);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}
const post = (body: string, type: string | undefined = 'application/json') =>
  send('/v2/scrape', { method: 'POST', body, headers: type ? { 'content-type': type } : {} });

test('malformed JSON is refused', async () => {
  const { status, body } = await post('{"url": ');
  assert.equal(status, 400);
  assert.deepEqual(body, { success: false, code: 'BAD_REQUEST_INVALID_JSON', error: 'Bad request, malformed JSON' });
});

test('a body that sets __proto__ counts as malformed', async () => {
  assert.equal(
    (await post('{"url": "http://news.test", "__proto__": {"x": 1}}')).body.code,
    'BAD_REQUEST_INVALID_JSON',
  );
});

test('an empty body counts as {}, and the answer says what is missing', async () => {
  for (const body of ['', '{}', 'null']) {
    const answer = await post(body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 'BAD_REQUEST');
    assert.match(String(answer.body.error), /url/);
  }
});

test('a deeply nested body is refused', async () => {
  for (const body of [
    `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  ]) {
    const { status, body: answer } = await post(body);
    assert.deepEqual([status, answer.success], [400, false]);
  }
});

test('a body that is not an object is refused', async () => {
  for (const body of ['[]', '"x"', '5', 'true']) {
    const { status, body: answer } = await post(body);
    assert.deepEqual([status, answer.code], [400, 'BAD_REQUEST'], body);
  }
});

test('wrong types are listed with their paths', async () => {
  const { status, body } = await post(JSON.stringify({ url: 5, timeout: 'soon', mobile: 'yes' }));
  assert.equal(status, 400);
  assert.deepEqual((body.details as { path: string[] }[]).map(({ path }) => path.join('.')).sort(), [
    'mobile',
    'timeout',
    'url',
  ]);
});

test('a body with another content type than JSON is refused', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status, body } = await post('{"url": "http://news.test"}', type);
    assert.deepEqual([status, body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], type);
  }
});

test('JSON types with a suffix or a charset are accepted', async () => {
  for (const type of ['application/json; charset=utf-8', 'application/vnd.api+json', 'APPLICATION/JSON']) {
    assert.equal((await post('{}', type)).status, 400, type);
  }
});

test('a body larger than the limit is refused, and a client that sends it all first can still read why', async () => {
  const { hostname, port } = new URL(scene.service.url);
  const body = 'x'.repeat(20_000_000);
  for (const framing of [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']) {
    const socket = connect(Number(port), hostname);
    const answered = once(socket, 'data');
    socket.write(
      `POST /v2/scrape HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${scene.service.key}\r\n` +
        `Content-Type: application/json\r\n${framing}\r\n\r\n`,
    );
    const sent = framing.includes('chunked') ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    // Fails with a reset connection if the server stops reading.
    await promisify<string, void>(socket.write.bind(socket) as never)(sent);
    assert.match(String((await answered)[0]), /^HTTP\/1\.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s, framing);
    // All of it was taken, so the connection can be used again.
    const next = once(socket, 'data');
    socket.write(`GET /v0/health/liveness HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    assert.match(String((await next)[0]), /^HTTP\/1\.1 200 /, framing);
    socket.destroy();
  }
  const { status } = await post(JSON.stringify({ url: body }));
  assert.equal(status, 413);
});

test('an unknown path and a wrong method are refused', async () => {
  const unknown = await send('/v2/nothing');
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'NOT_FOUND']);
  const wrong = await send('/v2/scrape', { method: 'PUT', body: 'x' });
  assert.deepEqual([wrong.status, wrong.body.code, wrong.headers.get('allow')], [405, 'METHOD_NOT_ALLOWED', 'POST']);
  assert.equal((await send('/v2/team/credit-usage', { method: 'POST' })).status, 405);
  assert.equal((await send('/v0/health/liveness', { method: 'DELETE' })).status, 405);
});

test('a path that cannot be decoded is refused', async () => {
  assert.deepEqual([(await send('/v2/scrape/%ff%fe')).status, (await send('/v2/%')).status], [400, 400]);
});

test('every documented call that is not served answers 501, and says why and what to use instead', async () => {
  const served = new Set(Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`));
  for (const { route } of PLANNED_ROUTES) {
    assert.ok(!served.has(route), `${route} is served`);
    const [method, path] = route.split(' ') as [string, string];
    const address = path.replaceAll(/:\w+/g, '01890a5d-ac96-774b-bcce-b302099a8057').replace('*', 'some/path');
    const { status, body } = await send(address, { method });
    assert.deepEqual([status, body.code, body.success], [501, 'NOT_IMPLEMENTED', false], route);
    const text = String(body.error);
    assert.ok(text.startsWith(`${route} `), text);
    assert.match(text, /^[^.]+(?:\.\w[^.]*)*[.,] .+\.$/, `${route} says what to use instead`);
    const stranger = await scene.service.fetch(address, { method, headers: { authorization: 'Bearer fc-wrong' } });
    assert.equal(stranger.status, 401, route);
    await stranger.body?.cancel();
  }
});

test('a scrape that asks data providers answers 501, and says what to use instead', async () => {
  const call = { provider: 'fred', capability: 'series' };
  const url = scene.web.url('news.test', '/');
  for (const body of [
    { alexandria: call },
    { alexandria: [call], url },
    { url, formats: ['markdown', 'alexandria'] },
    { url, formats: [{ type: 'alexandria' }] },
  ]) {
    const answer = await scene.service.post<Record<string, unknown>>('/v2/scrape', body);
    assert.deepEqual([answer.status, answer.body.code], [501, 'NOT_IMPLEMENTED'], JSON.stringify(body));
    assert.match(String(answer.body.error), /^`alexandria` belongs to a marketplace .* Use POST \/v2\/search /);
  }
  assert.equal((await scene.service.post('/v2/scrape', { url, alexandria: null })).status, 200);
});

test('no two calls that are not served are in the table twice', () => {
  const names = PLANNED_ROUTES.map(({ route }) => route);
  assert.equal(new Set(names).size, names.length);
});

test('paths of a version that is gone say what to use instead', async () => {
  for (const [path, code, text] of [['/v0/scrape', 410, /under \/v1 or \/v2/]] as const) {
    const { status, body } = await send(path);
    assert.equal(status, code);
    assert.match(String(body.error), text);
  }
});

describe('URLs that are refused before anything is fetched', () => {
  const cases: [url: string, status: number, code: string, message: RegExp][] = [
    ['', 400, 'BAD_REQUEST', /empty/],
    ['   ', 400, 'BAD_REQUEST', /empty/],
    ['http://', 400, 'BAD_REQUEST', /not a valid URL/],
    ['ftp://news.test/', 400, 'BAD_REQUEST', /http and https/],
    ['file:///etc/passwd', 400, 'BAD_REQUEST', /http and https/],
    ['http://user:pw@news.test/', 400, 'BAD_REQUEST', /user name/],
    ['http://news.test\\@127.0.0.1/', 400, 'BAD_REQUEST', /backslash/],
    ['http://127.0.0.1/', 403, 'UNSUPPORTED_SITE', /TRAWL_ALLOW_NETWORKS/],
    ['http://10.1.2.3/', 403, 'UNSUPPORTED_SITE', /private/],
    ['http://[::1]/', 403, 'UNSUPPORTED_SITE', /private/],
    ['http://localhost:3002/', 403, 'UNSUPPORTED_SITE', /private/],
    ['http://metadata.google.internal/', 403, 'UNSUPPORTED_SITE', /private/],
    ['notaurl', 400, 'BAD_REQUEST', /not a valid URL.*top-level domain.*TRAWL_ALLOW_NETWORKS/],
    ['http://intranet/', 400, 'BAD_REQUEST', /top-level domain/],
  ];
  for (const [url, status, code, message] of cases) {
    test(JSON.stringify(url), async () => {
      const answer = await scene.service.scrape({ url });
      assert.deepEqual([answer.status, answer.body.code], [status, code]);
      assert.match(String(answer.body.error), message);
    });
  }
});

test('actions without a browser and threat protection are refused', async () => {
  const url = scene.web.url('news.test', '/');
  assert.equal(
    (await scene.service.scrape({ url, actions: [{ type: 'scrape' }] })).body.code,
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
  );
  const threat = await scene.service.scrape({ url, threatProtection: { mode: 'normal' } });
  assert.deepEqual([threat.status, threat.body.success], [403, false]);
});

test('waitFor without a browser and onlyCleanContent without a model are named in a warning', async () => {
  const { body } = await scene.service.scrape({
    url: scene.web.url('news.test', '/'),
    waitFor: 10,
    onlyCleanContent: true,
  });
  assert.match(String(body.warning), /waitFor/);
  assert.match(String(body.warning), /`onlyCleanContent` was made without a language model/);
});

test('a timeout that is too long counts as the longest one, and a warning says so', async () => {
  const url = scene.web.url('news.test', '/');
  const said = /`timeout` counts as 300000 milliseconds/;
  const { status, body } = await scene.service.scrape({ url, timeout: 300_001 });
  assert.equal(status, 200);
  assert.match(String(body.warning), said);
  const batch = await runBatch(scene.service, { urls: [url], timeout: 3_600_000 });
  const crawl = await runCrawl(scene.service, { url, limit: 1, scrapeOptions: { timeout: 3_600_000 } });
  for (const { warning } of [...batch.documents, ...crawl.documents]) assert.match(warning!, said);
  const longest = await scene.service.scrape({ url, timeout: 300_000 });
  assert.equal(longest.body.warning, undefined);
});

test('input that is not HTTP gets a JSON answer and a closed connection', async () => {
  const { port, hostname } = new URL(scene.service.url);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write('hello there\r\n\r\n'));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).success, false);
});

test('incomplete requests and clients that hang up do not harm the service', async () => {
  const { port, hostname } = new URL(scene.service.url);
  for (const part of [
    'POST /v2/scrape HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"url',
    'GET /v2/',
  ]) {
    await new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(part, () => socket.resetAndDestroy()));
      socket.on('close', resolve);
    });
  }
  const leaving = new AbortController();
  const stuck = scene.service.fetch('/v2/scrape', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: scene.web.url('fault.test', '/stalled-headers') }),
    signal: leaving.signal,
  });
  while (scene.web.requests('fault.test') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  leaving.abort();
  await assert.rejects(stuck);
  for (let tries = 0; tries < 1_500; tries += 1) {
    const { body } = await send('/v2/concurrency-check');
    if (body.concurrency === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail('the scrape of a client that disconnected still runs');
});
