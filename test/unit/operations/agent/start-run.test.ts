// Starting agents and extractions over the real store: what is refused, and what is stored.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AgentRun, agentRequest } from '../../../../src/contracts/agent/agent.ts';
import { type ExtractRun, extractRequest } from '../../../../src/contracts/agent/extract.ts';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { startAgent } from '../../../../src/operations/agent/calls/start-agent.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { extractStatus } from '../../../../src/operations/extract/extract-status.ts';
import { extract } from '../../../../src/operations/extract/start-extract.ts';
import type { RunEnd } from '../../../../src/store/ports/runs/run-queue.ts';
import type { RunKind } from '../../../../src/store/ports/runs/run-store.ts';
import { openSqlite } from '../../../conformance/open-sqlite.ts';
import { callOf } from '../../../support/call.ts';
import { noThreats } from '../../../support/threats.ts';

const NO_SCHEMA = 'The schema is not a valid JSON Schema: type';

async function start(t: TestContext, { maxJobs = 10 } = {}) {
  const store = await openSqlite(t);
  const now = 1_000_000;
  const clock = { now: () => now };
  const team = await store.teams.ensureTeam('a', now);
  const other = await store.teams.ensureTeam('b', now);
  const signal = new AbortController().signal;
  let wakes = 0;
  const wake = () => {
    wakes += 1;
  };
  const schemaProblem = async ({ type }: { type?: string }) => (type === 'wrong' ? NO_SCHEMA : undefined);
  const deps = {
    ...noThreats,
    runs: store.runs,
    runner: { wake },
    egress: {
      check({ hostname }: URL) {
        if (hostname === 'private.test') throw new ServiceError('UNSUPPORTED_SITE');
      },
    },
    understander: { tools: () => ({ work: { json: { schemaProblem } } }) },
    browser: { unavailable: () => 'There is no browser.' },
    media: { unavailable: () => undefined },
    redactor: { unavailable: () => undefined },
    maxJobs,
    clock,
  };
  type AgentDeps = Parameters<typeof startAgent>[0];
  type ExtractDeps = Parameters<typeof extract>[0];
  const caller: Caller = { team, signal };
  const parts = deps as unknown as AgentDeps & ExtractDeps;
  return {
    agent: (body: object, call: { idempotencyKey?: string; caller?: Caller } = {}) =>
      startAgent(
        parts,
        callOf(call.caller ?? caller, {
          body: agentRequest.parse({ prompt: 'Find it', ...body }),
          idempotencyKey: call.idempotencyKey,
        }),
      ),
    extract: (body: object) => extract(parts, callOf(caller, { body: extractRequest.parse(body) })),
    status: (id: string) =>
      extractStatus(parts as unknown as Parameters<typeof extractStatus>[0], callOf(caller, { params: { id } })),
    stranger: { team: other, signal },
    request: async <T>(id: string) => (await store.runs.view(id, team.id, now))!.request as T,
    end: async (kind: RunKind, end: Partial<RunEnd> = {}) => {
      const { runs } = await store.runQueue.claim({
        ...{ owner: 'test', kind, slots: 1, teamSlots: 9, now, leaseUntil: now + 1_000 },
      });
      await store.runQueue.end('test', runs[0]!.id, { status: 'completed', credits: 0, ...end }, now);
    },
    wakes: () => wakes,
  };
}

test('an agent starts a thread, and a follow-up continues it with the same schema', async (t) => {
  const { agent, end, request, wakes } = await start(t);
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const first = await agent({ schema, urls: ['a.test/x'] });
  assert.deepEqual([first.success, first.threadTurn, wakes()], [true, 1, 1]);
  assert.deepEqual((await request<AgentRun>(first.id)).urls, ['http://a.test/x']);
  const { threadId } = first;
  await assert.rejects(agent({ threadId }), { code: 'thread_busy', status: 409, fields: { runId: first.id } });
  await end('agent');
  const second = await agent({ threadId });
  assert.deepEqual([second.threadId, second.threadTurn], [threadId, 2]);
  assert.deepEqual((await request<AgentRun>(second.id)).schema, schema);
});

test('of two follow-ups at once, one is refused', async (t) => {
  const { agent, end } = await start(t);
  const { threadId } = await agent({});
  await end('agent');
  const results = await Promise.allSettled([agent({ threadId }), agent({ threadId })]);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  assert.deepEqual(refused, ['thread_busy']);
});

test('an unknown thread, and one of another team, cannot be continued', async (t) => {
  const { agent, end, stranger } = await start(t);
  const unknown = { code: 'thread_not_found', status: 404 };
  await assert.rejects(agent({ threadId: '0197a3b0-0000-7000-8000-00000000000f' }), unknown);
  const { threadId } = await agent({});
  await end('agent');
  await assert.rejects(agent({ threadId }, { caller: stranger }), unknown);
});

test('a thread of which nothing is kept cannot be continued', async (t) => {
  const { agent, end } = await start(t);
  const { threadId } = await agent({ zeroDataRetention: true });
  await end('agent');
  await assert.rejects(agent({ threadId }), { code: 'thread_expired', status: 409 });
});

const REFUSED: [what: string, body: object, error: object][] = [
  ['a schema that is wrong', { schema: { type: 'wrong' } }, { message: `Invalid JSON schema: ${NO_SCHEMA}` }],
  ['an address of a private network', { urls: ['http://private.test/'] }, { code: 'UNSUPPORTED_SITE', status: 403 }],
  ['a webhook in a private network', { webhook: 'http://private.test/' }, { code: 'UNSUPPORTED_SITE' }],
  ['something that is no URL', { urls: ['https://a.test/', 'ftp://a.test/'] }, { code: 'BAD_REQUEST' }],
  ['a constraint to no URLs', { strictConstrainToURLs: true }, { message: /`urls`/ }],
];

test('a request for an agent that cannot be served is refused before anything is stored', async (t) => {
  const { agent, wakes } = await start(t);
  for (const [what, body, error] of REFUSED) await assert.rejects(agent(body), error, what);
  assert.equal(wakes(), 0);
});

test('a second request with the same idempotency key is refused, and so is one too many', async (t) => {
  const { agent } = await start(t, { maxJobs: 2 });
  await agent({}, { idempotencyKey: 'once' });
  await assert.rejects(agent({}, { idempotencyKey: 'once' }), { code: 'IDEMPOTENCY_KEY_USED' });
  await agent({});
  await assert.rejects(agent({}), { code: 'QUEUE_FULL', retryAfter: 30, message: /limit of 2/ });
});

test('an extraction starts without its invalid URLs, and says that the call is deprecated', async (t) => {
  const { extract, request } = await start(t);
  const urls = ['a.test/*', 'ftp://a.test/', 'http://private.test/*', 'https://b.test/page'];
  const { id, urlTrace, invalidURLs, replacement, warnings } = await extract({ urls, enableWebSearch: true });
  assert.deepEqual([urlTrace, invalidURLs, replacement, warnings.length], [[], [urls[1], urls[2]], '/v2/scrape', 1]);
  const stored = await request<ExtractRun>(id);
  assert.deepEqual([stored.urls, stored.allowExternalLinks], [['http://a.test/*', 'https://b.test/page'], true]);
  assert.ok(!('invalidURLs' in (await extract({ prompt: 'Find it' }))));
});

const REFUSED_EXTRACTS: [what: string, body: object, error: object][] = [
  ['only invalid URLs', { urls: ['ftp://a.test/'] }, { code: 'NO_VALID_URLS', status: 400 }],
  [
    'a blocked URL, if invalid ones are not to be ignored',
    { urls: ['https://a.test/', 'http://private.test/'], ignoreInvalidURLs: false },
    { code: 'UNSUPPORTED_SITE', status: 403 },
  ],
  ['a wrong schema', { prompt: 'x', schema: { type: 'wrong' } }, { status: 400, message: /^Invalid JSON schema/ }],
  ['the model of an agent', { prompt: 'x', agent: { model: 'v3-beta' } }, { status: 400, message: /\/v2\/agent/ }],
  ['zero data retention', { prompt: 'x', zeroDataRetention: true }, { status: 400, message: /zero data retention/ }],
  ['actions without a browser', { prompt: 'x', scrapeOptions: { actions: [{ type: 'scroll' }] } }, { status: 400 }],
];

test('an extraction that cannot be served is refused before anything is stored', async (t) => {
  const { extract, wakes } = await start(t);
  for (const [what, body, error] of REFUSED_EXTRACTS) await assert.rejects(extract(body), error, what);
  assert.equal(wakes(), 0);
});

test('an extraction needs URLs or a prompt', () => {
  assert.ok(!extractRequest.safeParse({ schema: {} }).success);
  assert.ok(!extractRequest.safeParse({ urls: [], prompt: '' }).success);
});

test('the status of an extraction has no data before its end, and sources only on request', async (t) => {
  const { extract, end, status } = await start(t);
  const result = { data: { name: 'x' }, sources: { name: ['https://a.test/'] }, citations: {}, pages: 1 };
  for (const showSources of [false, true]) {
    const { id } = await extract({ urls: ['a.test'], showSources });
    const waiting = await status(id);
    assert.deepEqual([waiting.success, waiting.status, waiting.data], [true, 'processing', []]);
    await end('extract', { result, credits: 5 });
    const done = await status(id);
    assert.deepEqual([done.success, done.status, done.data, done.creditsUsed], [true, 'completed', result.data, 5]);
    assert.deepEqual(done.sources, showSources ? result.sources : undefined);
    assert.ok(!('steps' in done) && !('llmUsage' in done) && !('costTracking' in done));
  }
});

test('a failed extraction has a text as its error and no data', async (t) => {
  const { extract, end, status } = await start(t);
  const switches = { __experimental_streamSteps: true, __experimental_llmUsage: true };
  const { id } = await extract({ urls: ['a.test'], ...switches });
  await end('extract', { status: 'failed', error: 'No page could be read.' });
  const { success, status: word, data, error, steps, llmUsage } = await status(id);
  assert.deepEqual([success, word, data, error], [false, 'failed', [], 'No page could be read.']);
  assert.deepEqual([steps, llmUsage], [[], 0]);
});

test('a run of an agent can be read as an extraction', async (t) => {
  const { agent, end, status } = await start(t);
  const { id } = await agent({});
  await end('agent', { result: { data: [1] } });
  assert.deepEqual([(await status(id)).status, (await status(id)).data], ['completed', [1]]);
});
