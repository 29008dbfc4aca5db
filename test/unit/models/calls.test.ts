// What surrounds a call: formats that a server knows, retries, limits, counts, memory, and privacy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import type { ModelPurpose } from '../../../src/contracts/operator/model-purpose.ts';
import type { Clock } from '../../../src/util/clock.ts';
import * as replies from '../../support/models/replies.ts';
import { openTestModels } from '../../support/models/test-models.ts';
import { startProxy } from '../../support/proxy.ts';

const SCHEMA = { type: 'object', properties: { title: { type: 'string' } } };
const CLOSED = { ...SCHEMA, required: ['title'], additionalProperties: false };
const CALL = { instructions: 'Read the title.', material: 'Title: Hello' };
const signal = new AbortController().signal;
const ask = { ...CALL, schema: SCHEMA, signal };

const isError = (code: string, text?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, code, error.message);
  if (text) assert.match(error.message, text);
  return true;
};

/** Time that passes only while somebody sleeps. */
function sleepingClock(): Clock & { slept: number[] } {
  let now = 1_700_000_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms, aborted) {
      aborted?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

test('a server without json_schema is asked for any JSON, then for prose, and that is remembered', async (t) => {
  const { model, server } = await openTestModels(
    t,
    replies.refusesFormats(['schema', 'json'], replies.says('Sure! ```json\n{"title": "Hello",}\n```')),
  );
  assert.deepEqual((await model().object(ask)).value, { title: 'Hello' });
  assert.deepEqual(
    server.calls.map(({ format }) => format),
    ['schema', 'json', 'text'],
  );
  assert.ok(server.calls.every(({ system }) => system.includes('"title"')));
  await model().object({ ...ask, material: 'Another page' });
  assert.deepEqual(server.calls.map(({ format }) => format).slice(3), ['text']);
});

test('a server that ignores the schema and chats is asked in another way', async (t) => {
  const { model, server } = await openTestModels(t, (call) => ({
    text: call.format === 'schema' ? 'I like this page.' : { title: 'Hello' },
  }));
  assert.deepEqual((await model().object(ask)).value, { title: 'Hello' });
  assert.deepEqual(
    server.calls.map(({ format }) => format),
    ['schema', 'json'],
  );
});

test('the reason for working without a model is the one that counts', async (t) => {
  const { models } = await openTestModels(t, replies.says('Hello'), { settings: { TRAWL_MODEL_AGENT: 'off' } });
  const asker = { team: 'team', isPrivate: false };
  const without = (purpose: ModelPurpose) => {
    const chosen = models.choose(purpose, asker);
    return 'without' in chosen ? chosen.without : undefined;
  };
  assert.match(without('agent')!, /switched the model off.*TRAWL_MODEL_AGENT=off/);
  assert.equal(without('extract'), undefined);
  const { models: few } = await openTestModels(t, replies.says('Hello'), {
    settings: { TRAWL_MODEL: '', TRAWL_MODEL_AGENT: 'off', TRAWL_MODEL_JUDGE: 'ollama:small' },
  });
  const chosen = few.choose('extract', asker);
  assert.match('without' in chosen ? chosen.without : '', /^no model is set/);
});

test('only a closed schema is sent as strict', async (t) => {
  const { model, server } = await openTestModels(t, replies.says({ title: 'Hello' }));
  await model().object(ask);
  await model().object({ ...ask, schema: CLOSED });
  const strict = server.calls.map(
    ({ body }) => (body.response_format as { json_schema: { strict: boolean } }).json_schema.strict,
  );
  assert.deepEqual(strict, [false, true]);
});

test('prose that holds no JSON is an error, and is not repaired into a string', async (t) => {
  const { model } = await openTestModels(t, replies.says('There is no title.'));
  await assert.rejects(model().object(ask), isError('MODEL_FAILED', /cannot be read/));
});

test('a busy server is asked again after the time that it names', async (t) => {
  const clock = sleepingClock();
  const { model, server } = await openTestModels(t, replies.after(1, replies.TOO_MANY, replies.says('Hello')), {
    clock,
  });
  assert.equal((await model('answer', { deadline: clock.now() + 30_000 }).text({ ...CALL, signal })).value, 'Hello');
  assert.deepEqual(clock.slept, [1_000]);
  assert.equal(server.calls.length, 2);
});

test('no retry starts that could not end within the time of the request', async (t) => {
  const clock = sleepingClock();
  const busy = { status: 429, headers: { 'retry-after': '60' }, error: 'slow down' } as const;
  const { model, server } = await openTestModels(t, () => busy, { clock });
  await assert.rejects(
    model('answer', { deadline: clock.now() + 30_000 }).text({ ...CALL, signal }),
    isError('MODEL_FAILED', /busy/),
  );
  assert.equal(server.calls.length, 1);
});

test('a broken server is tried three times, then left alone until a trial works', async (t) => {
  const clock = sleepingClock();
  const { model, models, server } = await openTestModels(t, () => replies.BROKEN, { clock });
  await assert.rejects(model().text({ ...CALL, signal }), isError('MODEL_FAILED'));
  assert.equal(server.calls.length, 3);
  const asker = { team: 'team', isPrivate: false };
  const paused = models.choose('extract', asker);
  assert.ok('without' in paused && /cannot be reached/.test(paused.without));
  await clock.sleep(11_000);
  server.answer(replies.says('Hello'));
  assert.equal((await model().text({ ...CALL, signal })).value, 'Hello');
  assert.ok('model' in models.choose('extract', asker));
});

test('a model that is not known is not asked again for a while', async (t) => {
  const { model, models, server } = await openTestModels(t, () => replies.UNKNOWN_MODEL);
  await assert.rejects(model().text({ ...CALL, signal }), isError('MODEL_FAILED', /not known to its server/));
  const chosen = models.choose('extract', { team: 'team', isPrivate: false });
  assert.ok('without' in chosen && chosen.without.includes('compatible:test-model is not known to its server'));
  assert.equal(server.calls.length, 1);
});

test('a server that never answers ends with the time of the request', async (t) => {
  const { model } = await openTestModels(t, () => 'silence');
  const stopped = new AbortController();
  const waiting = model('answer', { deadline: Date.now() + 700 }).text({ ...CALL, signal: stopped.signal });
  await assert.rejects(waiting, isError('MODEL_TIMEOUT'));
});

test('an abort of the caller ends the call with its reason', async (t) => {
  const reason = new ServiceError('SCRAPE_TIMEOUT');
  const stopped = new AbortController();
  const { model } = await openTestModels(t, () => {
    stopped.abort(reason);
    return 'silence';
  });
  await assert.rejects(model().text({ ...CALL, signal: stopped.signal }), (error) => error === reason);
});

test('identical calls of a team are answered from memory; other teams and private requests are not', async (t) => {
  const { model, server, spent, outcomes } = await openTestModels(t, replies.says({ title: 'Hello' }));
  await model().object(ask);
  const again = await model().object(ask);
  assert.deepEqual(again, { value: { title: 'Hello' }, usage: { inputTokens: 0, outputTokens: 0, isCached: true } });
  assert.deepEqual([server.calls.length, spent.get('team')], [1, 120]);
  assert.equal(outcomes.at(-1)!.outcome, 'cached');
  await model('extract', { team: 'others' }).object(ask);
  await model('extract', { isPrivate: true }).object(ask);
  await model('extract', { isPrivate: true }).object(ask);
  assert.equal(server.calls.length, 4);
});

test('tokens are estimated, and said to be, where the server does not count them', async (t) => {
  const { model, spent } = await openTestModels(t, () => replies.UNCOUNTED('Hello, this is the title.'));
  const { usage } = await model().text({ ...CALL, signal });
  assert.ok(usage.isEstimated && usage.inputTokens > 50 && usage.outputTokens > 3, JSON.stringify(usage));
  assert.equal(spent.get('team'), usage.inputTokens + usage.outputTokens);
});

test('a team that has used up its tokens of the day goes without a model until the next day; others do not', async (t) => {
  const clock = sleepingClock();
  const settings = { TRAWL_MODEL_TOKENS_PER_DAY: '200', TRAWL_MODEL_CREDITS_PER_1000_TOKENS: '5' };
  const { model, models } = await openTestModels(t, replies.says('Hello'), { settings, clock });
  const spending = { tokens: 0, credits: 0 };
  await model('answer', { spending }).text({ ...CALL, signal });
  await model('answer', { spending }).text({ ...CALL, material: 'another', signal });
  assert.deepEqual(spending, { tokens: 240, credits: 1.2 });
  const chosen = models.choose('answer', { team: 'team', isPrivate: false });
  assert.ok('without' in chosen && /tokens of today/.test(chosen.without));
  assert.ok('model' in models.choose('answer', { team: 'others', isPrivate: false }));
  await clock.sleep(24 * 3_600_000);
  assert.ok('model' in models.choose('answer', { team: 'team', isPrivate: false }));
});

test('what was used before a restart counts', async (t) => {
  const { model, spent } = await openTestModels(t, replies.says('Hello'), {
    settings: { TRAWL_MODEL_TOKENS_PER_DAY: '200' },
  });
  spent.set('team', 500);
  await assert.rejects(model().text({ ...CALL, signal }), isError('MODEL_BUDGET_EXCEEDED'));
});

test('text of private requests stays on this machine unless the operator allows more', async (t) => {
  const remote = { TRAWL_MODEL_URL: 'https://models.example.com/v1' };
  const reasons = async (settings: Record<string, string>) => {
    const { models } = await openTestModels(t, replies.says('Hello'), { settings });
    const chosen = models.choose('answer', { team: 'team', isPrivate: true });
    return 'model' in chosen ? 'model' : chosen.without;
  };
  assert.equal(await reasons({}), 'model');
  assert.match(await reasons(remote), /no text may go to a model on another machine/);
  assert.match(await reasons({ TRAWL_MODEL_URL: 'http://10.0.0.5:11434/v1' }), /no text may go/);
  assert.equal(await reasons({ ...remote, TRAWL_MODEL_ZDR: 'allow' }), 'model');
});

test('a call never writes more than the model may, and says so to the server', async (t) => {
  const { model, server } = await openTestModels(t, replies.says('Hello'), {
    settings: { TRAWL_MODEL_OUTPUT_TOKENS: '3000' },
  });
  await model().text({ ...CALL, maxOutputTokens: 100, signal });
  await model().text({ ...CALL, maxOutputTokens: 90_000, signal });
  assert.deepEqual(
    server.calls.map(({ maxOutputTokens }) => maxOutputTokens),
    [2_148, 3_000],
  );
});

test('more calls than the operator allows at once wait for each other', async (t) => {
  let open = 0;
  let most = 0;
  const { model } = await openTestModels(
    t,
    async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { text: 'Hello' };
    },
    { settings: { TRAWL_MODEL_CONCURRENCY: '2' } },
  );
  await Promise.all(Array.from({ length: 8 }, (_, at) => model().text({ ...CALL, material: `page ${at}`, signal })));
  assert.equal(most, 2);
});

test('a model elsewhere is asked through TRAWL_MODEL_PROXY, one on this machine directly', async (t) => {
  let port = 0;
  const proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port }) });
  t.after(() => proxy.stop());
  const { server, model } = await openTestModels(t, replies.says('Hello'), {
    settings: {
      TRAWL_MODEL_PROXY: proxy.url,
      TRAWL_MODEL_ANSWER: 'compatible:far',
      TRAWL_MODEL_ANSWER_URL: 'http://models.invalid/v1',
      TRAWL_MODEL_ANSWER_KEY: 'far',
    },
  });
  port = Number(new URL(server.baseUrl('chat')).port);
  assert.equal((await model('extract').text({ ...CALL, signal })).value, 'Hello');
  assert.deepEqual(proxy.asked, []);
  assert.equal((await model('answer').text({ ...CALL, signal })).value, 'Hello');
  assert.deepEqual(proxy.asked, ['CONNECT models.invalid:80']);
});
