// What the operator sees of a provider: its state, its last problem, and a test that asks it now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers, never, results, startHarness, status } from './federation-harness.ts';

const fresh = { retainFor: undefined };
const { signal } = new AbortController();

test('a provider that was never asked says so, one that answered says when, and unusable ones say why', async (t) => {
  const harness = await startHarness(
    t,
    { brave: answers(results(1, 2)), exa: answers([]), wikipedia: answers([]) },
    {
      settings: { keyless: false, access: { brave: { keys: ['s3cret'] } } },
      adapters: { brave: { needs: 'key' }, exa: { needs: 'key' } },
    },
  );
  const [before] = await harness.providers.list();
  assert.deepEqual([before!.state, before!.requests, before!.lastAnswerAt], ['unknown', 0, undefined]);
  await harness.ask(fresh);
  const [brave, exa, wikipedia] = await harness.providers.list();
  assert.deepEqual([brave!.state, brave!.requests, brave!.failures, brave!.isUsed], ['answers', 1, 0, true]);
  assert.equal(typeof brave!.lastAnswerAt, 'number');
  assert.deepEqual([brave!.hasKey, exa!.hasKey], [true, false]);
  assert.ok(!JSON.stringify([brave, exa, wikipedia]).includes('s3cret'));
  assert.deepEqual([exa!.isUsed, exa!.obstacle], [false, 'it needs a key (TRAWL_EXA_API_KEY)']);
  assert.match(wikipedia!.obstacle!, /TRAWL_KEYLESS_PROVIDERS=off/);
  assert.equal((await harness.providers.test('exa', signal))!.problem, exa!.obstacle);
  assert.equal(harness.seen.exa!.length, 0);
  assert.equal(await harness.providers.test('nobody', signal), undefined);
});

test('a failure is kept with its words, and a test asks in spite of the pause and ends it', async (t) => {
  const harness = await startHarness(t, { wikipedia: status(503) });
  await harness.ask(fresh);
  const [failed] = await harness.providers.list();
  assert.deepEqual([failed!.state, failed!.failures], ['paused', 1]);
  assert.ok(failed!.pausedUntil! > Date.now());
  assert.match(failed!.lastProblem!.text, /^it /);
  assert.equal((await harness.askOne(fresh)).state, 'resting');
  assert.match((await harness.providers.test('wikipedia', signal))!.problem!, /^it /);
  assert.equal(harness.seen.wikipedia!.length, 2);
  harness.behave('wikipedia', answers(results(1, 3)));
  const works = await harness.providers.test('wikipedia', signal);
  assert.deepEqual([works!.problem, works!.results], [undefined, 3]);
  const [now] = await harness.providers.list();
  assert.deepEqual([now!.state, now!.pausedUntil, now!.requests], ['answers', undefined, 3]);
  assert.equal(now!.lastProblem!.text, failed!.lastProblem!.text);
  assert.equal((await harness.askOne(fresh)).state, 'answered');
});

test('a test tries a key that is paused, and an answer ends its pause', async (t) => {
  const harness = await startHarness(t, { brave: status(401) }, { settings: { access: { brave: { keys: ['one'] } } } });
  await harness.ask(fresh);
  const [paused] = await harness.providers.list();
  assert.equal(paused!.state, 'paused');
  assert.match(paused!.lastProblem!.text, /^it does not accept its key/);
  harness.behave('brave', answers(results(1, 1)));
  assert.equal((await harness.providers.test('brave', signal))!.problem, undefined);
  assert.equal((await harness.providers.list())[0]!.state, 'answers');
  assert.equal((await harness.askOne(fresh)).state, 'answered');
});

test('a test of a silent provider ends by its time limit, or when its caller leaves', async (t) => {
  const harness = await startHarness(t, { wikipedia: never }, { limitMs: 50 });
  assert.equal((await harness.providers.test('wikipedia', signal))!.problem, 'it did not answer in time');
  const gone = AbortSignal.abort(new Error('gone'));
  await assert.rejects(harness.providers.test('wikipedia', gone), /gone/);
});
