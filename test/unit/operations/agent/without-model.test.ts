// Runs of an agent without a model, over the real operations: each cap and a cancel keep what was found so far.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AgentResult, type AgentRun, agentRequest } from '../../../../src/contracts/agent/agent.ts';
import { RunCancelled } from '../../../../src/jobs/runs/run-handler.ts';
import { createAgentHandler } from '../../../../src/operations/agent/agent-handler.ts';
import { createWebTools } from '../../../../src/operations/gather/create-web-tools.ts';
import type { RunView } from '../../../../src/store/ports/runs/run-store.ts';
import { NO_BROWSER } from '../../../support/memory-browser.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';
import { createMemoryRun, type MemoryRun } from '../../../support/run-tools.ts';
import { type Exchange, reply } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const lamp = (name: string, more: string) =>
  reply(
    `<html lang="en"><title>${name}</title><main><h1>${name}</h1><p>One of the lamps of our small shop by the river.</p>${more}</main>`,
  );
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number' }, warrantyYears: { type: 'integer' } },
  required: ['name', 'price', 'warrantyYears'],
};
const FOUND = { name: 'Red lamp', price: 20 };

let web: Web;
let operations: OpenOperations;
let onWarranty: () => void = () => {};
let count = 0;

before(async () => {
  const warranty = lamp('Warranty of the red lamp', '<dl><dt>Warranty years</dt><dd>7</dd></dl>');
  web = await startWeb({
    'shop.test': {
      // Each run has its own pages, so that none comes from the cache.
      '/red': (exchange: Exchange) =>
        lamp(
          'Red lamp',
          `<dl><dt>Price</dt><dd>20 EUR</dd></dl><a href="/warranty?${exchange.query}">Warranty years of the red lamp</a>`,
        )(exchange),
      '/warranty': (exchange: Exchange) => {
        onWarranty();
        return warranty(exchange);
      },
    },
  });
  operations = await openOperations(web.settings);
});
after(async () => {
  await operations.close();
  await web.stop();
});

const red = () => web.url('shop.test', `/red?run=${count}`);

async function research(
  body: object,
  { maxMinutes = 30, elapsedMs = (_: MemoryRun): number => 0, run = createMemoryRun() } = {},
) {
  count++;
  run.elapsedMs = () => elapsedMs(run);
  const handler = createAgentHandler({
    ...operations.deps,
    ...NO_BROWSER,
    runs: { list: async () => [] },
    clock: { now: () => 0, sleep: async () => {} },
    caps: { maxSteps: 40, maxTokens: 1_000_000, maxMinutes, maxPagesPerHost: 50 },
    openWeb: async (_view, tools, { limits, eventsOf }) =>
      createWebTools(operations.deps, {
        ...{ run: tools, limits, eventsOf, caller: operations.caller, zeroDataRetention: false, baseUrl: '' },
        partOf: { operation: 'agent', job: 'run' },
      }),
  });
  const asked = { prompt: 'The red lamp: price and warranty years', urls: [red()], ...body };
  const view = {
    ...{ id: 'run', teamId: operations.caller.team.id, kind: 'agent', turn: 1, status: 'running' },
    ...{ zeroDataRetention: false, createdAt: 0, credits: 0, tokens: 0, expiresAt: 0 },
    request: { ...agentRequest.parse(asked), baseUrl: '' } as AgentRun,
  } as RunView;
  const outcome = await handler.work(view, run);
  return { outcome, result: outcome.result as AgentResult, run };
}

test('a run without a cap finds everything, and says how', async () => {
  const { outcome, result } = await research({ schema: SCHEMA });
  assert.equal(outcome.status, 'completed');
  assert.deepEqual(result.data, { ...FOUND, warrantyYears: 7 });
  assert.match(result.warning!, /^`data` was made without a language model/);
  assert.equal(outcome.credits, 10);
});

const LESS = { ...SCHEMA, required: ['name', 'price'] };
const untilWarranty = (run: MemoryRun) => (run.steps.some(({ name }) => name === 'scrape') ? 90_000 : 0);

for (const { reason, schema, body = {}, options = {} } of [
  { reason: 'max_credits', schema: SCHEMA, body: { maxCredits: 6 } },
  { reason: 'max_credits', schema: LESS, body: { maxCredits: 6 } },
  { reason: 'max_time', schema: SCHEMA, options: { maxMinutes: 1, elapsedMs: untilWarranty } },
]) {
  const isValid = schema === LESS;
  test(`${reason} ends a run with what was found so far${isValid ? ', which may fulfil the schema' : ''}`, async () => {
    const { outcome, result, run } = await research({ schema, ...body }, options);
    assert.equal(outcome.status, 'failed');
    assert.equal(outcome.stopReason, reason);
    assert.equal(outcome.credits, 0);
    assert.deepEqual(result.partial, FOUND);
    assert.equal(result.partialSchemaValid, isValid);
    assert.ok(!('data' in result));
    assert.deepEqual(result.sources?.price, [red()]);
    assert.equal(run.spent().credits, 5);
  });
}

test('a search that the credits do not allow is named as the reason', async () => {
  const { outcome, result } = await research({ urls: [], maxCredits: 1 });
  assert.equal(outcome.stopReason, 'max_credits');
  assert.ok(!('partial' in result));
});

test('a run that is cancelled keeps what was found so far, and pays for what was used', async () => {
  const run = createMemoryRun();
  onWarranty = () => run.stop(new RunCancelled());
  const { outcome, result } = await research({ schema: SCHEMA }, { run });
  assert.equal(outcome.status, 'cancelled');
  assert.equal(outcome.stopReason, 'cancelled');
  assert.equal(outcome.credits, 5);
  assert.deepEqual(result.partial, FOUND);
  assert.equal(result.partialSchemaValid, false);
  assert.ok(!('data' in result));
  assert.equal(result.citations?.price?.text, '20 EUR');
});

test('a service that stops in the middle ends no run', async () => {
  const run = createMemoryRun();
  onWarranty = () => run.stop(new Error('The service stops.'));
  await assert.rejects(research({ schema: SCHEMA }, { run }), /The service stops/);
});
