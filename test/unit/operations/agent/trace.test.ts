// The trace of an agent: its steps as events that the public clients accept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentTraceResponse } from '../../../../src/contracts/agent/agent-trace.ts';
import { agentSnapshot, agentTrace } from '../../../../src/operations/agent/calls/trace/trace.ts';
import type { BrowserSession, Sessions } from '../../../../src/sessions/session.ts';
import type { RunStep, RunView } from '../../../../src/store/ports/runs/run-store.ts';
import { callOf } from '../../../support/call.ts';
import { caller, depsFor, RUN_ID, sampleRun, sampleStep } from './sample-run.ts';

const traceOf = async (run: RunView, steps: RunStep[] = [], query = {}) =>
  agentTraceResponse.parse(await agentTrace(depsFor(run, steps), callOf(caller, { params: { id: RUN_ID }, query })));
const typesOf = async (run: RunView, steps?: RunStep[]) => (await traceOf(run, steps)).events.map(({ type }) => type);

const STEPS = [
  sampleStep('plan', { output: { message: 'Search first.' }, startedAt: 2_000, finishedAt: 2_500 }),
  sampleStep('reason', { output: { summary: 'The shop has it.' }, startedAt: 2_600, finishedAt: 2_700 }),
  sampleStep('scrape', { input: { url: 'https://a.test/' }, output: { markdown: 'x'.repeat(9_000) } }),
  sampleStep('draft', { output: { data: [{ price: 5 }] }, startedAt: 4_100, finishedAt: 4_200 }),
];
const completed = sampleRun({ status: 'completed', result: { data: [{ price: 6 }] }, finishedAt: 5_000 });

test('a run shows plan, thoughts, tool calls and drafts, in order', async () => {
  const { events, creditsUsed } = await traceOf(completed, STEPS);
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'run.started',
      'agent.started',
      'progress.reported',
      'reasoning.summary',
      'tool_call.started',
      'tool_call.finished',
      'artifact.updated',
      'artifact.updated',
      'agent.finished',
      'run.finished',
    ],
  );
  assert.deepEqual(
    events.map(({ producerSequence }) => producerSequence),
    events.map((_, index) => index + 1),
  );
  assert.equal(new Set(events.map(({ eventId }) => eventId)).size, events.length);
  assert.equal(creditsUsed, 3);
  const finished = events.find(({ type }) => type === 'agent.finished');
  assert.ok(finished?.type === 'agent.finished' && finished.durationMs === 3_000 && finished.outcome === 'succeeded');
});

test('a tool call has parameters and a result, also when there is none; a page is shown by its beginning', async () => {
  const { events } = await traceOf(sampleRun(), [STEPS[2]!, sampleStep('search', { input: undefined, output: null })]);
  const results = events.flatMap((event) => (event.type === 'tool_call.finished' ? [event.result] : []));
  const parameters = events.flatMap((event) => (event.type === 'tool_call.started' ? [event.parameters] : []));
  assert.deepEqual(parameters, [{ url: 'https://a.test/' }, null]);
  assert.equal((results[0] as { markdown: string }).markdown.length, 301);
  assert.equal(results[1], null);
});

test('a turn of the model that failed is an error, and preparations are not shown', async () => {
  const output = { failed: 'unusable', message: 'The answer was cut.' };
  const { events } = await traceOf(sampleRun(), [sampleStep('prepare'), sampleStep('reason', { output })]);
  const [error, ...more] = events.slice(2);
  assert.ok(error?.type === 'error.occurred' && more.length === 0);
  assert.deepEqual([error.error.code, error.error.message], ['internal', 'The answer was cut.']);
});

test('a step that has not finished has only its start, and unfinished runs have no end', async () => {
  const open = sampleStep('map', { state: 'started', output: undefined, finishedAt: undefined });
  assert.deepEqual(await typesOf(sampleRun(), [open]), ['run.started', 'agent.started', 'tool_call.started']);
  assert.deepEqual(await typesOf(sampleRun({ status: 'queued', startedAt: undefined })), []);
});

test('steps that ran side by side are shown in the order of their times', async () => {
  const slow = sampleStep('scrape', { startedAt: 3_000, finishedAt: 9_000 });
  const fast = sampleStep('search', { startedAt: 3_100, finishedAt: 4_000 });
  const { events } = await traceOf(sampleRun(), [slow, fast]);
  const calls = events.flatMap((event) =>
    'toolName' in event ? [`${event.toolName} ${event.type.split('.')[1]}`] : [],
  );
  assert.deepEqual(calls, ['scrape started', 'search started', 'search finished', 'scrape finished']);
});

for (const [status, stopReason, outcome, agentOutcome, code] of [
  ['failed', undefined, 'failed', 'failed', 'internal'],
  ['failed', 'max_credits', 'credit_limit_reached', 'failed', 'credit_limit_reached'],
  ['failed', 'refused', 'refused', 'refused', 'refused'],
  ['cancelled', undefined, 'cancelled', 'cancelled', 'cancelled'],
] as const) {
  test(`a run that ended as ${status} (${stopReason}) has the outcome ${outcome}`, async () => {
    const { events } = await traceOf(sampleRun({ status, stopReason, error: 'It broke.', finishedAt: 5_000 }));
    const [run, agent] = events.toReversed();
    assert.ok(run?.type === 'run.finished' && agent?.type === 'agent.finished');
    assert.deepEqual([run.outcome, agent.outcome, run.error?.code], [outcome, agentOutcome, code]);
  });
}

test('cancelling is an event, also before the run began', async () => {
  const asked = sampleRun({ status: 'cancelled', startedAt: undefined, cancelAskedAt: 4_000, finishedAt: 4_000 });
  assert.deepEqual(await typesOf(asked), ['run.cancel_requested', 'run.finished']);
});

test('each draft has a snapshot, and the result is the last one', async () => {
  const { events } = await traceOf(completed, STEPS);
  const artifacts = events.flatMap((event) => (event.type === 'artifact.updated' ? [event.artifact] : []));
  assert.deepEqual(
    artifacts.map(({ change, kind, itemCount }) => [change, kind, itemCount]),
    [
      ['init', 'json', 1],
      ['update', 'json', 1],
    ],
  );
  const snapshot = (snapshotId: string) =>
    agentSnapshot(depsFor(completed, STEPS), callOf(caller, { params: { id: RUN_ID, snapshotId } }));
  const texts = artifacts.map(async ({ snapshotId }) => {
    assert.match(snapshotId, /^[\w-]+$/);
    return JSON.parse((await snapshot(snapshotId)).snapshot);
  });
  assert.deepEqual(await Promise.all(texts), [[{ price: 5 }], [{ price: 6 }]]);
  await assert.rejects(snapshot('nothing'), { code: 'JOB_NOT_FOUND', message: 'Snapshot not found' });
});

test('of a run of which nothing is kept, the trace shows what was done, but nothing of its content', async () => {
  const emptied = STEPS.map((step) => ({ ...step, input: null, output: undefined }));
  const run = sampleRun({ status: 'completed', zeroDataRetention: true, finishedAt: 5_000 });
  const trace = await traceOf(run, emptied);
  assert.equal(trace.zeroDataRetention, true);
  assert.deepEqual(trace.events.map(({ type }) => type).slice(2, 4), ['tool_call.started', 'tool_call.finished']);
});

test('the live view lists the sessions that the run uses now', async () => {
  const tokens = { cdp: 'c', view: 'v', control: 'x' };
  const session = (id: string, runId?: string) =>
    ({ id, tokens, baseUrl: 'http://trawl.test', ...(runId && { runId }) }) as BrowserSession;
  const list: Sessions['list'] = () => [
    { session: session('now', RUN_ID), status: 'active' },
    { session: session('before', RUN_ID), status: 'destroyed' },
    { session: session('other'), status: 'active' },
  ];
  const deps = { ...depsFor(sampleRun()), sessions: { list } };
  const { activeBrowserSessions } = agentTraceResponse.parse(
    await agentTrace(deps, callOf(caller, { params: { id: RUN_ID }, query: { liveView: true } })),
  );
  assert.deepEqual(activeBrowserSessions, [
    { id: 'now', liveViewUrl: 'http://trawl.test/live/v', viewport: { width: 1280, height: 800 } },
  ]);
  assert.ok(!('activeBrowserSessions' in (await traceOf(sampleRun()))));
});

test('a page that was used shows its session', async () => {
  const used = { sessionId: 's1', durationMs: 400, turns: 1, output: '', actions: [] };
  const step = sampleStep('browser', { output: used, startedAt: 3_000, finishedAt: 3_500 });
  const types = await typesOf(sampleRun(), [step]);
  assert.deepEqual(types.slice(2), [
    'tool_call.started',
    'browser.session.started',
    'browser.session.finished',
    'tool_call.finished',
  ]);
});
