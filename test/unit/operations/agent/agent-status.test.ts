// What clients see of a run of an agent: three words for its state, and a name of a model that they know.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  agentListQuery,
  agentListResponse,
  agentStatusResponse,
  agentThreadResponse,
} from '../../../../src/contracts/agent/agent.ts';
import { agentStatus, listAgents } from '../../../../src/operations/agent/calls/agent-status.ts';
import { agentThread } from '../../../../src/operations/agent/calls/thread.ts';
import type { RunView } from '../../../../src/store/ports/runs/run-store.ts';
import { callOf } from '../../../support/call.ts';
import { caller, depsFor, RUN_ID, sampleRun, THREAD_ID } from './sample-run.ts';

const statusOf = async (run: RunView) =>
  agentStatusResponse.parse(await agentStatus(depsFor(run), callOf(caller, { params: { id: RUN_ID } })));

test('a waiting or running run is processing and shows no result', async () => {
  for (const status of ['queued', 'running'] as const) {
    const shown = await statusOf(sampleRun({ status, result: { data: 1 } }));
    assert.deepEqual([shown.success, shown.status, shown.creditsUsed], [true, 'processing', 3]);
    assert.ok(!('data' in shown) && !('error' in shown) && !('partial' in shown));
    assert.equal(shown.expiresAt, '1970-01-02T01:00:00.000Z');
  }
});

test('a completed run shows its data, citations and warning', async () => {
  const citations = { price: { url: 'https://a.test/', text: '5', start: 1, end: 2 } };
  const result = { data: { price: 5 }, citations, sources: { price: ['https://a.test/'] }, warning: 'No model.' };
  const shown = await statusOf(sampleRun({ status: 'completed', result, finishedAt: 4_000 }));
  assert.deepEqual(
    [shown.status, shown.data, shown.citations, shown.warning],
    ['completed', { price: 5 }, citations, 'No model.'],
  );
  assert.ok(!('error' in shown) && !('stopReason' in shown));
});

test('a failed run shows why, and what it had found, but no data', async () => {
  const result = { partial: { price: 5 }, partialSchemaValid: true };
  const stopped = sampleRun({
    status: 'failed',
    error: 'Too many steps.',
    stopReason: 'max_steps',
    result,
    credits: 0,
  });
  const shown = await statusOf(stopped);
  assert.deepEqual(
    [shown.success, shown.status, shown.error, shown.stopReason],
    [true, 'failed', 'Too many steps.', 'max_steps'],
  );
  assert.deepEqual([shown.partial, shown.partialSchemaValid, shown.creditsUsed], [{ price: 5 }, true, 0]);
  assert.ok(!('data' in shown));
});

test('a cancelled run is failed, since clients refuse any other word', async () => {
  const shown = await statusOf(sampleRun({ status: 'cancelled', finishedAt: 4_000 }));
  assert.deepEqual([shown.status, shown.error, shown.stopReason], ['failed', 'The run was cancelled.', 'cancelled']);
});

const result = { data: {}, model: 'test:model' };
for (const [origin, name] of [
  [undefined, 'test:model'],
  ['api', 'test:model'],
  ['js-sdk@4.42.0', 'test:model'],
  ['python-sdk@4.54.0', 'test:model'],
  ['python-sdk@4.37.1', 'test:model'],
  ['python-sdk@5.0.0', 'test:model'],
  ['python-sdk@4.37.0', 'spark-1-pro'],
  ['python-sdk@4.9.99', 'spark-1-pro'],
  ['python-sdk@3.99.99', 'spark-1-pro'],
  ['python-sdk', 'spark-1-pro'],
  ['python-sdk@newest', 'spark-1-pro'],
] as const) {
  test(`the name of the model for a client that calls itself ${origin}: ${name}`, async () => {
    assert.equal((await statusOf(sampleRun({ status: 'completed', result }, { origin }))).model, name);
  });
}

test('without a model, the name says so', async () => {
  assert.equal((await statusOf(sampleRun())).model, 'none');
  assert.equal((await statusOf(sampleRun({ status: 'completed', result: { data: {} } }))).model, 'none');
});

test('a run of another kind, an unknown one and a bad ID are refused', async () => {
  const refusal = (run: RunView | undefined, id = RUN_ID) =>
    agentStatus(depsFor(run), callOf(caller, { params: { id } })).then(
      () => assert.fail('accepted'),
      ({ code, message }) => [code, message],
    );
  const unknown = ['JOB_NOT_FOUND', 'Agent job not found'];
  assert.deepEqual(await refusal(undefined), unknown);
  assert.deepEqual(await refusal(sampleRun({ kind: 'check' })), unknown);
  assert.equal((await refusal(sampleRun(), 'x'))[0], 'INVALID_JOB_ID');
});

test('the list has 20 runs a page, and a link to the next one', async () => {
  const all = Array.from({ length: 21 }, (_, index) =>
    sampleRun({ createdAt: 10_000 - index }, index === 0 ? { urls: ['https://a.test/'] } : {}),
  );
  const list = async (found: RunView[]) => {
    const deps = { ...depsFor(undefined), runs: { list: async () => found } };
    return agentListResponse.parse(await listAgents(deps, callOf(caller)));
  };
  const { agents, next } = await list(all);
  assert.equal(agents.length, 20);
  assert.equal(next, `http://trawl.test/v2/agent?before=${10_000 - 19}`);
  assert.deepEqual(
    agents.slice(0, 2).map(({ targetHint }) => targetHint),
    ['https://a.test/', 'Find prices'],
  );
  assert.equal((await list(all.slice(1))).next, undefined);
});

test('a time that is no number is refused in the words of the contract', () => {
  const { error } = agentListQuery.safeParse({ before: 'yesterday' });
  assert.deepEqual(
    error?.issues.map(({ message }) => message),
    ['Invalid before timestamp.'],
  );
  assert.equal(agentListQuery.parse({ before: '1763300000000' }).before, 1_763_300_000_000);
});

test('a thread shows its turns, the oldest first, and their data on request', async () => {
  const first = sampleRun({ status: 'completed', result: { data: [1], message: 'One.' }, finishedAt: 4_000 });
  const second = sampleRun({ turn: 2, status: 'failed', stopReason: 'max_credits', finishedAt: 6_000 });
  const third = sampleRun({ turn: 3, status: 'queued', startedAt: undefined });
  const read = async (found: RunView[], includeData?: boolean) => {
    const deps = { ...depsFor(undefined), runs: { list: async () => found } };
    const call = callOf<'agentThread'>(caller, { params: { id: THREAD_ID }, query: { includeData } });
    return agentThreadResponse.parse(await agentThread(deps, call)).thread;
  };
  const running = await read([third, second, first]);
  assert.deepEqual(
    running.runs.map(({ turn, status }) => [turn, status]),
    [
      [1, 'succeeded'],
      [2, 'credit_limit_reached'],
      [3, 'processing'],
    ],
  );
  assert.equal(running.status, 'running');
  assert.ok(!('data' in running.runs[0]!));
  const idle = await read([second, first], true);
  assert.deepEqual([idle.status, idle.runs[0]!.data, idle.runs[0]!.message], ['idle', [1], 'One.']);
  await assert.rejects(read([]), { code: 'thread_not_found' });
});
