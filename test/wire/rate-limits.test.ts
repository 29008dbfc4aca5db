// Rate limits as clients see them: what every call counts against, the exact refusal, and its headers. The clock stands still.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import type { KeyedOperation } from '../../src/contracts/route-types.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { RATE_BUCKETS, type RateBucket } from '../../src/contracts/team/policy.ts';
import { ROUTE_POLICY } from '../../src/policy/route-policy.ts';
import { type ClockedService, startClockedService } from '../support/clocked-service.ts';
import { readMetrics } from '../support/prometheus.ts';
import { addTeams } from '../support/team-with.ts';
import { startWeb, type Web } from '../support/web.ts';

const OPERATOR = 'fc-operator';
const JOB = '0190a0b0-0000-7000-8000-000000000000';
const CALLS = Object.entries(ROUTE_POLICY) as [KeyedOperation, { bucket: RateBucket }][];
/** Each bucket has another limit, so that an answer shows which one it counted against. */
const LIMITS = Object.fromEntries(RATE_BUCKETS.map((bucket, at) => [bucket, at + 2])) as Record<RateBucket, number>;

let web: Web;
let service: ClockedService;
let keys: Record<'limited' | 'further' | 'slow' | 'other' | 'watcher' | 'refused', string>;

before(async () => {
  web = await startWeb();
  service = await startClockedService(web, { TRAWL_AUTH: 'required', TRAWL_API_KEY: OPERATOR });
  service.stopClock();
  const [limited, further, slow, other, watcher, refused] = await addTeams(service.dataDir, [
    { name: 'limited', settings: { rates: LIMITS } },
    { name: 'further' },
    { name: 'keys', settings: { plan: 'unlimited' }, limits: { requestsPerMinute: 3 } },
    { name: 'keys' },
    { name: 'watcher', settings: { rates: { crawlStatus: 2 } } },
    { name: 'refused', settings: { rates: { scrape: 1 } } },
  ]);
  keys = { limited, further, slow, other, watcher, refused } as typeof keys;
});
after(async () => {
  await service?.remove();
  await web?.stop();
});

interface Answer {
  status: number;
  /** Limit, remaining and reset. */
  rate: (string | null)[];
  retryAfter: string | null;
  body: Record<string, unknown>;
}

async function call(key: string, id: KeyedOperation): Promise<Answer> {
  const { method, path }: Route = ROUTES[id];
  const url = new URL(path.replaceAll(/:\w+/g, JOB), service.url);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // No call accepts such a body, so nothing is started.
  const body = method === 'GET' || method === 'DELETE' ? undefined : '[]';
  const response = await fetch(url, { method, headers, body });
  const rate = ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, rate, retryAfter, body: (await response.json()) as Answer['body'] };
}

const NO_RATE = [null, null, null];
const seconds = (ms: number) => String(Math.ceil(ms / 1000));

describe('a team with limits', () => {
  const served = new Map<RateBucket, number>();

  for (const bucket of RATE_BUCKETS) {
    test(`${bucket}: as many calls as the limit are served and told what is left, the next one is refused`, async () => {
      const limit = LIMITS[bucket];
      const calls = CALLS.filter(([, policy]) => policy.bucket === bucket).map(([id]) => id);
      for (let count = 1; count <= limit; count += 1) {
        const id = calls[count % calls.length]!;
        const { status, rate } = await call(keys.limited, id);
        assert.notEqual(status, 429, id);
        const reset = seconds(service.now() + (count * 60_000) / limit);
        assert.deepEqual(rate, [String(limit), String(limit - count), reset], id);
      }
      const wait = Math.ceil(60 / limit);
      const resets = new Date(service.now() + 60_000);
      for (const id of calls) {
        const { status, rate, retryAfter, body } = await call(keys.limited, id);
        assert.equal(status, 429, id);
        const error = `Rate limit exceeded. Consumed (req/min): ${limit}, Remaining (req/min): 0. Please retry after ${wait}s, resets at ${resets.toISOString()}`;
        const { type, detail, ...rest } = body;
        assert.deepEqual(rest, { success: false, code: 'RATE_LIMITED', error }, id);
        assert.equal(retryAfter, String(wait), id);
        assert.deepEqual(rate, [String(limit), '0', seconds(resets.getTime())], id);
      }
      served.set(bucket, calls.length);
      // Otherwise the refusals of this team would be spaced out.
      service.turnAhead(1_000);
    });
  }

  test('the metrics count the refusals by bucket', async () => {
    const headers = { authorization: `Bearer ${OPERATOR}` };
    const metrics = readMetrics(await (await fetch(new URL('/metrics', service.url), { headers })).text());
    const { samples } = metrics.get('trawl_rate_limited_total')!;
    const counted = new Map(samples.map(({ labels, value }) => [labels.bucket, value]));
    for (const [bucket, refused] of served) assert.equal(counted.get(bucket), refused, bucket);
  });

  test('after the time in Retry-After one request is served, after a minute all of them', async () => {
    service.turnAhead(60_000 / LIMITS.scrape);
    assert.deepEqual((await call(keys.limited, 'scrape')).rate.slice(0, 2), [String(LIMITS.scrape), '0']);
    assert.equal((await call(keys.limited, 'scrape')).status, 429);
    service.turnAhead(60_000);
    assert.deepEqual((await call(keys.limited, 'scrape')).rate.slice(0, 2), [
      String(LIMITS.scrape),
      String(LIMITS.scrape - 1),
    ]);
  });
});

test('the team default has no limit, and none of its answers says otherwise', async () => {
  for (const [id] of CALLS.slice(0, 20)) assert.deepEqual((await call(OPERATOR, id)).rate, NO_RATE, id);
});

test('a further team has the plan standard, with a generous limit for status calls', async () => {
  const limitOf = async (id: KeyedOperation) => Number((await call(keys.further, id)).rate[0]);
  assert.equal(await limitOf('scrape'), 500);
  assert.equal(await limitOf('crawl'), 100);
  assert.equal(await limitOf('startAgent'), 100);
  assert.equal(await limitOf('createBrowser'), 100);
  for (const id of ['crawlStatus', 'agentStatus', 'creditUsage'] as const) assert.equal(await limitOf(id), 25_000, id);
});

test('a key with a rate of its own is refused, another key of its team is not', async () => {
  for (const id of ['scrape', 'map', 'creditUsage'] as const) assert.notEqual((await call(keys.slow, id)).status, 429);
  const { status, retryAfter, body } = await call(keys.slow, 'crawlStatus');
  assert.deepEqual([status, retryAfter], [429, '20']);
  assert.match(String(body.error), /^Rate limit exceeded\. Consumed \(req\/min\): 3, Remaining \(req\/min\): 0\. /);
  assert.deepEqual((await call(keys.other, 'scrape')).rate, NO_RATE);
});

test('a refused request is answered before its body is sent, and its connection can be used again', async () => {
  await call(keys.refused, 'scrape');
  const headers = { authorization: `Bearer ${keys.refused}`, 'content-type': 'application/json' };
  const request = send(new URL('/v2/scrape', service.url), {
    method: 'POST',
    headers: { ...headers, expect: '100-continue', 'content-length': 2 },
  });
  let isInvited = false;
  request.on('continue', () => {
    isInvited = true;
  });
  request.flushHeaders();
  const [response] = await once(request, 'response');
  response.resume();
  assert.deepEqual([response.statusCode, isInvited], [429, false]);
  assert.notEqual(response.headers.connection, 'close');
  assert.match(response.headers['access-control-expose-headers'], /Retry-After.*X-RateLimit-Reset/);
  request.end('{}');
  await once(response, 'end');
});

test('a socket that follows a job counts as a status call, and is closed with 1013 when refused', async () => {
  const watch = async () => {
    const socket = new WebSocket(`${service.url.replace(/^http/, 'ws')}/v2/crawl/${JOB}`, [keys.watcher]);
    const [code, reason] = await once(socket, 'close');
    return [code, String(reason)];
  };
  assert.deepEqual(await watch(), [1008, 'Job not found.']);
  assert.equal((await call(keys.watcher, 'crawlStatus')).status, 404);
  assert.deepEqual(await watch(), [
    1013,
    'Rate limit exceeded. Consumed (req/min): 2, Remaining (req/min): 0. Please retry after 30s',
  ]);
});
