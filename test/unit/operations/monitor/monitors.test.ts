// Monitors and their checks as callers see them, on the real store. Checks are started here and ended by the tests.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import {
  createMonitorRequest,
  type MonitorView,
  monitorView,
  updateMonitorRequest,
} from '../../../../src/contracts/monitor/monitor.ts';
import {
  checkQuery,
  checkResponse,
  listChecksQuery,
  runMonitorResponse,
} from '../../../../src/contracts/monitor/monitor-check.ts';
import { validate } from '../../../../src/contracts/validate/validate.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { type CheckDeps, getCheck, listChecks, runMonitor } from '../../../../src/operations/monitor/checks.ts';
import { createMailTokens } from '../../../../src/operations/monitor/mail/mail-tokens.ts';
import * as monitors from '../../../../src/operations/monitor/monitors.ts';
import { callOf } from '../../../support/call.ts';
import { type OpenOperations, openOperations } from '../../../support/operations.ts';

const SCRAPE = { type: 'scrape', urls: ['https://site.test/a', 'https://site.test/b'] };
const BODY = { name: 'Prices', schedule: { text: 'every 30 minutes' }, targets: [SCRAPE] };

let operations: OpenOperations;
let deps: monitors.MonitorDeps & CheckDeps;
let caller: Caller;
let other: Caller;
const woken: string[] = [];

before(async () => {
  operations = await openOperations();
  const { store } = operations;
  const signal = new AbortController().signal;
  caller = { ...operations.caller, signal };
  other = { team: await store.teams.ensureTeam('other', 1), signal };
  deps = {
    ...operations.deps,
    ...{ monitors: store.monitors, runs: store.runs, maxMonitors: 100 },
    onSchedule: () => void woken.push('schedule'),
    onRun: () => void woken.push('run'),
    cancelCheck: (id) => void woken.push(id),
    mail: {
      ...{ mails: store.mails, monitors: store.monitors, clock: operations.deps.clock },
      tokens: createMailTokens(new Uint8Array(32)),
    },
  };
});
after(() => operations.close());

/** Every answer must be what its schema describes. */
const checked = (monitor: MonitorView): MonitorView => monitorView.parse(monitor);

async function create(more: object = {}): Promise<MonitorView> {
  const body = validate(createMonitorRequest, { ...BODY, ...more });
  return checked((await monitors.createMonitor(deps, callOf(caller, { body }))).data);
}

async function update(id: string, body: object, by: Caller = caller): Promise<MonitorView> {
  const change = { params: { id }, body: validate(updateMonitorRequest, body) };
  return checked((await monitors.updateMonitor(deps, callOf(by, change))).data);
}

const get = (id: string, by = caller) => monitors.getMonitor(deps, callOf(by, { params: { id } }));
const remove = (id: string, by = caller) => monitors.deleteMonitor(deps, callOf(by, { params: { id } }));

async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => assert.fail('it did not fail'),
    (problem: unknown) => problem,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

const run = async (id: string, by = caller) =>
  runMonitorResponse.parse(await runMonitor(deps, callOf(by, { params: { id } })));
const read = async (id: string, checkId: string, query: object = {}, by = caller) => {
  const asked = { params: { id, checkId }, query: validate(checkQuery, query) };
  return checkResponse.parse(await getCheck(deps, callOf(by, asked)));
};
const list = async (id: string, query: object = {}, by = caller) =>
  (await listChecks(deps, callOf(by, { params: { id }, query: validate(listChecksQuery, query) }))).data;

/** Ends a check as its worker does. */
async function end(check: string, status: 'completed' | 'failed', credits: number): Promise<void> {
  const now = deps.clock.now();
  const claim = { owner: 'test', kind: 'check' as const, slots: 100, teamSlots: 100, now, leaseUntil: now + 60_000 };
  await operations.store.runQueue.claim(claim);
  const summary = { totalPages: 1, same: 0, changed: 1, new: 0, removed: 0, error: 0 };
  const result = status === 'completed' ? { result: { summary, targetResults: [] } } : { error: 'It failed.' };
  await operations.store.runQueue.end('test', check, { status, ...result, credits }, now);
}

test('a text schedule is answered as cron, with the next run, and targets have ids', async () => {
  const monitor = await create();
  assert.deepEqual(monitor.schedule, { cron: '*/30 * * * *', timezone: 'UTC' });
  assert.equal(Date.parse(monitor.nextRunAt!) % (30 * 60_000), 0);
  assert.deepEqual(monitor.targets, [
    { ...SCRAPE, id: monitor.targets[0]!.id, scrapeOptions: { formats: [{ type: 'markdown' }] } },
  ]);
  assert.deepEqual(
    [
      monitor.status,
      monitor.lastRunAt,
      monitor.currentCheckId,
      monitor.lastCheckSummary,
      monitor.webhook,
      monitor.goal,
    ],
    ['active', null, null, null, null, null],
  );
  assert.equal(monitor.judgeEnabled, false);
  assert.ok(woken.includes('schedule'));
  const got = await get(monitor.id);
  assert.deepEqual(got.data, monitor);
});

test('the estimate counts runs, pages, formats, searches and the judge', async () => {
  const perMonth = async (more: object) =>
    (await create({ schedule: { cron: '0 0 * * *' }, ...more })).estimatedCreditsPerMonth;
  const json = { ...SCRAPE, scrapeOptions: { formats: [{ type: 'json', prompt: 'prices' }] } };
  const program = { ...SCRAPE, scrapeOptions: { formats: [{ type: 'deterministicJson', prompt: 'prices' }] } };
  const tracked = {
    ...SCRAPE,
    scrapeOptions: { formats: [{ type: 'changeTracking', modes: ['json'], prompt: 'prices' }] },
  };
  const search = { type: 'search', queries: ['a', 'b'], maxResults: 20 };
  // A month has 30.4 days.
  assert.equal(await perMonth({}), Math.round(2 * 30.4375));
  assert.equal(await perMonth({ goal: 'prices' }), Math.round(4 * 30.4375));
  assert.equal(await perMonth({ targets: [json] }), Math.round(10 * 30.4375));
  assert.equal(await perMonth({ targets: [tracked] }), Math.round(10 * 30.4375));
  assert.equal(await perMonth({ targets: [program] }), Math.round(14 * 30.4375));
  assert.equal(await perMonth({ targets: [search], judgeEnabled: false }), Math.round(8 * 30.4375));
  assert.equal(await perMonth({ targets: [search], goal: 'news' }), Math.round(28 * 30.4375));
  assert.equal(
    await perMonth({ targets: [{ type: 'crawl', url: 'https://site.test', crawlOptions: { limit: 7 } }] }),
    Math.round(7 * 30.4375),
  );
});

test('values of headers and what actions do are not shown, and cannot be sent back', async () => {
  const scrapeOptions = { headers: { cookie: 'secret-1' } };
  const webhook = { url: 'https://hook.test/', headers: { authorization: 'secret-2' }, metadata: { a: 'b' } };
  const monitor = await create({ targets: [{ ...SCRAPE, scrapeOptions }], webhook });
  assert.doesNotMatch(JSON.stringify(monitor), /secret-/);
  assert.deepEqual(monitor.webhook?.headers, { authorization: '[hidden]' });
  assert.deepEqual(monitor.webhook?.events, ['monitor.page', 'monitor.check.completed']);
  for (const body of [{ targets: monitor.targets }, { webhook: monitor.webhook }]) {
    const { code, message } = await failure(update(monitor.id, body));
    assert.deepEqual([code, /values of headers/.test(message)], ['BAD_REQUEST', true]);
  }
});

const REFUSED: Record<string, [object, string, RegExp]> = {
  'runs too often': [
    { schedule: { cron: '* * * * *' } },
    'BAD_REQUEST',
    /^Monitor schedule must not run more often than every 5 minutes$/,
  ],
  'has a schedule nobody understands': [{ schedule: { text: 'now and then' } }, 'BAD_REQUEST', /./],
  'has an unknown time zone': [{ schedule: { text: 'hourly', timezone: 'Mars/Base' } }, 'BAD_REQUEST', /time zone/],
  'searches without a goal': [
    { targets: [{ type: 'search', queries: ['a'] }] },
    'BAD_REQUEST',
    /^A search target requires a non-empty goal$/,
  ],
  'searches with a blank goal': [
    { targets: [{ type: 'search', queries: ['a'] }], goal: '  ' },
    'BAD_REQUEST',
    /^A search target requires a non-empty goal$/,
  ],
  'may leave no trace': [{ zeroDataRetention: true }, 'BAD_REQUEST', /zero data retention/],
  'watches a private network': [
    { targets: [{ type: 'scrape', urls: ['http://10.0.0.1/'] }] },
    'UNSUPPORTED_SITE',
    /private/,
  ],
  'crawls a private network': [{ targets: [{ type: 'crawl', url: 'http://[::1]/' }] }, 'UNSUPPORTED_SITE', /private/],
  'calls a private network': [{ webhook: 'http://127.0.0.1/hook' }, 'UNSUPPORTED_SITE', /private/],
  'watches no URL': [{ targets: [{ type: 'scrape', urls: ['ftp://site.test'] }] }, 'BAD_REQUEST', /http/],
  'has a path rule that is no expression': [
    { targets: [{ type: 'crawl', url: 'https://site.test', crawlOptions: { includePaths: ['('] } }] },
    'BAD_REQUEST',
    /./,
  ],
  'has a schema that is none': [
    { targets: [{ ...SCRAPE, scrapeOptions: { formats: [{ type: 'json', schema: { type: 'nothing' } }] } }] },
    'BAD_REQUEST',
    /./,
  ],
  'needs a browser that is not there': [
    { targets: [{ ...SCRAPE, scrapeOptions: { actions: [{ type: 'wait', milliseconds: 1 }] } }] },
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    /browser/,
  ],
};

for (const [what, [more, code, message]] of Object.entries(REFUSED)) {
  test(`a monitor that ${what} is refused, as is the change to it`, async () => {
    const error = await failure(create(more));
    assert.deepEqual([error.code, message.test(error.message)], [code, true], error.message);
    const { id } = await create();
    assert.equal((await failure(update(id, more))).code, code);
  });
}

test('a PATCH keeps what is absent, clears what is null, and replaces what is given', async () => {
  const webhook = { url: 'https://hook.test/' };
  const notification = { email: { enabled: true, recipients: ['a@site.test'] } };
  const monitor = await create({ webhook, notification, goal: 'prices', retentionDays: 7 });
  assert.equal(monitor.judgeEnabled, true);
  const renamed = await update(monitor.id, { name: 'New' });
  assert.deepEqual(renamed, { ...monitor, name: 'New', updatedAt: renamed.updatedAt });
  const cleared = await update(monitor.id, { webhook: null, notification: null, goal: null });
  assert.deepEqual(
    [cleared.webhook, cleared.notification, cleared.goal, cleared.judgeEnabled],
    [null, null, null, false],
  );
  assert.equal(cleared.name, 'New');
  const judged = await update(monitor.id, { goal: 'stock', judgeEnabled: false, retentionDays: 1 });
  assert.deepEqual([judged.goal, judged.judgeEnabled, judged.retentionDays], ['stock', false, 1]);
  assert.equal((await update(monitor.id, { goal: 'prices' })).judgeEnabled, false, 'what was said stays');
});

test('the goal of a search cannot be taken away unless nothing is judged', async () => {
  const monitor = await create({ targets: [{ type: 'search', queries: ['a'] }], goal: 'news' });
  assert.equal(
    (await failure(update(monitor.id, { goal: null }))).message,
    'A search target requires a non-empty goal',
  );
  assert.equal((await update(monitor.id, { goal: null, judgeEnabled: false })).goal, null);
});

test('targets keep their ids: those that are sent, and those that watch the same as before', async () => {
  const crawl = { type: 'crawl', url: 'https://site.test' };
  const monitor = await create({ targets: [SCRAPE, crawl] });
  const [scrapeId, crawlId] = monitor.targets.map(({ id }) => id);
  const changed = await update(monitor.id, {
    targets: [
      { type: 'scrape', urls: ['https://site.test/new'] },
      { ...crawl, crawlOptions: { limit: 3 } },
      { ...SCRAPE, id: scrapeId, urls: ['https://site.test/c'] },
    ],
  });
  const ids = changed.targets.map(({ id }) => id);
  assert.deepEqual(ids.slice(1), [crawlId, scrapeId]);
  assert.ok(ids[0] !== scrapeId && ids[0] !== crawlId);
});

test('a paused monitor has no next run, cannot be run, and goes on after it is resumed', async () => {
  const { id, nextRunAt } = await create();
  const paused = await update(id, { status: 'paused' });
  assert.deepEqual([paused.status, paused.nextRunAt], ['paused', null]);
  const error = await failure(run(id));
  assert.deepEqual([error.status, error.message], [409, 'Monitor is paused. Resume it before running a check.']);
  const resumed = await update(id, { status: 'active' });
  assert.deepEqual([resumed.status, resumed.nextRunAt], ['active', nextRunAt]);
});

test('two changes at the same time are both kept', async () => {
  const { id } = await create();
  await Promise.all([update(id, { name: 'New' }), update(id, { goal: 'prices' }), update(id, { retentionDays: 3 })]);
  const { data } = await get(id);
  assert.deepEqual([data.name, data.goal, data.retentionDays], ['New', 'prices', 3]);
});

test('a check that somebody starts is queued; a second one is refused with its id', async () => {
  const monitor = await create();
  const { id, data } = await run(monitor.id);
  assert.deepEqual(
    [data.id, data.monitorId, data.status, data.trigger, data.scheduledFor, data.startedAt, data.finishedAt],
    [id, monitor.id, 'queued', 'manual', null, null, null],
  );
  assert.deepEqual(
    [data.estimatedCredits, data.reservedCredits, data.actualCredits, data.billingStatus],
    [2, 2, null, 'reserved'],
  );
  assert.deepEqual(data.summary, { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 });
  const error = await failure(run(monitor.id));
  assert.deepEqual([error.status, error.fields], [409, { checkId: id }]);
  assert.equal((await get(monitor.id)).data.currentCheckId, id);
  await end(id, 'completed', 2);
  const after = (await get(monitor.id)).data;
  assert.deepEqual([after.currentCheckId, after.lastCheckSummary?.changed], [null, 1]);
  assert.ok(after.lastRunAt);
});

test('checks are listed newest first, in parts and by status, with what they cost', async () => {
  const { id } = await create();
  const checks: string[] = [];
  for (const [status, credits] of [
    ['completed', 2],
    ['failed', 0],
    ['completed', 1],
  ] as const) {
    const check = await run(id);
    checks.unshift(check.id);
    await end(check.id, status, credits);
  }
  const all = await list(id);
  assert.deepEqual(
    all.map((check) => check.id),
    checks,
  );
  assert.deepEqual(
    all.map(({ billingStatus, actualCredits }) => [billingStatus, actualCredits]),
    [
      ['confirmed', 1],
      ['released', 0],
      ['confirmed', 2],
    ],
  );
  assert.equal(all[1]?.error, 'It failed.');
  assert.deepEqual(
    (await list(id, { limit: '1', offset: '1' })).map((check) => check.id),
    [checks[1]],
  );
  assert.deepEqual(
    (await list(id, { status: 'failed' })).map((check) => check.id),
    [checks[1]],
  );
  assert.deepEqual(await list(id, { status: 'partial' }), []);
});

test('pages of a check come in parts: `next` is absolute, stands twice, and is absent at the end', async () => {
  const { id, targets } = await create();
  const check = (await run(id)).id;
  const details = { metadata: null, diff: null, snapshot: null, judgment: null };
  const pages = Array.from({ length: 5 }, (_, index) => ({
    ...{ id: crypto.randomUUID(), targetId: String(targets[0]!.id), url: `https://site.test/${index}` },
    ...{ status: index === 2 ? ('error' as const) : ('new' as const), details, createdAt: deps.clock.now() },
  }));
  await operations.store.monitors.savePages(check, pages, []);
  const first = await read(id, check, { limit: '2' });
  assert.equal(first.next, `http://trawl.test/v2/monitor/${id}/checks/${check}?limit=2&skip=2`);
  assert.equal(first.data.next, first.next);
  assert.deepEqual(first.data.summary, { totalPages: 5, same: 0, changed: 0, new: 4, removed: 0, error: 1 });
  const seen = [...first.data.pages];
  for (let next: string | undefined = first.next; next !== undefined; ) {
    const part = await read(id, check, Object.fromEntries(new URL(next).searchParams));
    seen.push(...part.data.pages);
    next = part.next;
  }
  assert.deepEqual(
    seen.map((page) => page.id),
    pages.map((page) => page.id),
  );
  const failed = await read(id, check, { status: 'error', limit: '1' });
  assert.deepEqual(
    [failed.data.pages.map(({ url }) => url), 'next' in failed, 'next' in failed.data],
    [['https://site.test/2'], false, false],
  );
});

test('another team finds neither monitors nor checks', async () => {
  const monitor = await create();
  const check = (await run(monitor.id)).id;
  const attempts = [
    () => get(monitor.id, other),
    () => update(monitor.id, { name: 'Mine' }, other),
    () => remove(monitor.id, other),
    () => run(monitor.id, other),
    () => list(monitor.id, {}, other),
    () => read(monitor.id, check, {}, other),
  ];
  for (const attempt of attempts) {
    const error = await failure(attempt());
    assert.deepEqual([error.status, error.message], [404, 'Monitor not found']);
  }
  assert.deepEqual((await monitors.listMonitors(deps, callOf(other, { query: { limit: 100, offset: 0 } }))).data, []);
});

test('unknown ids are not found, also if they are no ids or belong to another monitor', async () => {
  const [monitor, second] = [await create(), await create()];
  const check = (await run(second.id)).id;
  for (const id of ['x', '', crypto.randomUUID(), "' OR 1=1"]) {
    assert.equal((await failure(get(id))).message, 'Monitor not found');
    assert.equal((await failure(read(monitor.id, id))).message, 'Check not found');
  }
  assert.equal((await failure(read(monitor.id, check))).message, 'Check not found');
});

test('a deleted monitor is gone, with its checks, and its unfinished check is cancelled', async () => {
  const { id } = await create();
  const check = (await run(id)).id;
  assert.deepEqual(await remove(id), { success: true });
  assert.ok(woken.includes(check));
  assert.equal((await failure(get(id))).status, 404);
  assert.equal((await failure(read(id, check))).status, 404);
  assert.equal((await failure(remove(id))).status, 404);
});

test('a team has no more monitors than it may have', async () => {
  const call = callOf<'createMonitor'>(caller, { body: validate(createMonitorRequest, BODY) });
  const error = await failure(monitors.createMonitor({ ...deps, maxMonitors: 0 }, call));
  assert.deepEqual([error.code, error.status], ['TOO_MANY_MONITORS', 429]);
});
