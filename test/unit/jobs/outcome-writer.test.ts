// Which outcomes share a transaction, and what happens to the others when one cannot be written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import { createOutcomeWriter, type OutcomeWriterDeps } from '../../../src/jobs/outcome-writer.ts';
import type { EndedTask, Finished } from '../../../src/store/ports/jobs/job-queue.ts';

const JOB = { status: 'scraping', home: '', total: 1, completed: 1 } as const;
const ended = (id: number): EndedTask => ({ id, outcome: { state: 'blocked' } });
const finished = (id: number): Finished => ({ became: 'blocked', added: id, job: JOB });
const { signal } = new AbortController();

function createScene(deps: Partial<OutcomeWriterDeps> = {}) {
  const groups: number[][] = [];
  const closing = new AbortController();
  const writer = createOutcomeWriter({
    queue: {
      async finish(_owner, tasks) {
        groups.push(tasks.map(({ id }) => id));
        return tasks.map(({ id }) => finished(id));
      },
    },
    health: { persist: (call) => call() },
    owner: 'me',
    running: () => 100,
    closing: closing.signal,
    clock: { now: () => 0 },
    ...deps,
  });
  const write = (...ids: number[]) => Promise.all(ids.map((id) => writer.write(ended(id), signal)));
  return { groups, closing, write };
}

test('outcomes that arrive together share a transaction, and each gets its own answer', async () => {
  const { groups, write } = createScene();
  assert.deepEqual(await write(1, 2, 3), [1, 2, 3].map(finished));
  assert.deepEqual(groups, [[1, 2, 3]]);
});

test('an outcome is written at once when no other task is in flight', async () => {
  const { groups, write } = createScene({ running: () => 2 });
  const written = write(1, 2, 3, 4);
  // Without waiting for a timer.
  assert.deepEqual(groups, [
    [1, 2],
    [3, 4],
  ]);
  await written;
});

test('a group has a limit', () => {
  const { groups, write } = createScene();
  void write(...Array.from({ length: 20 }, (_, id) => id));
  assert.deepEqual(
    groups.map(({ length }) => length),
    [8, 8],
  );
});

test('an outcome waits longer for others if tasks enough for a group are in flight', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const [tasks, ms] of [
    [8, 40],
    [9, 120],
  ] as const) {
    const { groups, write } = createScene({ running: () => tasks });
    void write(1);
    t.mock.timers.tick(ms - 1);
    assert.deepEqual(groups, []);
    t.mock.timers.tick(1);
    assert.deepEqual(groups, [[1]]);
  }
});

test('what waits is written at once when the worker closes', () => {
  const { groups, closing, write } = createScene();
  void write(1);
  assert.deepEqual(groups, []);
  closing.abort();
  void write(2);
  assert.deepEqual(groups, [[1], [2]]);
});

test('an outcome that cannot be written fails alone', async () => {
  const attempts: number[][] = [];
  const { write } = createScene({
    queue: {
      async finish(_owner, tasks) {
        attempts.push(tasks.map(({ id }) => id));
        if (tasks.some(({ id }) => id === 2)) throw new ServiceError('UNKNOWN_ERROR');
        return tasks.map(({ id }) => finished(id));
      },
    },
  });
  const answers = await Promise.allSettled([1, 2, 3].map((id) => write(id)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(attempts, [[1, 2, 3], [1], [2], [3]]);
});

test('on a full disk, the outcomes of a group wait and are then written', async () => {
  let isFull = true;
  const full = new ServiceError('STORAGE_UNAVAILABLE');
  const groups: number[][] = [];
  const { write } = createScene({
    queue: {
      async finish(_owner, tasks) {
        if (isFull) throw full;
        groups.push(tasks.map(({ id }) => id));
        return tasks.map(({ id }) => finished(id));
      },
    },
    health: {
      persist: (call) =>
        call().catch((error: unknown) => {
          assert.equal(error, full);
          isFull = false;
          return call();
        }),
    },
  });
  assert.deepEqual(await write(1, 2), [1, 2].map(finished));
  assert.deepEqual(groups, [[1, 2]]);
});
