// What surrounds one provider: its keys, its circuit breaker, its cache, and shared requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createPageSharing, SHARED } from '../../../../src/page/page-owner.ts';
import {
  answers,
  type Behaviour,
  CONDITIONS,
  never,
  question,
  results,
  type SeenRequest,
  startHarness,
  status,
} from './federation-harness.ts';

const HOUR = 3_600_000;
const fresh = { retainFor: undefined };
const keysOf = (seen: SeenRequest[] | undefined) => seen?.map(({ key }) => key).join(' ');

/** Refuses some keys with a status. */
const refusing = (refused: Record<string, [number, Record<string, string>?]>): Behaviour => {
  return (seen, response, request) => {
    const [code, headers] = refused[seen.key ?? ''] ?? [];
    (code ? status(code, headers) : answers(results(1, 2)))(seen, response, request);
  };
};

test('when a key is used up the next one is tried at once, and the first again after its pause', async (t) => {
  const harness = await startHarness(
    t,
    { brave: refusing({ one: [429, { 'retry-after': '30' }] }) },
    {
      settings: { access: { brave: { keys: ['one', 'two'] } } },
    },
  );
  const run = await harness.askOne(fresh);
  assert.deepEqual([run.state, run.kept.length, run.requests], ['answered', 2, 2]);
  await harness.askOne(fresh);
  assert.equal(keysOf(harness.seen.brave), 'one two two');
  harness.behave('brave', refusing({}));
  harness.advanceClock(30_000);
  await harness.askOne(fresh);
  assert.equal(keysOf(harness.seen.brave), 'one two two one');
});

test('when every key is used up or refused, the provider is paused, named, and asked again later', async (t) => {
  const harness = await startHarness(
    t,
    { brave: refusing({ one: [402], two: [401] }) },
    {
      settings: { access: { brave: { keys: ['one', 'two'] } } },
    },
  );
  const first = await harness.askOne();
  assert.deepEqual([first.state, first.problemKind, first.requests], ['failed', 'key', 2]);
  const second = await harness.askOne();
  assert.deepEqual([second.state, second.requests, second.isConfigured], ['resting', 0, true]);
  assert.equal(keysOf(harness.seen.brave), 'one two');
  harness.behave('brave', refusing({}));
  harness.advanceClock(HOUR);
  assert.equal((await harness.askOne()).state, 'answered');
});

test('each key is tried once per query, however short its pause', async (t) => {
  const harness = await startHarness(
    t,
    { brave: status(429, { 'retry-after': '0' }) },
    { settings: { access: { brave: { keys: ['one', 'two'] } } } },
  );
  assert.equal((await harness.askOne()).requests, 2);
  assert.equal(keysOf(harness.seen.brave), 'one two');
});

test('neither keys nor the query appear in results or logs', async (t) => {
  const harness = await startHarness(
    t,
    { brave: refusing({ s3cret: [401] }), exa: status(500) },
    {
      settings: { access: { brave: { keys: ['s3cret'] } } },
    },
  );
  const runs = await harness.ask(question('private words'));
  assert.equal(harness.seen.brave![0]!.query, 'private words');
  assert.equal(harness.logged.length, 2);
  assert.doesNotMatch(JSON.stringify([runs, harness.logged]), /s3cret|private words|127\.0\.0\.1/);
});

test('a failure is logged once for each reason until the provider works again', async (t) => {
  const harness = await startHarness(t, { brave: answers([]) });
  const lines = async (behaviour: Behaviour, times: number) => {
    harness.behave('brave', behaviour);
    for (let n = 0; n < times; n++) {
      harness.advanceClock(HOUR);
      await harness.askOne(fresh);
    }
    return harness.logged.splice(0).map((line) => (line as [object, string])[1]);
  };
  assert.deepEqual(await lines(answers([]), 2), []);
  assert.deepEqual(await lines(status(500), 5), ['search provider failed']);
  assert.deepEqual(await lines(status(429), 3), ['search provider paused']);
  assert.deepEqual(await lines(status(500), 2), []);
  assert.deepEqual(await lines(answers([]), 2), ['search provider works again']);
  assert.deepEqual(await lines(status(500), 2), ['search provider failed']);
});

test('a provider with a pace is asked once per interval, however many searches come', async (t) => {
  const harness = await startHarness(
    t,
    { brave: answers(results(1, 1)) },
    { limitMs: 3_000, adapters: { brave: { everyMs: 1_000 } } },
  );
  const ask = (n: number) => harness.askOne(question(`words ${n}`));
  assert.equal((await ask(0)).state, 'answered');
  assert.deepEqual(harness.slept, []);
  assert.equal((await ask(1)).state, 'answered');
  assert.equal(harness.slept.length, 1);
  assert.ok(harness.slept[0]! > 500 && harness.slept[0]! <= 1_000);
  // A cached answer needs no turn.
  await ask(1);
  assert.deepEqual([harness.slept.length, harness.seen.brave!.length], [1, 2]);
});

test('a search that cannot get a turn in time says so, and does not count against the provider', async (t) => {
  const harness = await startHarness(
    t,
    { brave: answers(results(1, 1)) },
    { limitMs: 3_000, adapters: { brave: { everyMs: 10_000 } } },
  );
  assert.equal((await harness.askOne(question('one'))).state, 'answered');
  const late = await harness.askOne(question('two'));
  assert.deepEqual([late.state, late.problemKind, late.requests], ['failed', 'quota', 0]);
  assert.match(late.problem!, /too many searches/);
  harness.advanceClock(10_000);
  assert.equal((await harness.askOne(question('three'))).state, 'answered');
  assert.deepEqual([harness.seen.brave!.length, harness.logged.length], [2, 0]);
});

test('a provider that never worked is paused after one failure and asked again later', async (t) => {
  const harness = await startHarness(t, { brave: status(500) });
  assert.equal((await harness.askOne()).state, 'failed');
  const resting = await harness.askOne();
  assert.deepEqual([resting.state, resting.problemKind, resting.requests], ['resting', 'down', 0]);
  assert.match(resting.problem!, /out of order \(status 500\)/);
  harness.behave('brave', answers(results(1, 1)));
  harness.advanceClock(10_000);
  assert.equal((await harness.askOne()).state, 'answered');
  assert.equal(harness.seen.brave!.length, 2);
});

test('a working provider may fail twice before it is paused, and its Retry-After is respected', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 1)) });
  const states: string[] = [];
  const askTimes = async (times: number) => {
    for (let n = 0; n < times; n++) states.push((await harness.askOne(fresh)).state);
  };
  await askTimes(1);
  harness.behave('brave', status(500));
  await askTimes(4);
  assert.deepEqual(states, ['answered', 'failed', 'failed', 'failed', 'resting']);
  harness.behave('brave', status(503, { 'retry-after': '100' }));
  harness.advanceClock(10_000);
  await askTimes(1);
  harness.advanceClock(99_000);
  await askTimes(1);
  harness.behave('brave', answers([]));
  harness.advanceClock(1_000);
  await askTimes(1);
  assert.deepEqual(states.slice(5), ['failed', 'resting', 'answered']);
});

test('a refused request or an exhausted quota does not count as a failure of the provider', async (t) => {
  const harness = await startHarness(t, { brave: status(400), exa: status(429, { 'retry-after': '5' }) });
  await harness.ask(fresh);
  const [brave, exa] = await harness.ask(fresh);
  assert.deepEqual([brave!.state, brave!.requests, exa!.state, exa!.requests], ['failed', 1, 'resting', 0]);
  harness.advanceClock(5_000);
  assert.equal((await harness.ask(fresh))[1]!.requests, 1);
});

test('a provider that timed out is retried in the background, and asked again once that succeeds', async (t) => {
  const harness = await startHarness(t, { brave: never }, { limitMs: 700 });
  assert.equal((await harness.askOne(fresh)).state, 'timed-out');
  // The request itself ends with the search that waited for it, or shortly after.
  await delay(100);
  harness.advanceClock(10_000);
  harness.behave('brave', answers(results(1, 1)));
  assert.equal((await harness.askOne(fresh)).state, 'resting');
  while ((await harness.askOne(fresh)).state === 'resting') await delay(10);
  assert.equal(harness.seen.brave!.length, 3);
});

test('a slow provider is recognised as slow even when the caller had less time', async (t) => {
  const harness = await startHarness(t, { brave: never }, { limitMs: 300 });
  assert.equal((await harness.askOne({ timeLeftMs: 50 })).state, 'timed-out');
  await delay(400);
  assert.equal((await harness.askOne({ timeLeftMs: 50 })).state, 'resting');
});

test('a query is answered from the cache for ten minutes, one about the last hour for one minute', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 2)) });
  const lastHour = () => ({ ...CONDITIONS, time: { preset: 'hour' as const, from: Date.now() } });
  const requests: number[] = [];
  const askAfter = async (ms: number, changes = {}) => {
    harness.advanceClock(ms);
    const run = await harness.askOne(changes);
    assert.equal(run.kept.length, 2);
    requests.push(run.requests);
  };
  await askAfter(0);
  await askAfter(0);
  await askAfter(599_000);
  await askAfter(2_000);
  assert.deepEqual(requests.splice(0), [1, 0, 0, 1]);
  await askAfter(0, { conditions: lastHour() });
  await askAfter(58_000, { conditions: lastHour() });
  await askAfter(3_000, { conditions: lastHour() });
  assert.deepEqual(requests, [1, 0, 1]);
});

test('every condition that changes the answer is part of the cache key', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 2)) });
  const conditions = [
    { country: 'DE' },
    { language: 'de' },
    { location: 'Berlin' },
    { safe: true },
    { sortByDate: true },
    { includeDomains: ['a.example'] },
    { excludeDomains: ['a.example'] },
    { categories: ['pdf' as const] },
    { time: { from: 60_000 } },
    { time: { until: 60_000 } },
    { time: { preset: 'day' as const, from: 60_000 } },
  ].map((change) => ({ conditions: { ...CONDITIONS, ...change } }));
  const others = [
    {},
    question('other'),
    question('"words"'),
    { wanted: 3 },
    { source: 'news' as const },
    ...conditions,
  ];
  for (const changes of others) {
    assert.equal((await harness.askOne({ ...changes, retainFor: SHARED })).requests, 1, JSON.stringify(changes));
  }
});

test('a query that must not be retained is neither answered from the cache nor cached', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 2)) });
  const requests: number[] = [];
  for (const retainFor of [undefined, SHARED, undefined, SHARED])
    requests.push((await harness.askOne({ retainFor })).requests);
  assert.deepEqual(requests, [1, 1, 1, 0]);
});

test('answers that one team asked for are not given to another if teams are isolated', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 2)) });
  const { ownerOfAnswers } = createPageSharing({ isolatesTeams: true });
  const requests: number[] = [];
  for (const team of ['a', 'b', 'a', 'b']) {
    requests.push((await harness.askOne({ retainFor: ownerOfAnswers(team) })).requests);
  }
  assert.deepEqual(requests, [1, 1, 0, 0]);
});

test('results of a cached answer are filtered anew for every caller', async (t) => {
  const harness = await startHarness(t, { brave: answers(results(1, 2)) });
  assert.equal((await harness.askOne()).kept.length, 2);
  const run = await harness.askOne({ rejectionOf: () => 'no' });
  assert.deepEqual([run.kept.length, run.dropped.length, run.requests], [0, 2, 0]);
});

test('identical queries at the same time share one request, which survives a caller that leaves', async (t) => {
  const held = Promise.withResolvers<void>();
  const harness = await startHarness(t, {
    brave: async (seen, response, request) => {
      await held.promise;
      answers(results(1, 2))(seen, response, request);
    },
  });
  const leaving = new AbortController();
  const left = harness.ask({}, leaving.signal);
  const staying = [harness.ask(), harness.ask()];
  const alone = harness.ask(fresh);
  while (harness.seen.brave!.length < 2) await delay(5);
  leaving.abort(new Error('left'));
  await assert.rejects(left, /left/);
  held.resolve();
  const runs = (await Promise.all([...staying, alone])).flat();
  assert.deepEqual(
    runs.map(({ state, kept, requests }) => [state, kept.length, requests]),
    [
      ['answered', 2, 0],
      ['answered', 2, 0],
      ['answered', 2, 1],
    ],
  );
  assert.equal(harness.seen.brave!.length, 2);
});
