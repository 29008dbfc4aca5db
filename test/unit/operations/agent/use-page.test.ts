// The tool `use_page` over a browser in memory: where it may go, what it costs, and how it ends.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RunCancelled } from '../../../../src/jobs/runs/run-handler.ts';
import type { CheckUrl } from '../../../../src/net/check-url.ts';
import { calls, openAgent, type RunOptions } from '../../../support/agent-run.ts';
import { createMemoryBrowser, type MemoryBrowser } from '../../../support/memory-browser.ts';
import { type ModelReply, materialIn, type ReceivedCall } from '../../../support/models/model-server.ts';
import { judgeWithout } from '../../../support/threats.ts';

const SHOP = 'http://shop.test/';
const FORM = `${SHOP}form`;
const PAGES: Record<string, string[]> = {
  [FORM]: ['Find a kettle', '[1] textbox "Name"', `[2] link ${SHOP}found`, '[3] link http://trap.test/?q=stolen'],
  [`${SHOP}found`]: ['Harbour kettle', 'Price: 129.00'],
};

const actions = (...list: object[]): ModelReply => ({
  text: { actions: list.map((each) => ({ element: null, text: null, enter: null, failed: null, ...each })) },
});
const USE = calls('use_page', { url: FORM, instruction: 'Find the harbour kettle' });
const FINISH = calls('finish', {
  data: { price: 129 },
  sources: [{ path: 'price', url: `${SHOP}found`, quote: 'Price: 129.00' }],
});
const FILL = actions({ do: 'type', element: 1, text: 'harbour' }, { do: 'click', element: 2 });
const DONE = actions({ do: 'finish', text: 'It costs 129.00' });

/** The agent's turns have tools; those on a page ask for actions. Each list goes on with its last reply. */
function script(turns: ModelReply[], onPage: ModelReply[]) {
  const next = (list: ModelReply[]) => (list.length > 1 ? list.shift()! : list[0]!);
  return ({ tools }: ReceivedCall) => next(tools.length > 0 ? turns : onPage);
}

interface Case extends RunOptions {
  turns?: ModelReply[];
  onPage?: ModelReply[];
  browser?: MemoryBrowser;
}

async function runWith(t: TestContext, { turns = [USE, FINISH], onPage = [FILL, DONE], ...options }: Case = {}) {
  const browser = options.browser ?? createMemoryBrowser((url) => PAGES[url]);
  const world = await openAgent(t, script([...turns], [...onPage]), { [FORM]: 'A form. [x](http://trap.test/)' });
  const request = { prompt: 'The price of the harbour kettle', urls: [FORM], ...options.request };
  const end = await world.run({ ...options, request, browser });
  const { calls: received } = world.models.server;
  const shown = received.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'));
  const told = shown.map(({ text }) => materialIn(text).result ?? '').join('\n');
  return { ...end, browser, received, told, uses: end.run.steps.filter(({ name }) => name === 'browser') };
}

test('a form is used, what it shows is read and cited, and the run pays for the minute', async (t) => {
  const { outcome, result, browser, uses, run, told } = await runWith(t);
  assert.equal(outcome.status, 'completed', outcome.error);
  assert.deepEqual(result.data, { price: 129 });
  assert.equal(result.citations?.price?.url, `${SHOP}found`);
  assert.deepEqual(browser.requested, [FORM, `${SHOP}found`]);
  assert.deepEqual(browser.ended, ['session-1']);
  const { teamId, runId } = browser.opened[0]!;
  assert.deepEqual([teamId, runId], ['team', 'run']);
  assert.equal(uses[0]!.credits, 7);
  assert.ok(uses[0]!.tokens > 0);
  assert.equal((uses[0]!.output as { sessionId: string }).sessionId, 'session-1');
  assert.match(told, /It was done\.\nReport: It costs 129\.00[\s\S]*Harbour kettle/);
  assert.ok(run.events.some(({ data: [first] }) => (first as { action?: string }).action === 'browser'));
});

test('where rules apply, the whole browser is kept to hosts that they allow, and not only its documents', async (t) => {
  const { outcome, browser } = await runWith(t, { threatCheck: judgeWithout('cdn.test') });
  assert.equal(outcome.status, 'completed', outcome.error);
  const [check] = browser.checks as [CheckUrl];
  const { signal } = new AbortController();
  await check(new URL(SHOP), signal);
  await assert.rejects(check(new URL('http://cdn.test/'), signal), { code: 'unsafe_domain_blocked' });
  assert.equal((await runWith(t)).browser.checks.length, 0);
});

test('it is offered where there is a browser and the caller names a site', async (t) => {
  const none = createMemoryBrowser(() => undefined, { problem: 'There is none.' });
  for (const [isOffered, options] of [
    [true, {}],
    [true, { request: { prompt: 'Prices at shop.test, please', urls: [] } }],
    [false, { request: { prompt: 'Prices of kettles', urls: [] } }],
    [false, { request: { prompt: 'Who is <bob.smith@shop.test>, or mailto:ada@shop.test?', urls: [] } }],
    [true, { request: { prompt: 'Posts of https://shop.test/@ada', urls: [] } }],
    [false, { browser: none }],
  ] as const) {
    const { received } = await runWith(t, { turns: [calls('finish', { data: {} })], ...(options as Case) });
    assert.equal(received[0]!.tools.includes('use_page'), isOffered, JSON.stringify(options));
    assert.equal(received[0]!.system.includes('use_page'), isOffered);
  }
});

test('nothing is opened that nobody has named, or that the caller has not named', async (t) => {
  const refused = async (url: string, options: Case = {}) => {
    const call = calls('use_page', { url, instruction: 'Go' });
    const read = calls('scrape', { url: FORM });
    return runWith(t, { turns: [read, call, calls('finish', { data: {} })], ...options });
  };
  for (const [url, words, options] of [
    [`${SHOP}form?q=stolen`, /was not in the request/, {}],
    // A link of a page is known, and may be read, but the caller has not named its site.
    ['http://trap.test/', /only be used on sites/, {}],
    [SHOP, /only be used on sites/, { request: { strictConstrainToURLs: true } }],
    ['http://127.0.0.1/', /was not in the request/, {}],
  ] as const) {
    const { browser, told, uses } = await refused(url, options as Case);
    assert.deepEqual([browser.opened.length, uses.length, uses[0]!.credits], [0, 1, 0]);
    assert.match(told, words);
  }
});

test('a model that obeys the page does not get out of the site', async (t) => {
  const onPage = [
    actions({ do: 'click', element: 3 }),
    actions({ do: 'open', text: 'http://trap.test/?q=stolen' }),
    DONE,
  ];
  const { browser, told } = await runWith(t, { onPage });
  assert.deepEqual(browser.requested, [FORM]);
  assert.match(told, /click \[3\]: done\. http:\/\/trap\.test\/\?q=stolen may not be opened/);
});

test('a use that was interrupted is not repeated', async (t) => {
  const { browser, told } = await runWith(t, {
    prepare(run) {
      const { step } = run;
      run.step = (options, work) =>
        options.name === 'browser'
          ? step(options, async () => ({ output: options.ifInterrupted!() }))
          : step(options, work);
    },
  });
  assert.equal(browser.opened.length, 0);
  assert.match(told, /Nobody knows what was done there/);
});

test('a cancelled run ends the session and pays for it', async (t) => {
  let stop = () => {};
  const onAction = ({ type }: { type: string }) => void (type === 'click' && stop());
  const browser = createMemoryBrowser((url) => PAGES[url], { onAction });
  const { outcome, uses } = await runWith(t, {
    browser,
    prepare: (run) => {
      stop = () => run.stop(new RunCancelled());
    },
  });
  assert.equal(outcome.stopReason, 'cancelled');
  assert.equal(outcome.credits, 7);
  assert.deepEqual(browser.ended, ['session-1']);
  assert.match((uses[0]!.output as { error: string }).error, /cancelled/);
});

test('if the service stops, the session ends and the step stays open', async (t) => {
  let stop = () => {};
  const browser = createMemoryBrowser((url) => PAGES[url], {
    onAction: ({ type }) => void (type === 'click' && stop()),
  });
  const stopped = runWith(t, {
    browser,
    prepare: (run) => {
      stop = () => run.stop(new Error('The service stops.'));
    },
  });
  await assert.rejects(stopped, /The service stops/);
  assert.deepEqual(browser.ended, ['session-1']);
});

test('a page that fails is told, and its session ends', async (t) => {
  const onAction = () => {
    throw new Error('Target closed\nlog');
  };
  const browser = createMemoryBrowser((url) => PAGES[url], { onAction });
  const { told } = await runWith(t, { browser });
  assert.deepEqual(browser.ended, ['session-1']);
  assert.match(told, /It was not done: The page could not be used: Target closed. Actions/);
});

test('the limits of the run hold on pages', async (t) => {
  const endless = Array.from({ length: 30 }, (_, at) => actions({ do: 'type', element: 1, text: `word ${at}` }));
  const poor = await runWith(t, { request: { maxCredits: 6 } });
  assert.deepEqual([poor.outcome.stopReason, poor.browser.opened.length], ['max_credits', 0]);
  // Ten turns: one before it, two after it, seven on the page.
  const short = await runWith(t, { onPage: endless, caps: { maxSteps: 10 }, request: { effort: 'high' } });
  assert.equal((short.uses[0]!.output as { turns: number }).turns, 7);
  assert.match(short.told, /not finished within 7 turns/);
  // A page that was used with other words is used again.
  const again = Array.from({ length: 9 }, (_, at) => calls('use_page', { url: FORM, instruction: `Try ${at}` }));
  const often = await runWith(t, { turns: [...again, FINISH], onPage: [DONE] });
  assert.equal(often.browser.opened.length, 5);
  const used = await runWith(t, { onPage: endless, caps: { maxTokens: 2_000 }, request: { effort: 'high' } });
  assert.ok((used.uses[0]!.output as { turns: number }).turns < 20);
  assert.match((used.uses[0]!.output as { error: string }).error, /reached a limit/);
});
