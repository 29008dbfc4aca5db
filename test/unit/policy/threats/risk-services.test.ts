// Risk services against servers on loopback that answer as the real ones do, and what guards them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { createEgress } from '../../../../src/net/egress.ts';
import { guardService } from '../../../../src/policy/threats/risk/guarded-service.ts';
import { createJsonService } from '../../../../src/policy/threats/risk/json-service.ts';
import type { RiskAnswer, RiskService } from '../../../../src/policy/threats/risk/risk-service.ts';
import { createWebRisk } from '../../../../src/policy/threats/risk/web-risk.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const signal = new AbortController().signal;
const PAGE = new URL('https://site.example/a?b=1');

interface Seen {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

async function startServer(t: TestContext, answer: (response: ServerResponse, seen: Seen) => void) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const one = { method: request.method!, url: new URL(request.url!, 'http://x'), headers: request.headers, body };
    seen.push(one);
    answer(response, one);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Nothing private is allowed but what the operator has named.
  const egress = createEgress({
    allow: parseAllowList(''),
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    maxPageBytes: 1_000_000,
    ownAddress: () => undefined,
    operatorOrigins: [baseUrl],
  });
  t.after(async () => {
    await egress.close();
    server.closeAllConnections();
    server.close();
  });
  return { seen, baseUrl, egress };
}

const json =
  (value: unknown, status = 200, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

describe('Google Web Risk', () => {
  const ask = async (t: TestContext, answer: (response: ServerResponse) => void) => {
    const { seen, baseUrl, egress } = await startServer(t, answer);
    const clock = createTestClock(Date.UTC(2026, 10, 16, 12));
    const service = createWebRisk({ key: 'secret', baseUrl }, { egress, clock });
    return { seen, answer: await service.ask(PAGE, signal) };
  };

  test('is asked about the URL, with the key in a header; on no list is score 0', async (t) => {
    const { seen, answer } = await ask(t, json({}));
    assert.deepEqual(answer, { score: 0 });
    const [{ method, url, headers } = seen[0]!] = seen;
    assert.deepEqual([method, url.pathname, url.searchParams.get('uri')], ['GET', '/v1/uris:search', PAGE.href]);
    assert.deepEqual(url.searchParams.getAll('threatTypes'), ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE']);
    assert.equal(headers['x-goog-api-key'], 'secret');
    assert.ok(!url.search.includes('secret'));
  });

  test('a threat is score 100, for as long as the service says', async (t) => {
    const threat = { threatTypes: ['MALWARE'], expireTime: '2026-11-16T12:05:00.123456789Z' };
    assert.deepEqual((await ask(t, json({ threat }))).answer, { score: 100, keepMs: 5 * 60_000 + 123 });
  });

  const failures: [name: string, answer: (response: ServerResponse) => void, failure: RiskAnswer][] = [
    ['a refusal', json({ error: { code: 403 } }, 403), { failure: 'it answered with status 403' }],
    [
      'a used-up quota',
      json({}, 429, { 'retry-after': '60' }),
      { failure: 'it answered with status 429', retryAfterMs: 60_000 },
    ],
    ['a page', (response) => void response.end('<html>'), { failure: 'its answer is not JSON' }],
    ['a list', json([]), { failure: 'its answer is not an object' }],
    ['a threat without types', json({ threat: {} }), { failure: 'its answer names no threat types' }],
    ['too much', (response) => void response.end(`"${'x'.repeat(100_000)}"`), { failure: 'its answer is too large' }],
    [
      'a broken connection',
      (response) => void response.destroy(),
      { failure: 'it could not be reached (SCRAPE_SITE_ERROR)' },
    ],
    ['a redirect', json({}, 302, { location: 'http://127.0.0.1/' }), { failure: 'it answered with status 302' }],
  ];
  for (const [name, given, failure] of failures)
    test(`${name} is a failure`, async (t) => assert.deepEqual((await ask(t, given)).answer, failure));
});

describe('a JSON service', () => {
  test('gets the URL in its address, or by POST, with the secret header', async (t) => {
    const { seen, baseUrl, egress } = await startServer(t, (response, { method }) =>
      json({ score: method === 'GET' ? 12 : 99.5 })(response),
    );
    const header = { name: 'x-secret', value: 's3' };
    const byGet = createJsonService({ address: `${baseUrl}/risk?u={url}&v=1`, header }, egress);
    const byPost = createJsonService({ address: `${baseUrl}/risk`, header }, egress);
    assert.deepEqual([await byGet.ask(PAGE, signal), await byPost.ask(PAGE, signal)], [{ score: 12 }, { score: 99.5 }]);
    assert.equal(seen[0]!.url.searchParams.get('u'), PAGE.href);
    assert.deepEqual([seen[1]!.body, seen[1]!.headers['content-type']], [`{"url":"${PAGE.href}"}`, 'application/json']);
    assert.deepEqual(
      seen.map(({ headers }) => headers['x-secret']),
      ['s3', 's3'],
    );
  });

  test('says how long its answer is valid; an answer without a score is a failure', async (t) => {
    const answers = [
      json({ score: 1 }, 200, { 'cache-control': 'private, max-age=60' }),
      json({ score: 1 }, 200, { 'cache-control': 'no-store' }),
      ...[{}, { score: '9' }, { score: 101 }, { score: -1 }, null].map((value) => json(value)),
    ];
    let at = 0;
    const { baseUrl, egress } = await startServer(t, (response) => answers[at++]!(response));
    const service = createJsonService({ address: baseUrl }, egress);
    const NO_SCORE = { failure: 'its answer has no `score` from 0 to 100' };
    const found: RiskAnswer[] = [];
    for (const _ of answers) found.push(await service.ask(PAGE, signal));
    assert.deepEqual(found, [{ score: 1, keepMs: 60_000 }, { score: 1, keepMs: 0 }, ...Array(5).fill(NO_SCORE)]);
  });
});

describe('a guarded service', () => {
  function createScene(answer: (url: URL) => Promise<RiskAnswer>, more = {}) {
    const asked: string[] = [];
    const service: RiskService = {
      name: 'test',
      isFree: false,
      ask: (url) => {
        asked.push(url.href);
        return answer(url);
      },
    };
    const clock = createTestClock();
    return { asked, clock, guarded: guardService(service, { clock, log: createLog('silent'), ...more }) };
  }

  test('remembers an answer for half an hour, or as long as the service says', async () => {
    const { asked, clock, guarded } = createScene(async ({ hash, host }) =>
      host === 'short.example' ? { score: 1, keepMs: 1_000 } : { score: hash.length },
    );
    for (const url of ['https://a.example/x', 'https://u:p@a.example/x#y', 'https://short.example/'])
      assert.ok('score' in (await guarded.ask(new URL(url), signal)));
    assert.deepEqual(
      asked,
      ['https://a.example/x', 'https://short.example/'],
      'neither fragment nor credentials are sent',
    );
    clock.set(clock.now() + 1_000);
    await guarded.ask(new URL('https://short.example/'), signal);
    await guarded.ask(new URL('https://a.example/x'), signal);
    assert.equal(asked.length, 3);
    clock.set(clock.now() + 30 * 60_000);
    await guarded.ask(new URL('https://a.example/x'), signal);
    assert.equal(asked.length, 4);
  });

  test('forgets the answers that were not used for the longest time', async () => {
    const { asked, guarded } = createScene(async () => ({ score: 0 }), { maxAnswers: 2 });
    for (const name of ['a', 'b', 'c', 'a']) await guarded.ask(new URL(`http://${name}.example`), signal);
    assert.equal(asked.length, 4);
  });

  test('asks once for all who ask at the same time, and one who leaves does not end it for the others', async () => {
    const gate = Promise.withResolvers<RiskAnswer>();
    const { asked, guarded } = createScene(() => gate.promise);
    const leaving = new AbortController();
    const left = guarded.ask(PAGE, leaving.signal);
    const others = Array.from({ length: 50 }, () => guarded.ask(PAGE, signal));
    leaving.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    gate.resolve({ score: 7 });
    assert.deepEqual(await Promise.all(others), Array(50).fill({ score: 7 }));
    assert.equal(asked.length, 1);
  });

  test('is left alone after failures, then tried again; failures are not remembered', async () => {
    let isDown = true;
    const { asked, clock, guarded } = createScene(async () => (isDown ? { failure: 'it is down' } : { score: 3 }));
    for (let time = 0; time < 10; time += 1)
      assert.deepEqual(await guarded.ask(PAGE, signal), { failure: 'it is down' });
    assert.equal(asked.length, 1, 'before the first success, one failure is enough');
    isDown = false;
    clock.set(clock.now() + 10_000);
    assert.deepEqual(await guarded.ask(PAGE, signal), { score: 3 });
    assert.deepEqual(await guarded.ask(new URL('http://b.example'), signal), { score: 3 });
  });

  test('that does not answer in time has failed, and so has one that breaks', async () => {
    const silent = createScene(() => new Promise(() => {}), { limitMs: 1 });
    assert.deepEqual(await silent.guarded.ask(PAGE, signal), { failure: 'it did not answer in time' });
    const broken = createScene(() => Promise.reject(new Error('a bug')));
    assert.deepEqual(await broken.guarded.ask(PAGE, signal), { failure: 'a bug' });
  });
});
