// What a tool of `/mcp` gets when it calls the service within its own process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallerClient } from '../../../../src/api/mcp/caller-client.ts';
import { type Calls, createCalls, type SentCall } from '../../../../src/calls/calls.ts';
import { textOf } from '../../../../src/client/api-client.ts';
import { ApiError } from '../../../../src/client/api-error.ts';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { METRICS } from '../../../../src/contracts/operator/metrics.ts';
import type { OpenOperations } from '../../../../src/operations/call.ts';
import type { Identity } from '../../../../src/operations/caller.ts';
import { createMetrics } from '../../../../src/runtime/metrics.ts';
import { JsonText } from '../../../../src/util/json/json-text.ts';

const TEAM: Identity = { team: { id: 'a', name: 'a' } };

interface Options {
  admit?: Calls['admit'];
  run?(id: string, sent: SentCall, signal: AbortSignal): unknown;
}

function clientOf({ admit = async () => {}, run = () => ({ success: true }) }: Options) {
  const metrics = createMetrics(METRICS);
  const calls = {
    ...{ isKeyless: () => false, admit },
    run: async (id: string, { signal }: { signal: AbortSignal }, sent: SentCall) => run(id, sent, signal),
  } as unknown as Calls;
  const client = createCallerClient(
    {
      calls,
      openOperations: {
        chapters: () => ({ status: 200, body: { success: true, chapters: [] } }),
        manual: ({ params }: { params: { group: string; name: string } }) => ({
          ...{ status: 200, body: `# ${params.group}/${params.name}` },
        }),
      } as unknown as OpenOperations,
      readError: (error) => (error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR')),
      metrics,
      stopping: new AbortController().signal,
    },
    { identity: () => TEAM, baseUrl: 'http://trawl.test', request: { id: 'r' } },
  );
  return { client, metrics };
}

test('a call arrives as it would over HTTP: without what is undefined, and with texts in its query', async () => {
  const seen: unknown[] = [];
  const { client } = clientOf({ run: (id, { body, query, params }) => void seen.push({ id, body, query, params }) });
  await client.call('scrape', { body: { url: 'https://a.test/', timeout: undefined } });
  await client.call('listJobs', { query: { limit: 5, status: undefined, kind: ['crawl'] } });
  assert.deepEqual(seen, [
    { id: 'scrape', body: { url: 'https://a.test/' }, query: {}, params: {} },
    { id: 'listJobs', body: undefined, query: { limit: ['5'], kind: ['crawl'] }, params: {} },
  ]);
});

test('an answer that is text already is read, unless it is too large for a tool', async () => {
  let text = new JsonText('{"success":true,"data":{"markdown":"é"}}');
  const { client } = clientOf({ run: () => text });
  const body = { url: 'https://a.test/' };
  assert.deepEqual(await client.call('scrape', { body }), { success: true, data: { markdown: 'é' } });
  text = new JsonText(new Uint8Array(65 * 1024 * 1024));
  await assert.rejects(client.call('scrape', { body }), { name: 'ApiError', code: 'ANSWER_TOO_LARGE' });
});

test('refusals are those of the service, and are counted', async () => {
  const { client, metrics } = clientOf({
    admit: async () => {
      throw new ServiceError('RATE_LIMITED', { retryAfter: 7 });
    },
  });
  const error = await client.call('creditUsage').catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.code, error.status, error.retryAfter], ['RATE_LIMITED', 429, 7]);
  assert.equal((error.body as { code: string }).code, 'RATE_LIMITED');
  const text = await metrics.text();
  assert.match(text, /trawl_requests_total\{operation="creditUsage",status="4xx"\} 1/);
  assert.match(text, /trawl_errors_total\{code="RATE_LIMITED"\} 1/);
});

test('a call that its tool gives up ends with the reason of the tool', async () => {
  const gone = new AbortController();
  const { client, metrics } = clientOf({
    run: (_id, _sent, signal) => {
      const ended = new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
      gone.abort(new Error('enough'));
      return ended;
    },
  });
  const call = client.call('creditUsage', { signal: gone.signal });
  await assert.rejects(call, /enough/);
  assert.match(await metrics.text(), /trawl_requests_total\{operation="creditUsage",status="aborted"\} 1/);
});

test('of what needs no key, only the manual can be read', async () => {
  const { client } = clientOf({});
  const { body } = await client.download('manual', { params: { group: 'use', name: 'start' } });
  assert.equal(await textOf({ body }), '# use/start');
  await assert.rejects(async () => client.download('metrics'));
});

test('somebody without a key makes only the calls that are open to everybody, and each is counted', async () => {
  const taken: string[] = [];
  const calls = createCalls({
    policy: {
      keylessUse: (id) => ({ scrape: 'counted', stopInteraction: 'free' })[id as string] as 'counted' | undefined,
      admit: async () => undefined,
      check: async (_id, _caller, body) => body,
    },
    keyless: { take: async (key: string) => void taken.push(key) } as never,
    operations: {} as never,
    inRequest: (_facts, work) => work(),
    stopping: new AbortController().signal,
  });
  const stranger: Identity = { ...TEAM, key: 'keyless-1', isKeyless: true };
  await assert.rejects(calls.admit('creditUsage', stranger), { code: 'UNAUTHORIZED' });
  await calls.admit('scrape', stranger);
  await calls.admit('stopInteraction', stranger);
  await calls.admit('scrape', TEAM);
  assert.deepEqual(taken, ['keyless-1']);
});
