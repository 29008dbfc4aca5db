// Runs of an agent with a scripted model: what it may do, how it ends, and what a stop in the middle repeats.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunCancelled } from '../../../../src/jobs/runs/run-handler.ts';
import type { RunView } from '../../../../src/store/ports/runs/run-store.ts';
import { calls, inTurn, openAgent } from '../../../support/agent-run.ts';
import * as replies from '../../../support/models/replies.ts';

const SHOP = 'https://shop.test/';
const KETTLE = 'https://shop.test/kettle';
const PAGES = {
  [SHOP]: '# Shop\n\n[Harbour kettle](https://shop.test/kettle)',
  [KETTLE]: '# Harbour kettle\n\nIt costs 39.90 EUR and is **in\nstock** today.\n\nWeight: 1200 g',
};
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number' }, inStock: { type: 'boolean' } },
  required: ['name', 'price'],
};
const REQUEST = { urls: [SHOP, KETTLE], schema: SCHEMA };
const FOUND = { name: 'Harbour kettle', price: 39.9 };

const good = inTurn(
  calls('scrape', { url: SHOP }, 'I read the shop, then the product.'),
  calls('scrape', { url: KETTLE }),
  calls('record', {
    data: { ...FOUND, inStock: true },
    sources: [{ path: 'inStock', url: KETTLE, quote: 'is in stock today' }],
  }),
  calls('finish', {}),
);

test('a good model finds the data, and each value has its place on a page', async (t) => {
  const { run, models } = await openAgent(t, good, PAGES);
  const { outcome, result, requested, events, run: made } = await run({ request: REQUEST });
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(result.data, { ...FOUND, inStock: true });
  assert.deepEqual(requested, [SHOP, KETTLE]);
  assert.equal(outcome.credits, 2);
  for (const [path, { url, text, start, end }] of Object.entries(result.citations!)) {
    assert.equal(PAGES[url as keyof typeof PAGES].slice(start, end), text, path);
  }
  assert.equal(result.citations!.price!.text, '39.90');
  assert.equal(result.citations!.inStock!.text, 'is **in\nstock** today');
  assert.equal(result.warning, undefined);
  assert.equal(result.model, 'compatible:test-model');
  assert.deepEqual(
    made.steps.map(({ name }) => name),
    ['prepare', 'reason', 'plan', 'scrape', 'reason', 'scrape', 'reason', 'draft', 'reason'],
  );
  assert.deepEqual(
    made.events.map(({ type, data }) => [type, (data[0] as { action: string }).action]),
    [
      ['agent.action', 'scrape'],
      ['agent.action', 'scrape'],
      ['agent.action', 'record'],
    ],
  );
  assert.deepEqual(events, [{ type: 'agent.completed', success: true, data: [{ creditsUsed: 2, data: result.data }] }]);
  // The beginning of the conversation never changes, so that servers can cache it.
  const [first, ...others] = models.server.calls;
  for (const other of others) {
    assert.equal(other.system, first!.system);
    assert.equal(other.messages[0]!.text, first!.messages[0]!.text);
  }
});

test('a run that was stopped after any step goes on without asking or reading anything twice', async (t) => {
  const world = await openAgent(t, good, PAGES);
  const whole = await world.run({ request: REQUEST });
  for (let kept = 0; kept <= whole.run.steps.length; kept++) {
    const turns = whole.run.steps.slice(0, kept).filter(({ name }) => name === 'reason').length;
    world.models.server.answer((call, _count) =>
      good(call, call.messages.filter(({ role }) => role === 'assistant').length + 1),
    );
    const before = world.models.server.calls.length;
    const again = await world.run({ request: REQUEST, earlier: whole.run.steps.slice(0, kept) });
    assert.deepEqual(again.result, whole.result, `after ${kept} steps`);
    assert.equal(world.models.server.calls.length - before, 4 - turns);
    assert.deepEqual(
      again.run.steps.map(({ key }) => key),
      whole.run.steps.map(({ key }) => key),
    );
  }
});

test('a value that no page says is dropped; if the schema needs it, it is named', async (t) => {
  const schema = {
    ...SCHEMA,
    properties: { ...SCHEMA.properties, maker: { type: 'string' }, colour: { type: 'string' } },
  };
  const data = { ...FOUND, maker: 'Invented Ltd', colour: 'ultraviolet' };
  const sources = [{ path: 'maker', url: KETTLE, quote: 'made by Invented Ltd' }];
  const { run, models } = await openAgent(
    t,
    inTurn(calls('scrape', { url: KETTLE }), calls('finish', { data, sources })),
    PAGES,
  );
  const { result } = await run({ request: { urls: [KETTLE], schema: { ...schema, required: ['name', 'colour'] } } });
  assert.deepEqual(result.data, { ...FOUND, colour: 'ultraviolet' });
  assert.match(result.warning!, /confirms: colour\./);
  assert.ok(!('colour' in result.citations!));
  // The model was asked once to give sources.
  assert.match(models.server.calls[2]!.messages.at(-1)!.text, /- maker\n- colour/);
  assert.equal(models.server.calls.length, 3);
});

test('a result that does not fit the schema is corrected once, with the words of the validator', async (t) => {
  const wrong = calls('finish', { data: { name: 'Harbour kettle', price: 'cheap' } });
  const right = calls('finish', { data: FOUND });
  const read = calls('scrape', { url: KETTLE });
  const request = { urls: [KETTLE], schema: SCHEMA };
  const corrected = await openAgent(t, inTurn(read, wrong, right), PAGES);
  assert.deepEqual((await corrected.run({ request })).result.data, FOUND);
  assert.match(corrected.models.server.calls[2]!.messages.at(-1)!.text, /`price` must be number/);
  const stubborn = await openAgent(t, inTurn(read, wrong), PAGES);
  const { outcome, result, events } = await stubborn.run({ request });
  assert.equal(outcome.status, 'failed');
  assert.equal(outcome.stopReason, 'invalid_result');
  assert.match(outcome.error!, /`price` must be number/);
  assert.equal(outcome.credits, 0);
  assert.equal(result.data, undefined);
  assert.equal(result.partialSchemaValid, false);
  assert.deepEqual(result.partial, { name: 'Harbour kettle', price: 'cheap' });
  assert.equal(events[0]!.type, 'agent.failed');
  assert.equal(stubborn.models.server.calls.length, 3);
});

const slow = (call: Parameters<ReturnType<typeof inTurn>>[0]) => {
  const turn = call.messages.filter(({ role }) => role === 'assistant').length;
  if (turn === 1) return calls('record', { data: FOUND });
  return turn === 2 ? calls('scrape', { url: SHOP }) : calls('scrape', { url: KETTLE, offset: turn });
};

for (const [reason, options] of [
  ['max_steps', { caps: { maxSteps: 12 } }],
  ['max_tokens', { caps: { maxTokens: 2_000 } }],
  ['max_credits', { request: { maxCredits: 2 } }],
  ['max_time', { caps: { maxMinutes: 1 } }],
] as const) {
  test(`the cap ${reason} ends the run with what was found so far`, async (t) => {
    const { run } = await openAgent(t, slow, PAGES);
    let looked = 0;
    const { outcome, result, events } = await run({
      ...options,
      request: { ...REQUEST, ...('request' in options && options.request) },
      ...(reason === 'max_time' && { elapsedMs: () => 8_000 * looked++ }),
    });
    assert.equal(outcome.status, 'failed');
    assert.equal(outcome.stopReason, reason);
    assert.equal(outcome.credits, 0);
    assert.equal(result.data, undefined);
    assert.deepEqual(result.partial, FOUND);
    assert.equal(result.partialSchemaValid, true);
    assert.deepEqual(events[0]!.data, [{ creditsUsed: 0 }]);
  });
}

test('a model that is near a cap is offered nothing but the end', async (t) => {
  const { run, models } = await openAgent(t, slow, PAGES);
  await run({ request: REQUEST, caps: { maxSteps: 12 } });
  assert.deepEqual(
    models.server.calls.map(({ tools }) => tools.length),
    [6, 6, 6, 6, 2, 2],
  );
  assert.match(models.server.calls.at(-1)!.messages.at(-1)!.text, /call finish/);
});

test('pages of one host are limited', async (t) => {
  const pages = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${SHOP}${at}`, `Page ${at}`]));
  const { run } = await openAgent(t, (_call, count) => calls('scrape', { url: `${SHOP}${count}` }), pages);
  const { outcome, requested } = await run({ request: { urls: Object.keys(pages) }, caps: { maxPagesPerHost: 6 } });
  assert.equal(requested.length, 3);
  assert.equal(outcome.stopReason, 'max_pages_per_host');
});

test('a cancelled run returns what was found and costs what was used', async (t) => {
  const world = await openAgent(t, slow, PAGES);
  const { outcome, result, events } = await world.run({
    request: REQUEST,
    prepare(run) {
      world.models.server.answer((call, count) => {
        if (count === 4) run.stop(new RunCancelled());
        return slow(call);
      });
    },
  });
  assert.equal(outcome.status, 'cancelled');
  assert.equal(outcome.stopReason, 'cancelled');
  assert.equal(outcome.credits, 2);
  assert.deepEqual(result.partial, FOUND);
  assert.deepEqual(events, [{ type: 'agent.cancelled', success: false, data: [{ creditsUsed: 2 }] }]);
});

test('the mode chat answers in words, with suggestions', async (t) => {
  const message = 'The Harbour kettle costs 39.90 EUR.';
  const finish = calls('finish', {
    message,
    sources: [{ path: 'message', url: KETTLE, quote: 'It costs 39.90 EUR' }],
    suggestions: [{ label: 'Weight', prompt: 'How heavy is it?' }],
  });
  const { run } = await openAgent(t, inTurn(calls('scrape', { url: KETTLE }), finish), PAGES);
  const { outcome, result } = await run({ request: { urls: [KETTLE], mode: 'chat' } });
  assert.equal(outcome.status, 'completed');
  assert.equal(result.message, message);
  assert.deepEqual(result.suggestions, [{ label: 'Weight', prompt: 'How heavy is it?' }]);
  assert.equal(result.citations!.message!.text, 'It costs 39.90 EUR');
  assert.equal(result.data, undefined);
});

test('a follow-up is shown the earlier turns as material', async (t) => {
  const { run, models } = await openAgent(t, inTurn(calls('finish', { data: { weight: '1200 g' } })), PAGES);
  const before = {
    turn: 1,
    status: 'completed',
    request: { prompt: 'What does the kettle cost?', urls: [] },
    result: { data: FOUND, citations: { price: { url: KETTLE, text: '39.90', start: 0, end: 1 } } },
  } as unknown as RunView;
  await run({ view: { turn: 2, group: 'thread' }, turnsBefore: [before], request: { prompt: 'And its weight?' } });
  const [first] = models.server.calls;
  assert.deepEqual(JSON.parse(first!.material.earlier!), [
    { turn: 1, request: 'What does the kettle cost?', status: 'completed', result: FOUND },
  ]);
  assert.ok(!first!.system.includes('kettle'));
});

test('a page is read in pieces, passages are found, and what no longer fits is shortened', async (t) => {
  const long = Array.from({ length: 400 }, (_, at) => `Line ${at} of a long page about nothing in particular.`);
  long[300] = 'The secret ingredient is cardamom.';
  const url = 'https://long.test/page';
  const steps = [0, 1, 2, 3, 4, 5, 6].map((at) => calls('scrape', { url, offset: at * 1_500 }));
  const { run, models } = await openAgent(
    t,
    inTurn(...steps, calls('find_in_page', { url, query: 'secret ingredient' }), (call) => {
      assert.match(call.messages.at(-1)!.text, /At \d+: The secret ingredient is cardamom\./);
      return calls('finish', { data: { ingredient: 'cardamom' } });
    }),
    { [url]: long.join('\n') },
    { TRAWL_MODEL_CONTEXT_TOKENS: '4096' },
  );
  const { result, requested } = await run({ request: { urls: [url] } });
  assert.deepEqual(result.data, { ingredient: 'cardamom' });
  assert.deepEqual(requested, [url]);
  const sizes = models.server.calls.map(({ messages }) => JSON.stringify(messages).length);
  assert.ok(Math.max(...sizes) < 4_096 * 3.5, String(sizes));
  assert.ok(models.server.calls.some(({ messages }) => JSON.stringify(messages).includes('no longer shown')));
});

test('a model that cannot be asked is replaced by the pipeline without one, and the result says so', async (t) => {
  for (const reply of [replies.WRONG_KEY, replies.UNKNOWN_MODEL, 'hang-up' as const]) {
    const { run } = await openAgent(t, () => reply, PAGES);
    const {
      result,
      outcome,
      run: made,
    } = await run({ request: { prompt: 'What does the kettle cost?', urls: [KETTLE] } });
    assert.equal(outcome.status, 'completed', outcome.error);
    assert.match(JSON.stringify(result.data), /It costs 39\.90 EUR/);
    assert.match(result.warning!, /`data` was made without a language model: .*test-model/);
    assert.equal(result.model, undefined);
    assert.deepEqual(
      made.events.map(({ type }) => type),
      ['agent.action'],
    );
  }
  const { run } = await openAgent(t, good, PAGES, { TRAWL_MODEL_AGENT: 'off' });
  const { result, outcome } = await run({
    request: { prompt: 'What does the kettle cost?', urls: [KETTLE], mode: 'chat' },
  });
  assert.equal(outcome.status, 'completed');
  assert.match(result.message!, /39\.90 EUR/);
});

test('without a model, the caps of credits and time hold, too', async (t) => {
  const { run } = await openAgent(t, good, PAGES, { TRAWL_MODEL_AGENT: 'off' });
  const request = { prompt: 'What does the kettle cost?', urls: [SHOP, KETTLE] };
  const poor = await run({ request: { ...request, maxCredits: 1 } });
  assert.equal(poor.outcome.stopReason, 'max_credits');
  assert.equal(poor.outcome.credits, 0);
  const late = await run({ request, elapsedMs: () => 3_600_000 });
  assert.equal(late.outcome.stopReason, 'max_time');
  assert.equal(late.result.data, undefined);
});
