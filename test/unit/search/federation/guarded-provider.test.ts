// What stands around one provider: its keys, its breaker, its memory, and questions that several ask at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  answers,
  type Behaviour,
  CONDITIONS,
  never,
  question,
  results,
  type Seen,
  setStage,
  status,
} from './ask-stage.ts';

const HOUR = 3_600_000;
const fresh = { retain: false };
const keysOf = (seen: Seen[] | undefined) => seen?.map(({ key }) => key).join(' ');

/** Refuses some keys with a status. */
const refusing = (refused: Record<string, [number, Record<string, string>?]>): Behaviour => {
  return (seen, response, request) => {
    const [code, headers] = refused[seen.key ?? ''] ?? [];
    (code ? status(code, headers) : answers(results(1, 2)))(seen, response, request);
  };
};

test('when a key is used up the next one is asked with at once, and the first again after its rest', async (t) => {
  const stage = await setStage(
    t,
    { brave: refusing({ one: [429, { 'retry-after': '30' }] }) },
    {
      settings: { access: { brave: { keys: ['one', 'two'] } } },
    },
  );
  const run = await stage.askOne(fresh);
  assert.deepEqual([run.state, run.kept.length, run.requests], ['answered', 2, 2]);
  await stage.askOne(fresh);
  assert.equal(keysOf(stage.seen.brave), 'one two two');
  stage.behave('brave', refusing({}));
  stage.turnAhead(30_000);
  await stage.askOne(fresh);
  assert.equal(keysOf(stage.seen.brave), 'one two two one');
});

test('when every key is used up or refused the provider rests, is named, and is asked again later', async (t) => {
  const stage = await setStage(
    t,
    { brave: refusing({ one: [402], two: [401] }) },
    {
      settings: { access: { brave: { keys: ['one', 'two'] } } },
    },
  );
  const first = await stage.askOne();
  assert.deepEqual([first.state, first.problemKind, first.requests], ['failed', 'key', 2]);
  const second = await stage.askOne();
  assert.deepEqual([second.state, second.requests, second.isConfigured], ['resting', 0, true]);
  assert.equal(keysOf(stage.seen.brave), 'one two');
  stage.behave('brave', refusing({}));
  stage.turnAhead(HOUR);
  assert.equal((await stage.askOne()).state, 'answered');
});

test('each key is tried once for one question, however soon it may be asked with again', async (t) => {
  const stage = await setStage(
    t,
    { brave: status(429, { 'retry-after': '0' }) },
    { settings: { access: { brave: { keys: ['one', 'two'] } } } },
  );
  assert.equal((await stage.askOne()).requests, 2);
  assert.equal(keysOf(stage.seen.brave), 'one two');
});

test('neither keys nor the query stand in what is told or logged', async (t) => {
  const stage = await setStage(
    t,
    { brave: refusing({ s3cret: [401] }), exa: status(500) },
    {
      settings: { access: { brave: { keys: ['s3cret'] } } },
    },
  );
  const runs = await stage.ask(question('private words'));
  assert.equal(stage.seen.brave![0]!.query, 'private words');
  assert.equal(stage.logged.length, 2);
  assert.doesNotMatch(JSON.stringify([runs, stage.logged]), /s3cret|private words|127\.0\.0\.1/);
});

test('whoever never worked is left alone after one failure, and asked again after a pause', async (t) => {
  const stage = await setStage(t, { brave: status(500) });
  assert.equal((await stage.askOne()).state, 'failed');
  const resting = await stage.askOne();
  assert.deepEqual([resting.state, resting.problemKind, resting.requests], ['resting', 'down', 0]);
  assert.match(resting.problem!, /out of order \(status 500\)/);
  stage.behave('brave', answers(results(1, 1)));
  stage.turnAhead(10_000);
  assert.equal((await stage.askOne()).state, 'answered');
  assert.equal(stage.seen.brave!.length, 2);
});

test('whoever works may fail twice before it is left alone, and what it asks for is kept to', async (t) => {
  const stage = await setStage(t, { brave: answers(results(1, 1)) });
  const states: string[] = [];
  const askTimes = async (times: number) => {
    for (let n = 0; n < times; n++) states.push((await stage.askOne(fresh)).state);
  };
  await askTimes(1);
  stage.behave('brave', status(500));
  await askTimes(4);
  assert.deepEqual(states, ['answered', 'failed', 'failed', 'failed', 'resting']);
  stage.behave('brave', status(503, { 'retry-after': '100' }));
  stage.turnAhead(10_000);
  await askTimes(1);
  stage.turnAhead(99_000);
  await askTimes(1);
  stage.behave('brave', answers([]));
  stage.turnAhead(1_000);
  await askTimes(1);
  assert.deepEqual(states.slice(5), ['failed', 'resting', 'answered']);
});

test('a request that the provider refuses, or a quota, says nothing against the provider', async (t) => {
  const stage = await setStage(t, { brave: status(400), exa: status(429, { 'retry-after': '5' }) });
  await stage.ask(fresh);
  const [brave, exa] = await stage.ask(fresh);
  assert.deepEqual([brave!.state, brave!.requests, exa!.state, exa!.requests], ['failed', 1, 'resting', 0]);
  stage.turnAhead(5_000);
  assert.equal((await stage.ask(fresh))[1]!.requests, 1);
});

test('one that let a search wait is tried behind the back of the next, and asked again once that went well', async (t) => {
  const stage = await setStage(t, { brave: never }, { limitMs: 700 });
  assert.equal((await stage.askOne(fresh)).state, 'timed-out');
  // The request itself ends with the search that waited for it, or a moment after.
  await delay(100);
  stage.turnAhead(10_000);
  stage.behave('brave', answers(results(1, 1)));
  assert.equal((await stage.askOne(fresh)).state, 'resting');
  while ((await stage.askOne(fresh)).state === 'resting') await delay(10);
  assert.equal(stage.seen.brave!.length, 3);
});

test('a slow provider is known to be slow although the caller had less time than it', async (t) => {
  const stage = await setStage(t, { brave: never }, { limitMs: 300 });
  assert.equal((await stage.askOne({ timeLeftMs: 50 })).state, 'timed-out');
  await delay(400);
  assert.equal((await stage.askOne({ timeLeftMs: 50 })).state, 'resting');
});

test('a question is answered from memory for ten minutes, about the last hour for one', async (t) => {
  const stage = await setStage(t, { brave: answers(results(1, 2)) });
  const lastHour = () => ({ ...CONDITIONS, time: { preset: 'hour' as const, from: Date.now() } });
  const requests: number[] = [];
  const askAfter = async (ms: number, changes = {}) => {
    stage.turnAhead(ms);
    const run = await stage.askOne(changes);
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

test('whatever changes the answer is another question', async (t) => {
  const stage = await setStage(t, { brave: answers(results(1, 2)) });
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
    assert.equal((await stage.askOne({ ...changes, retain: true })).requests, 1, JSON.stringify(changes));
  }
});

test('what may leave no trace is neither answered from memory nor remembered', async (t) => {
  const stage = await setStage(t, { brave: answers(results(1, 2)) });
  const requests: number[] = [];
  for (const retain of [false, true, false, true]) requests.push((await stage.askOne({ retain })).requests);
  assert.deepEqual(requests, [1, 1, 1, 0]);
});

test('what is kept of an answer is decided anew by everyone who asks', async (t) => {
  const stage = await setStage(t, { brave: answers(results(1, 2)) });
  assert.equal((await stage.askOne()).kept.length, 2);
  const run = await stage.askOne({ rejectionOf: () => 'no' });
  assert.deepEqual([run.kept.length, run.dropped.length, run.requests], [0, 2, 0]);
});

test('the same question at the same time goes out once, and one who leaves does not end it for the others', async (t) => {
  const held = Promise.withResolvers<void>();
  const stage = await setStage(t, {
    brave: async (seen, response, request) => {
      await held.promise;
      answers(results(1, 2))(seen, response, request);
    },
  });
  const leaving = new AbortController();
  const left = stage.ask({}, leaving.signal);
  const staying = [stage.ask(), stage.ask()];
  const alone = stage.ask(fresh);
  while (stage.seen.brave!.length < 2) await delay(5);
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
  assert.equal(stage.seen.brave!.length, 2);
});
