// What operations receive from a request, and how their answers are sent.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Call } from '../../../src/operations/call.ts';
import { JsonText } from '../../../src/util/json/json-text.ts';
import { JOB, KEY, startEdge } from './edge.ts';

/** More than a socket takes at once. */
const LARGE = 32 * 1024 ** 2;
const LETTER = 'a'.charCodeAt(0);
const authorization = `Bearer ${KEY}`;

const ask = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, { ...init, headers: { authorization, ...init.headers } });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
};

test('query parameters are parsed by their schema; of repeated ones the last counts', async (t) => {
  const { url } = await startEdge(t);
  const get = (text: string) => ask(`${url}/v2/crawl/${JOB}${text}`);
  assert.deepEqual((await get('')).body.query, {});
  assert.deepEqual((await get('?skip=1&limit=7&skip=02&other=a+b')).body.query, { skip: 2, limit: 7 });
  for (const wrong of ['?limit=', '?skip=%2B1', '?limit=0', '?limit=1001', '?skip=1.5']) {
    const { status, body } = await get(wrong);
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], wrong);
    assert.match(String(body.error), /^Invalid pagination/);
  }
});

test('repeatable query parameters arrive as lists, and some errors carry their text twice', async (t) => {
  const { url } = await startEdge(t);
  const get = (text: string) => ask(`${url}/v2/search/research/papers${text}`);
  const { query } = (await get('?query=a&query=b&authors=x&authors=y,+z&categories=c')).body;
  assert.deepEqual(query, { query: 'b', k: 40, offset: 0, authors: ['x', 'y', 'z'], categories: ['c'] });
  const { status, body } = await get('?query=a&k=0');
  assert.equal(status, 400);
  assert.deepEqual([body.type, body.detail], [body.code, body.error]);
});

test('the idempotency key is trimmed; an empty or overlong one is refused', async (t) => {
  const { url } = await startEdge(t);
  const send = (headers: Record<string, string>) =>
    ask(`${url}/v2/crawl`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: 'https://a.test' }),
    });
  assert.ok(!('idempotencyKey' in (await send({})).body));
  assert.equal((await send({ 'x-idempotency-key': '  any text ' })).body.idempotencyKey, 'any text');
  assert.equal((await send({ 'x-idempotency-key': 'k'.repeat(256) })).status, 200);
  for (const key of ['', ' ', 'k'.repeat(257)]) {
    const { status, body } = await send({ 'x-idempotency-key': key });
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], key);
  }
});

test('operations receive the base URL that the caller used', async (t) => {
  const { url } = await startEdge(t, { trustedProxies: '127.0.0.1' });
  assert.equal((await ask(`${url}/v2/crawl/${JOB}`)).body.baseUrl, url);
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'proxy.test' };
  assert.equal((await ask(`${url}/v2/crawl/${JOB}`, { headers })).body.baseUrl, 'https://proxy.test');
  const { url: other } = await startEdge(t, { publicUrl: 'https://own.test' });
  assert.equal((await ask(`${other}/v2/crawl/${JOB}`, { headers })).body.baseUrl, 'https://own.test');
});

test('an answer that is already JSON text is sent unchanged', async (t) => {
  const text = '{ "success":true , "data":[ "ü" ] }';
  const { url } = await startEdge(t, { answer: () => new JsonText(text) });
  const response = await fetch(`${url}/v2/crawl/${JOB}`, { headers: { authorization } });
  assert.equal(await response.text(), text);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)));
});

test('the bytes of a large answer are freed when it has arrived, and when its reader has left', async (t) => {
  let sent: Uint8Array;
  const answer = () => {
    sent = new Uint8Array(LARGE).fill(LETTER);
    return new JsonText(sent);
  };
  const { url } = await startEdge(t, { answer });
  const isFreed = async () => {
    while (sent.byteLength > 0) await setImmediate();
  };
  const whole = await fetch(`${url}/v2/crawl/${JOB}`, { headers: { authorization } });
  const text = await whole.bytes();
  assert.equal(text.byteLength, LARGE);
  assert.ok(text.every((letter) => letter === LETTER));
  await isFreed();

  const left = request(`${url}/v2/crawl/${JOB}`, { headers: { authorization } }).end();
  const [response] = await once(left, 'response');
  assert.equal(sent!.byteLength, LARGE, 'most of it is not sent yet');
  response.destroy();
  await isFreed();
});

test('a fixed path is not mistaken for a job id', async (t) => {
  const { url } = await startEdge(t, { answer: (operation, { params }: Call) => ({ operation, ...params }) });
  assert.deepEqual((await ask(`${url}/v2/crawl/active`)).body, { operation: 'activeCrawls' });
  assert.deepEqual((await ask(`${url}/v2/crawl/ongoing`)).body, { operation: 'ongoingCrawls' });
  assert.deepEqual((await ask(`${url}/v2/crawl/${JOB}`)).body, { operation: 'crawlStatus', id: JOB });
  assert.deepEqual((await ask(`${url}/v2/crawl/${JOB}/errors`)).body, { operation: 'crawlErrors', id: JOB });
});

test('a wrong method is 405, a planned route 501, and an unknown path 404', async (t) => {
  const { url } = await startEdge(t);
  const wrong = await ask(`${url}/v2/batch/scrape/${JOB}`, { method: 'PATCH' });
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, DELETE']);
  assert.equal((await ask(`${url}/v2/support/ask`, { method: 'POST' })).status, 501);
  assert.equal((await ask(`${url}/v2/nothing`)).status, 404);
});

test('a deprecated call says so, and which path replaces it', async (t) => {
  const { url } = await startEdge(t);
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"prompt":"x"}' };
  const { status, headers } = await ask(`${url}/v2/extract`, asked);
  assert.deepEqual([status, headers.get('deprecation')], [200, 'true']);
  assert.equal(headers.get('link'), `<${url}/v2/scrape>; rel="successor-version"`);
  assert.match(headers.get('warning') ?? '', /^299 - "POST \/v2\/extract is deprecated/);
  assert.equal((await ask(`${url}/v2/agent/${JOB}`)).headers.get('deprecation'), null);
});

test('an offer to upgrade to HTTP/2 is ignored', async (t) => {
  const { url } = await startEdge(t);
  const body = JSON.stringify({ url: 'https://a.test' });
  const headers = {
    authorization,
    'content-type': 'application/json',
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAAP__',
  };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${url}/v2/crawl`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(body);
  });
  assert.equal(status, 200);
});

test('a body where none is expected is not read, whatever it is', async (t) => {
  const { url } = await startEdge(t);
  const types = ['application/json', '', ';', 'text/x-other', 'multipart/form-data'];
  for (const [method, path, status] of [
    ['DELETE', `/v2/crawl/${JOB}`, 200],
    ['DELETE', '/v2/browser/profiles/mine', 200],
    ['POST', '/v2/support/ask', 501],
  ] as const) {
    for (const type of types) {
      const answer = await ask(url + path, { method, headers: { 'content-type': type }, body: '{"broken' });
      assert.equal(answer.status, status, `${method} ${path} with "${type}"`);
    }
  }
});
