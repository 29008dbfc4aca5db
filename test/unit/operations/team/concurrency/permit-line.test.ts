// Permits of one team: nothing starts while the store decides, requests come before pages, and a failure ends the waiting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPermitLine } from '../../../../../src/operations/team/concurrency/permit-line.ts';
import type { Permits } from '../../../../../src/store/ports/limits/team-permits.ts';

/** The test answers what the line asks. */
function open() {
  const asked: { wanted: number; running: number; answer: PromiseWithResolvers<Permits> }[] = [];
  const line = createPermitLine((wanted, running) => {
    asked.push({ wanted, running, answer: Promise.withResolvers() });
    return asked.at(-1)!.answer.promise;
  });
  const answer = async (granted: number, allowed = granted) => {
    asked.at(-1)!.answer.resolve({ granted, allowed });
    await new Promise(setImmediate);
  };
  return { line, asked, answer };
}

test('while the store decides by what runs, nothing more starts', async () => {
  const { line, asked, answer } = open();
  const started: string[] = [];
  line.wait(true).turn.then(() => started.push('first'));
  void line.ask();
  await answer(3);
  assert.deepEqual(started, ['first']);
  const asking = line.ask();
  assert.equal(line.tryStart(), false, 'there were two more, but they may be gone with the answer');
  const { running } = asked.at(-1)!;
  assert.equal(running, 1);
  await answer(1);
  await asking;
  assert.equal(line.tryStart(), false);
});

test('what comes while the store is asked is asked for once', async () => {
  const { line, asked, answer } = open();
  const first = line.ask();
  for (let n = 0; n < 5; n += 1) line.wait(false).turn.catch(() => {});
  const later = [line.ask(), line.ask(), line.ask()];
  await answer(0);
  await first;
  assert.deepEqual(
    asked.map(({ wanted }) => wanted),
    [0, 5],
  );
  await answer(5);
  await Promise.all(later);
  assert.equal(asked.length, 2);
});

test('requests come before pages, and a permit that others want is not used again', async () => {
  const { line, answer } = open();
  const started: string[] = [];
  for (const [name, isUrgent] of [['page', false] as const, ['request', true] as const])
    line.wait(isUrgent).turn.then(() => started.push(name));
  void line.ask();
  await answer(1);
  assert.deepEqual(started, ['request']);
  void line.ask();
  await answer(1, 0);
  assert.equal(line.end(), true);
  assert.deepEqual(started, ['request']);
  void line.ask();
  await answer(1);
  assert.deepEqual(started, ['request', 'page']);
});

test('a failure is told to all who wait, and nothing starts until the store answers again', async () => {
  const { line, asked, answer } = open();
  const waiting = [line.wait(true), line.wait(false)].map(({ turn }) => assert.rejects(turn, /down/));
  const asking = assert.rejects(line.ask(), /down/);
  asked[0]!.answer.reject(new Error('down'));
  await Promise.all([...waiting, asking]);
  assert.equal(line.isIdle, true);
  void line.ask();
  await answer(1);
  assert.equal(line.tryStart(), true);
  assert.equal(line.isIdle, false);
});
