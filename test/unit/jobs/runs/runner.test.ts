// The runner with the real store: steps that are done once, restarts, cancellation, failures and a full disk.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { RunHandler, RunTools } from '../../../../src/jobs/runs/run-handler.ts';
import { createRunner, type Runner } from '../../../../src/jobs/runs/runner.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import type { NewRun, RunView } from '../../../../src/store/ports/runs/run-store.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import { sampleRun } from '../../../conformance/runs.ts';
import { START } from '../../../conformance/samples.ts';
import { openBudgets } from '../../../support/budgets.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';
import { until } from '../webhooks/webhook-jobs.ts';

type Work = RunHandler['work'];

interface Scene {
  store: Store;
  /** The tokens of which the last event told. */
  toldTokens(): number | undefined;
  begin(work: Work): Runner;
  start(run?: Partial<NewRun>): Promise<NewRun>;
  read(run: NewRun): Promise<RunView>;
  ended(run: NewRun): Promise<RunView>;
}

async function open(t: TestContext): Promise<Scene> {
  const { store } = await openTemporaryStore(t);
  const clock = createTestClock();
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const read = async ({ id }: NewRun) => (await store.runs.view(id, teamId, START))!;
  let told: number | undefined;
  return {
    store,
    toldTokens: () => told,
    begin(work) {
      const runner = createRunner({
        runReservations: openBudgets(store, clock).runReservations,
        ...{ queue: store.runQueue, runs: store.runs, health: store.health, clock, log: createLog('silent') },
        loadHandler: async () => ({
          work,
          endEvents({ tokens }, { status }) {
            told = tokens;
            return [{ type: `agent.${status}`, success: true, data: [] }];
          },
        }),
        onChange: () => {},
      });
      t.after(() => runner.close());
      runner.wake();
      return runner;
    },
    async start(run = {}) {
      const added = sampleRun(teamId, run);
      assert.equal(await store.runs.add(added), 'added');
      return added;
    },
    read,
    async ended(run) {
      await until(async () => !['queued', 'running'].includes((await read(run)).status));
      return read(run);
    },
  };
}

const step = (tools: RunTools, key: string, work: () => unknown) =>
  tools.step<unknown>({ key, name: 'work' }, async () => ({ output: work(), credits: 1, tokens: 10 }));

test('after a stop, a run goes on after its last finished step', async (t) => {
  const scene = await open(t);
  const done: string[] = [];
  const stopped = Promise.withResolvers<void>();
  let isSecond = false;
  const work: Work = async (_run, tools) => {
    const first = await step(tools, 'first', () => done.push('first') && 'one');
    await step(tools, 'second', () => done.push('second'));
    if (!isSecond) {
      stopped.resolve();
      await new Promise((_, reject) => tools.signal.addEventListener('abort', () => reject(tools.signal.reason)));
    }
    const last = await step(tools, 'last', () => done.push('last') && 'three');
    return { status: 'completed', result: [first, last], credits: tools.spent().credits };
  };
  const run = await scene.start();
  const runner = scene.begin(work);
  await stopped.promise;
  await runner.close();
  assert.equal((await scene.read(run)).status, 'queued');
  isSecond = true;
  scene.begin(work);
  const { status, result, credits } = await scene.ended(run);
  assert.deepEqual([status, result, credits], ['completed', ['one', 'three'], 3]);
  assert.deepEqual(done, ['first', 'second', 'last']);
  assert.equal(scene.toldTokens(), 30, 'those before the stop included');
});

test('a step with an effect that was interrupted is not done again', async (t) => {
  const scene = await open(t);
  const run = await scene.start();
  const clicks: string[] = [];
  const clicked = Promise.withResolvers<void>();
  const work: Work = async (_run, tools) => {
    const output = await tools.step({ key: 'click', name: 'click', ifInterrupted: () => 'unknown' }, async (signal) => {
      clicks.push('click');
      clicked.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    return { status: 'completed', result: output, credits: 0 };
  };
  const runner = scene.begin(work);
  await clicked.promise;
  await runner.close();
  scene.begin(work);
  assert.equal((await scene.ended(run)).result, 'unknown');
  assert.deepEqual(clicks, ['click']);
});

test('two callers of one step share it, and a step that failed can be tried again', async (t) => {
  const scene = await open(t);
  const run = await scene.start();
  let times = 0;
  scene.begin(async (_run, tools) => {
    const shared = await Promise.all([1, 2].map(() => step(tools, 'same', () => (times += 1))));
    const failing = () => tools.step({ key: 'hard', name: 'hard' }, async () => Promise.reject(new Error('not yet')));
    await assert.rejects(failing());
    const second = await step(tools, 'hard', () => 'done');
    return { status: 'completed', result: [...shared, second], credits: 0 };
  });
  assert.deepEqual((await scene.ended(run)).result, [1, 1, 'done']);
});

test('a cancelled run ends as cancelled, whether it works or waits, and is paid as far as it came', async (t) => {
  const scene = await open(t);
  const run = await scene.start();
  const begun = Promise.withResolvers<void>();
  const runner = scene.begin(async (_run, tools) => {
    await step(tools, 'one', () => 1);
    begun.resolve();
    return new Promise((_, reject) => tools.signal.addEventListener('abort', () => reject(tools.signal.reason)));
  });
  await begun.promise;
  await scene.store.runs.cancel(run.id, run.teamId, START);
  runner.cancel(run.id);
  const { status, stopReason, credits } = await scene.ended(run);
  assert.deepEqual([status, stopReason, credits], ['cancelled', 'cancelled', 1]);
  assert.equal(scene.toldTokens(), 10);
});

test('a known error ends the run with its text, an unexpected one without', async (t) => {
  const scene = await open(t);
  const errors: Error[] = [
    new ServiceError('NO_VALID_URLS', { message: 'No URL is left.' }),
    new Error('secret detail'),
  ];
  const runs = [await scene.start({ request: { at: 0 } }), await scene.start({ request: { at: 1 } })];
  scene.begin(async ({ request }) => {
    throw errors[(request as { at: number }).at]!;
  });
  const [known, unknown] = await Promise.all(runs.map(scene.ended));
  assert.deepEqual([known?.status, known?.error, known?.credits], ['failed', 'No URL is left.', 0]);
  assert.equal(unknown?.status, 'failed');
  assert.doesNotMatch(unknown?.error ?? '', /secret/);
});
