// Who may watch a job, and how everyone else is refused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { WatchCall } from '../../../../src/operations/job/watch-job.ts';
import { JsonText } from '../../../../src/util/json/json-text.ts';
import { connect, JOB, KEY, OTHER_KEY, startEdge } from '../edge.ts';

const PATH = `/v2/crawl/${JOB}`;

/** A watch that yields one message and records its callers. */
function remembering() {
  const calls: WatchCall[] = [];
  async function* watch(call: WatchCall) {
    calls.push(call);
    yield new JsonText('{"type":"catchup"}');
  }
  return { calls, watch };
}

test('a key in the header opens a watcher', async (t) => {
  const { calls, watch } = remembering();
  const { url } = await startEdge(t, { watch, trustedProxies: '127.0.0.0/8' });
  const { socket, messages, closed } = connect(`${url}/v2/batch/scrape/${JOB}`, [], {
    headers: { authorization: `Bearer ${OTHER_KEY}`, 'x-forwarded-host': 'proxy.test' },
  });
  assert.deepEqual(await closed, { code: 1000, reason: '{"type":"done"}' });
  assert.deepEqual(messages, ['{"type":"catchup"}']);
  assert.equal(socket.protocol, '');
  const [{ caller, ...call }] = calls as [WatchCall];
  assert.deepEqual(call, { path: '/v2/batch/scrape/:id', id: JOB, baseUrl: 'http://proxy.test' });
  assert.equal(caller.team.id, 'other');
});

test('a key in the subprotocol opens one too, and is echoed', async (t) => {
  const { calls, watch } = remembering();
  const { url } = await startEdge(t, { watch });
  const cases: [offered: string[], authorization: string | undefined, echoed: string, team: string][] = [
    [[OTHER_KEY], undefined, OTHER_KEY, 'other'],
    [['json', OTHER_KEY, KEY], undefined, OTHER_KEY, 'other'],
    [['json', OTHER_KEY], `Bearer ${KEY}`, 'json', 'own'],
  ];
  for (const [offered, authorization, echoed, team] of cases) {
    const { socket, closed } = connect(url + PATH, offered, { headers: authorization ? { authorization } : {} });
    assert.equal((await closed).code, 1000);
    assert.deepEqual([socket.protocol, calls.pop()?.caller.team.id], [echoed, team]);
  }
});

test('the built-in WebSocket client works', async (t) => {
  const { watch } = remembering();
  const { url } = await startEdge(t, { watch });
  const socket = new WebSocket(url.replace('http', 'ws') + PATH, KEY);
  const [message] = await once(socket, 'message');
  assert.equal(message.data, '{"type":"catchup"}');
  const [close] = await once(socket, 'close');
  assert.deepEqual([close.code, close.wasClean, socket.protocol], [1000, true, KEY]);
});

test('without a valid key the socket opens and closes with 3000', async (t) => {
  const { calls, watch } = remembering();
  const { url } = await startEdge(t, { watch });
  const tooMany = [...Array.from({ length: 8 }, (_, n) => `p${n}`), KEY];
  const cases: [offered: string[], authorization: string | undefined][] = [
    [[], undefined],
    [['fc-wrong'], undefined],
    [['fc-wrong', 'json'], undefined],
    [tooMany, undefined],
    [[KEY], 'Bearer fc-wrong'],
    [[], 'Basic abc'],
  ];
  for (const [offered, authorization] of cases) {
    const { socket, messages, closed } = connect(url + PATH, offered, {
      headers: authorization ? { authorization } : {},
    });
    assert.deepEqual(await closed, { code: 3000, reason: 'Unauthorized' });
    assert.equal(socket.protocol, offered[0] ?? '');
    assert.deepEqual(messages, []);
  }
  assert.deepEqual(calls, []);
});

test('with authentication off, any key is accepted and the first subprotocol is echoed', async (t) => {
  const { calls, watch } = remembering();
  const { url } = await startEdge(t, { watch, auth: 'off' });
  for (const offered of [[], ['any'], ['any', 'other']]) {
    const { socket, closed } = connect(url + PATH, offered);
    assert.equal((await closed).code, 1000);
    assert.deepEqual([socket.protocol, calls.pop()?.caller.team.id], [offered[0] ?? '', 'own']);
  }
});

test('with authentication off, pages from other origins cannot watch', async (t) => {
  const { calls, watch } = remembering();
  const { server, url, port } = await startEdge(t, { watch, auth: 'off' });
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { host: 'rebound.test' },
    { host: 'rebound.test', origin: 'http://rebound.test' },
  ];
  for (const headers of foreign) {
    assert.equal(await connect(url + PATH, [], { headers }).refused, 403, JSON.stringify(headers));
  }
  assert.deepEqual(calls, []);
  assert.equal((await connect(url + PATH, [], { headers: { origin: url } }).closed).code, 1000);
  await server.close();
});

test('a refused upgrade is answered as JSON and its connection is closed', async (t) => {
  const { port } = await startEdge(t, { auth: 'off' });
  const socket = dial(port, '127.0.0.1');
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  socket.write(
    `GET ${PATH} HTTP/1.1\r\nHost: evil.test\r\n${upgrade}\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
  );
  const answer = (await socket.setEncoding('utf8').toArray()).join('');
  assert.match(answer, /^HTTP\/1\.1 403 /);
  assert.match(answer, /"code":"FORBIDDEN_ORIGIN"/);
});

test('with authentication on, a page from any origin may watch', async (t) => {
  const { url } = await startEdge(t);
  const { closed } = connect(url + PATH, [KEY], { headers: { origin: 'https://app.test' } });
  assert.equal((await closed).code, 1000);
});

test('an error becomes a close code and a reason short enough for the protocol', async (t) => {
  const long = 'ä€'.repeat(100);
  const cases: [error: Error, code: number, reason: RegExp][] = [
    [new ServiceError('JOB_NOT_FOUND'), 1008, /^Job not found\.$/],
    [new ServiceError('INVALID_JOB_ID'), 1008, /^Invalid job ID/],
    [new ServiceError('BAD_REQUEST', { message: long }), 1008, /^(ä€){24}ä$/],
    [new ServiceError('BAD_REQUEST', { message: `First, second; then ${long}` }), 1008, /^First, second$/],
    [new ServiceError('RATE_LIMITED', { message: 'Retry after 6s' }), 1013, /^Retry after 6s$/],
    [new ServiceError('SERVICE_UNAVAILABLE'), 1001, /shutting down/],
    [new Error('secret'), 1011, /^An unexpected error occurred\. The server log has the cause under ID [\w-]{36}$/],
  ];
  for (const sent of [[], ['{}']]) {
    for (const [error, code, reason] of cases) {
      const { url, logged } = await startEdge(t, {
        async *watch() {
          for (const text of sent) yield new JsonText(text);
          throw error;
        },
      });
      const { closed, messages } = connect(url + PATH, [KEY]);
      const close = await closed;
      assert.equal(close.code, code);
      assert.match(close.reason, reason);
      assert.deepEqual(messages, sent);
      assert.equal(logged.length, code === 1011 ? 1 : 0);
    }
  }
});

test('only job paths can be watched, and they still answer plain requests', async (t) => {
  const { calls, watch } = remembering();
  const { server, url } = await startEdge(t, { watch });
  const headers = { authorization: `Bearer ${KEY}` };
  const plain: [path: string, status: number][] = [
    ['/v2/nothing', 404],
    ['/v2/team/credit-usage', 200],
    [`${PATH}/errors`, 200],
    ['/v2/crawl/%zz', 400],
    [`/v2/crawl/${'x'.repeat(400)}`, 400],
  ];
  for (const [path, status] of plain) assert.equal(await connect(url + path, [], { headers }).refused, status, path);
  assert.equal((await connect(`${url}/v2/crawl/active`, [], { headers }).closed).code, 1005);
  assert.deepEqual(calls, []);
  assert.equal((await connect(`${url}${PATH}?skip=1`, [], { headers }).closed).code, 1000);
  const response = await fetch(url + PATH, { headers });
  assert.equal(((await response.json()) as { operation: string }).operation, 'crawlStatus');
  await server.close();
});
