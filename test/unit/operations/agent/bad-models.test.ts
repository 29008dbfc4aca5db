// Models that loop, fail, refuse or write nonsense: the run ends in a bounded number of turns, and says why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, inTurn, openAgent } from '../../../support/agent-run.ts';
import type { ModelReply, ReplyRule } from '../../../support/models/model-server.ts';
import * as replies from '../../../support/models/replies.ts';

const KETTLE = 'https://shop.test/kettle';
const PAGES = { [KETTLE]: '# Harbour kettle\n\nIt costs 39.90 EUR.' };
const SCHEMA = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const REQUEST = { urls: [KETTLE], schema: SCHEMA };
const FOUND = { name: 'Harbour kettle' };
const read = calls('scrape', { url: KETTLE });
const finish = calls('finish', { data: FOUND });

/** What the model is shown in the end. */
const lastText = (server: { calls: { messages: { text: string }[] }[] }): string =>
  server.calls.at(-1)!.messages.at(-1)!.text;

test('the same call again and again is made once, and the run ends', async (t) => {
  const { run, models } = await openAgent(t, () => read, PAGES);
  const { outcome, requested } = await run({ request: REQUEST });
  assert.equal(outcome.status, 'failed');
  assert.equal(outcome.stopReason, 'no_progress');
  assert.deepEqual(requested, [KETTLE]);
  assert.equal(models.server.calls.length, 4);
});

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}"b"${'}'.repeat(levels)}`);

const CORRECTED: Readonly<Record<string, [wrong: ModelReply, told: RegExp]>> = {
  'an unknown tool': [
    calls('browse_web', { url: KETTLE }),
    /There is no tool with this name now\. The tools are: search/,
  ],
  'a missing argument': [calls('scrape', {}), /scrape: `url` must be a text\./],
  'an argument of a wrong type': [calls('scrape', { url: ['x'] }), /`url` must be a text/],
  'a wrong offset': [calls('scrape', { url: KETTLE, offset: -3 }), /`offset` must be a whole number/],
  'arguments that are no object': [calls('scrape', 'the kettle'), /must be a JSON object/],
  'a huge argument': [calls('scrape', { url: `${KETTLE}?${'x'.repeat(50_000)}` }), /may have 4000 characters/],
  'huge data': [calls('record', { data: { text: 'x'.repeat(300_000) } }), /too large/],
  'data of thousands of levels': [calls('record', { data: nested(3_000) }), /could not be used/],
  'data of thousands of levels, as a text': [
    calls('record', JSON.stringify({ data: nested(3_000) })),
    /JSON object|could not be used/,
  ],
  'data of thousands of levels, in words': [{ text: JSON.stringify({ data: nested(3_000) }) }, /called no tool/],
  'data that is no object': [calls('record', { data: 7 }), /`data` must be a JSON object/],
  'words without a call': [{ text: 'I would now read the page.' }, /called no tool/],
  'a call of nothing that exists, in words': [
    { text: '{"name": "fly", "arguments": {"to": "moon"}}' },
    /called no tool/,
  ],
  'an answer that was cut': [replies.CUT, /could not be used/],
  'an empty answer': [{ text: '' }, /could not be used/],
  'an address of its own making': [
    calls('scrape', { url: 'https://shop.test/teapot' }),
    /Refused: This URL was not in/,
  ],
};

for (const [what, [wrong, told]] of Object.entries(CORRECTED)) {
  test(`${what}: the model is told, and may go on`, async (t) => {
    const { run, models } = await openAgent(t, inTurn(wrong, read, finish), PAGES);
    const { outcome, result, requested } = await run({ request: REQUEST });
    assert.equal(outcome.status, 'completed', outcome.error);
    assert.deepEqual(result.data, FOUND);
    assert.deepEqual(requested, [KETTLE]);
    const shown = models.server.calls[1]!.messages.map(({ text }) => text).join('\n');
    assert.match(shown, told);
  });
  test(`${what}, for ever: the run ends`, async (t) => {
    const { run, models } = await openAgent(t, () => wrong, PAGES);
    const { outcome, requested } = await run({ request: REQUEST });
    assert.equal(outcome.stopReason, 'no_progress');
    assert.equal(outcome.credits, 0);
    assert.deepEqual(requested, []);
    assert.ok(models.server.calls.length <= 4);
  });
}

test('small models write their calls and their data as text', async (t) => {
  const asText = [
    `I will read it.\n<tool_call>\n{"name": "scrape", "arguments": {"url": "${KETTLE}"}}\n</tool_call>`,
    '```json\n{"tool": "record", "input": {"data": {"name": "Harbour kettle"}}}\n```',
    'Here is the result:\n{"name": "Harbour kettle"}',
  ];
  const { run, models } = await openAgent(t, inTurn(...asText.map((text) => ({ text }))), PAGES);
  const { outcome, result, requested } = await run({ request: REQUEST });
  assert.equal(outcome.status, 'completed', outcome.error);
  assert.deepEqual(result.data, FOUND);
  assert.deepEqual(requested, [KETTLE]);
  assert.match(models.server.calls[1]!.material.result!, /It costs 39\.90 EUR/);
});

test('too many calls in one turn: the first ones are made, and the model is told about the others', async (t) => {
  const many: ModelReply = {
    toolCalls: Array.from({ length: 9 }, (_, at) => ({ name: 'scrape', input: { url: KETTLE, offset: at } })),
  };
  const { run, models } = await openAgent(t, inTurn(many, finish), PAGES);
  assert.deepEqual((await run({ request: REQUEST })).result.data, FOUND);
  assert.match(lastText(models.server), /too many in one turn/);
});

test('a refusal ends the run', async (t) => {
  const { run, models } = await openAgent(t, inTurn(read, replies.REFUSAL), PAGES);
  const { outcome } = await run({ request: REQUEST });
  assert.equal(outcome.stopReason, 'refused');
  assert.match(outcome.error!, /refused/);
  assert.equal(models.server.calls.length, 2);
});

/** Fails each second call in this way, and answers by the rule otherwise. */
const faltering =
  (failure: ModelReply, rule: ReplyRule): ReplyRule =>
  (call, count) =>
    count % 2 === 1 ? failure : rule(call, count / 2);

for (const [what, failure] of [
  ['busy', { ...(replies.TOO_MANY as object), headers: { 'retry-after': '0' } } as ModelReply],
  ['broken', replies.BROKEN],
  ['cut off in the middle of its answer', 'hang-up' as const],
] as const) {
  test(`a model server that is ${what} is asked again`, async (t) => {
    const { run } = await openAgent(t, faltering(failure, inTurn(read, finish)), PAGES);
    const { result, requested } = await run({ request: REQUEST });
    assert.deepEqual(result.data, FOUND);
    assert.deepEqual(requested, [KETTLE]);
  });
}

test('a model that had failed is tried again by the next run', async (t) => {
  let isDown = true;
  let now = Date.now();
  const clock = { now: () => now, monotonic: () => now, sleep: async () => {} };
  const { run } = await openAgent(
    t,
    (call, count) => (isDown ? replies.WRONG_KEY : inTurn(read, finish)(call, count - 1)),
    PAGES,
    {},
    clock as never,
  );
  assert.match((await run({ request: REQUEST })).result.warning!, /does not accept the key/);
  isDown = false;
  now += 3_600_000;
  const { result, outcome } = await run({ request: REQUEST });
  assert.deepEqual(result.data, FOUND, outcome.error);
  assert.equal(result.warning, undefined);
});

test('a model that goes away in the middle fails the run, with what was found', async (t) => {
  const record = calls('record', { data: FOUND });
  const { run } = await openAgent(t, inTurn(read, record, replies.WRONG_KEY), PAGES);
  const { outcome, result } = await run({ request: REQUEST });
  assert.equal(outcome.status, 'failed');
  assert.equal(outcome.stopReason, 'model_failed');
  assert.match(outcome.error!, /does not accept the key/);
  assert.deepEqual(result.partial, FOUND);
  assert.equal(result.partialSchemaValid, true);
  assert.ok(result.citations!.name);
});

test('a finished result counts even if the model fails to correct it', async (t) => {
  const schema = { ...SCHEMA, properties: { name: { type: 'string' }, colour: { type: 'string' } } };
  const invented = calls('finish', { data: { ...FOUND, colour: 'ultraviolet' } });
  const { run } = await openAgent(t, inTurn(read, invented, replies.WRONG_KEY), PAGES);
  const { outcome, result } = await run({ request: { ...REQUEST, schema } });
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(result.data, FOUND);
});

test('a server with less room than expected gets a shorter conversation', async (t) => {
  const long = { [KETTLE]: `# Harbour kettle\n\n${'A line about nothing.\n'.repeat(2_000)}` };
  let most = 0;
  const { run } = await openAgent(
    t,
    (call) => {
      const size = JSON.stringify(call.body).length;
      const turn = call.messages.filter(({ role }) => role === 'assistant').length;
      if (size > 60_000) return { status: 400, error: "This model's maximum context length is 16000 tokens" };
      most = Math.max(most, size);
      return turn < 5 ? calls('scrape', { url: KETTLE, offset: turn * 9_000 }) : finish;
    },
    long,
  );
  const { outcome, result } = await run({ request: REQUEST });
  assert.equal(outcome.status, 'completed', outcome.error);
  assert.deepEqual(result.data, FOUND);
  assert.ok(most <= 60_000);
});
