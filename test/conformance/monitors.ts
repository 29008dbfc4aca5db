// Every MonitorStore adapter passes these tests, together with the runs that carry out checks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MonitorDefinition } from '../../src/contracts/monitor/monitor.ts';
import type { CheckSummary } from '../../src/contracts/monitor/monitor-check.ts';
import type { CheckedPage, NewMonitor, StoredMonitor } from '../../src/store/ports/runs/monitor-store.ts';
import type { NewRun } from '../../src/store/ports/runs/run-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { DAY, HOUR, MINUTE, type OpenStore, START } from './samples.ts';

const TARGET = '00000000-0000-4000-8000-000000000001';
const OTHER_TARGET = '00000000-0000-4000-8000-000000000002';

const teamIn = async ({ teams }: Store, name = 'default') => (await teams.ensureTeam(name, START)).id;

const definition = (more: Partial<MonitorDefinition> = {}): MonitorDefinition => ({
  name: 'Prices',
  schedule: { cron: '0 * * * *', timezone: 'UTC' },
  targets: [TARGET, OTHER_TARGET].map((id) => ({
    ...{ id, type: 'search' as const, queries: ['ü'], searchWindow: '24h' as const, maxResults: 10 },
    ...{ includeDomains: [], excludeDomains: [] },
  })),
  retentionDays: 30,
  judgeEnabled: false,
  runsPerMonth: 730,
  baseUrl: 'http://trawl.test',
  ...more,
});

export const sampleMonitor = (teamId: string, more: Partial<NewMonitor> = {}): NewMonitor => ({
  ...{ id: crypto.randomUUID(), teamId, definition: definition(), nextRunAt: START + HOUR, createdAt: START },
  maxMonitors: 100,
  ...more,
});

async function addMonitor(store: Store, more: Partial<NewMonitor> = {}): Promise<StoredMonitor> {
  const monitor = sampleMonitor(more.teamId ?? (await teamIn(store)), more);
  assert.equal(await store.monitors.add(monitor), 'added');
  return (await store.monitors.find(monitor.id, monitor.teamId, START))!;
}

export const checkOf = (
  { id, teamId }: Pick<StoredMonitor, 'id' | 'teamId'>,
  now = START,
): NewRun & { group: string } => ({
  ...{ id: crypto.randomUUID(), teamId, kind: 'check', group: id, request: { trigger: 'manual' } },
  ...{ zeroDataRetention: false, createdAt: now, keepMs: 30 * DAY, maxUnfinished: 100 },
});

/** Starts a check and returns its id. */
async function start(store: Store, monitor: StoredMonitor, now = START): Promise<string> {
  const run = checkOf(monitor, now);
  assert.equal(await store.monitors.startNow(run), 'added');
  return run.id;
}

const summary = (changed: number): CheckSummary => ({
  totalPages: changed,
  same: 0,
  changed,
  new: 0,
  removed: 0,
  error: 0,
});

async function end(store: Store, check: string, changed: number, now: number): Promise<void> {
  const claim = { owner: 'me', kind: 'check' as const, slots: 10, teamSlots: 10, now, leaseUntil: now + HOUR };
  await store.runQueue.claim(claim);
  const result = { summary: summary(changed), targetResults: [] };
  assert.ok(await store.runQueue.end('me', check, { status: 'completed', result, credits: 1 }, now));
}

const found = (url: string, more: Partial<CheckedPage> = {}): CheckedPage => ({
  ...{ id: crypto.randomUUID(), targetId: TARGET, url, status: 'changed', createdAt: START },
  details: { metadata: { title: 'ü' }, diff: { text: 'x'.repeat(20_000) }, snapshot: null, judgment: null },
  ...more,
});

const known = (url: string, version: unknown, targetId = TARGET) => ({
  ...{ targetId, url, scrapeId: `scrape of ${url}`, isGone: false, seenAt: START },
  ...(version !== undefined && { version }),
});

export function testMonitorStore(adapter: string, open: OpenStore): void {
  describe(`MonitorStore on ${adapter}`, () => {
    test('a monitor comes back as it was stored, and the newest is listed first', async (t) => {
      const store = await open(t);
      const first = await addMonitor(store, { key: 'trawl-ab' });
      const second = await addMonitor(store, { definition: definition({ name: 'Second', goal: 'prices' }) });
      assert.deepEqual(first, {
        ...{
          id: first.id,
          teamId: first.teamId,
          key: 'trawl-ab',
          status: 'active',
          definition: definition(),
          version: 1,
        },
        ...{ nextRunAt: START + HOUR, createdAt: START, updatedAt: START },
      });
      const list = await store.monitors.list(first.teamId, { limit: 10, offset: 0 }, START);
      assert.deepEqual(list, [second, first]);
      assert.deepEqual(await store.monitors.list(first.teamId, { limit: 10, offset: 1 }, START), [first]);
    });

    test('a team sees, changes and removes its own monitors only, and has no more than it may', async (t) => {
      const store = await open(t);
      const [mine, theirs] = [await teamIn(store), await teamIn(store, 'other')];
      const monitor = await addMonitor(store);
      assert.equal(await store.monitors.find(monitor.id, theirs, START), undefined);
      assert.deepEqual(await store.monitors.list(theirs, { limit: 10, offset: 0 }, START), []);
      const change = { ...monitor, teamId: theirs, now: START };
      assert.equal(await store.monitors.update(change), 'gone');
      assert.equal(await store.monitors.remove(monitor.id, theirs, START), false);
      assert.equal(await store.monitors.startNow(checkOf({ ...monitor, teamId: theirs })), 'gone');
      assert.equal(await store.monitors.add(sampleMonitor(mine, { maxMonitors: 1 })), 'too-many');
      assert.equal(await store.monitors.add(sampleMonitor(theirs, { maxMonitors: 1 })), 'added');
    });

    test('a change based on an old version is refused; without a new time the schedule stays', async (t) => {
      const store = await open(t);
      const monitor = await addMonitor(store);
      const renamed = { ...monitor, definition: definition({ name: 'New' }), nextRunAt: undefined, now: START + 1 };
      assert.equal(await store.monitors.update(renamed), 'updated');
      assert.equal(await store.monitors.update({ ...renamed, now: START + 2 }), 'changed');
      const now = await store.monitors.find(monitor.id, monitor.teamId, START);
      assert.equal(now?.definition.name, 'New');
      assert.deepEqual([now?.version, now?.nextRunAt, now?.updatedAt], [2, START + HOUR, START + 1]);
      const paused = { ...now!, status: 'paused' as const, nextRunAt: null, now: START + 3 };
      assert.equal(await store.monitors.update(paused), 'updated');
      assert.equal((await store.monitors.find(monitor.id, monitor.teamId, START))?.nextRunAt, undefined);
      assert.deepEqual(await store.monitors.due(START + DAY, 10), []);
      assert.equal(await store.monitors.startNow(checkOf(monitor)), 'paused');
    });

    test('a check that is due begins once, moves the schedule on, and is skipped while another one is unfinished', async (t) => {
      const store = await open(t);
      const monitor = await addMonitor(store);
      const now = START + HOUR + MINUTE;
      assert.deepEqual(await store.monitors.due(START, 10), []);
      assert.equal(await store.monitors.nextAt(), START + HOUR);
      assert.deepEqual(await store.monitors.due(now, 10), [monitor]);
      const due = (scheduledFor: number) => ({
        ...{ monitorId: monitor.id, scheduledFor, nextRunAt: scheduledFor + HOUR, run: checkOf(monitor, now) },
      });
      const first = due(START + HOUR);
      const outcomes = await Promise.all(
        [first, due(START + HOUR)].map((check) => store.monitors.startDue(check, now)),
      );
      assert.deepEqual(outcomes, ['started', 'moved']);
      const after = await store.monitors.find(monitor.id, monitor.teamId, now);
      assert.deepEqual([after?.nextRunAt, after?.lastRunAt], [START + 2 * HOUR, now]);
      assert.equal(after?.currentCheckId, first.run.id);
      assert.deepEqual(await store.monitors.startNow(checkOf(monitor)), { busy: first.run.id });
      assert.equal(await store.monitors.startDue(due(START + 2 * HOUR), now + HOUR), 'skipped_overlap');
      const skipped = await store.monitors.find(monitor.id, monitor.teamId, now);
      assert.deepEqual([skipped?.nextRunAt, skipped?.lastRunAt], [START + 3 * HOUR, now]);
      const list = await store.runs.list(monitor.teamId, { kind: 'check', group: monitor.id, limit: 10 }, now);
      assert.deepEqual(
        list.map(({ status }) => status),
        ['skipped_overlap', 'queued'],
      );
    });

    test('the last summary is that of the last check that has a result', async (t) => {
      const store = await open(t);
      const monitor = await addMonitor(store);
      const lastSummary = async (now: number) => {
        const { lastCheckSummary } = (await store.monitors.find(monitor.id, monitor.teamId, now))!;
        return lastCheckSummary?.changed;
      };
      assert.equal(await lastSummary(START), undefined);
      await end(store, await start(store, monitor), 3, START);
      await end(store, await start(store, monitor, START + 1), 4, START + 1);
      const current = await start(store, monitor, START + 2);
      assert.equal(await lastSummary(START + 2), 4);
      assert.equal((await store.monitors.find(monitor.id, monitor.teamId, START))?.currentCheckId, current);
      assert.equal(await lastSummary(START + 31 * DAY), undefined);
    });

    test('pages of a check are listed in order, by state, in parts, and counted', async (t) => {
      const store = await open(t);
      const check = await start(store, await addMonitor(store));
      const pages = ['a', 'b', 'c'].map((url) => found(url));
      const failed = found('d', { status: 'error', error: 'It failed.', statusCode: 500 });
      assert.deepEqual(await store.monitors.savePages(check, [...pages, failed], []), [...pages, failed]);
      const all = { limit: 10, skip: 0 };
      assert.deepEqual(await store.monitors.pages(check, all), [...pages, failed]);
      assert.deepEqual(await store.monitors.pages(check, { ...all, status: 'error' }), [failed]);
      assert.deepEqual(await store.monitors.pages(check, { limit: 2, skip: 1 }), pages.slice(1, 3));
      assert.deepEqual(await store.monitors.countPages(check), { same: 0, new: 0, changed: 3, removed: 0, error: 1 });
      assert.deepEqual(await store.monitors.pages(crypto.randomUUID(), all), []);
    });

    test('what a check has said about a page stays, unless it was an error', async (t) => {
      const store = await open(t);
      const check = await start(store, await addMonitor(store));
      const changed = found('a');
      await store.monitors.savePages(check, [changed, found('b', { status: 'error' })], []);
      const better = found('b', { status: 'new' });
      const again = [found('a', { status: 'same' }), better];
      assert.deepEqual(await store.monitors.savePages(check, again, []), [
        changed,
        { ...better, id: (await store.monitors.pages(check, { limit: 1, skip: 1 }))[0]!.id },
      ]);
      const worse = await store.monitors.savePages(check, [found('b', { status: 'error' })], []);
      assert.equal(worse[0]?.status, 'new');
      const otherTarget = found('a', { targetId: OTHER_TARGET, status: 'same' });
      assert.deepEqual(await store.monitors.savePages(check, [otherTarget], []), [otherTarget]);
    });

    test('each target knows the last version of its pages; a write without a version keeps it', async (t) => {
      const store = await open(t);
      const { monitors } = store;
      const monitor = await addMonitor(store);
      const check = await start(store, monitor);
      const large = { markdown: 'ü '.repeat(100_000) };
      await monitors.savePages(
        check,
        [],
        [known('a', large), known('b', { markdown: 'b' }), known('a', 1, OTHER_TARGET)],
      );
      const { targetId: _, ...a } = known('a', large);
      assert.deepEqual(await monitors.knownVersion(monitor.id, TARGET, 'a'), a);
      assert.deepEqual(await monitors.knownVersion(monitor.id, TARGET, 'c'), undefined);
      await monitors.savePages(check, [], [{ targetId: TARGET, url: 'b', isGone: true, seenAt: START + 1 }]);
      assert.deepEqual(await monitors.knownVersion(monitor.id, TARGET, 'b'), {
        ...{ url: 'b', scrapeId: 'scrape of b', isGone: true, seenAt: START + 1, version: { markdown: 'b' } },
      });
      const list = await monitors.knownPages(monitor.id, TARGET);
      assert.deepEqual(
        list.map(({ url, isGone, version }) => [url, isGone, version]),
        [
          ['a', false, undefined],
          ['b', true, undefined],
        ],
      );
    });

    test('a target that is taken away is forgotten, the others are not', async (t) => {
      const store = await open(t);
      const monitor = await addMonitor(store);
      const check = await start(store, monitor);
      await store.monitors.savePages(check, [], [known('a', 1), known('a', 2, OTHER_TARGET)]);
      const { targets } = definition();
      const change = { ...monitor, definition: definition({ targets: [targets[1]!] }), now: START };
      assert.equal(await store.monitors.update(change), 'updated');
      assert.deepEqual(await store.monitors.knownPages(monitor.id, TARGET), []);
      await store.pages.sweep(START);
      assert.equal((await store.monitors.knownVersion(monitor.id, OTHER_TARGET, 'a'))?.version, 2);
    });

    test('checks can be read for as long as their monitor says, also when that changes', async (t) => {
      const store = await open(t);
      const monitor = await addMonitor(store);
      const check = await start(store, monitor);
      await store.monitors.savePages(check, [found('a')], [known('a', 1)]);
      await end(store, check, 1, START);
      const canBeRead = async (now: number) => (await store.runs.view(check, monitor.teamId, now)) !== undefined;
      assert.deepEqual([await canBeRead(START + 29 * DAY), await canBeRead(START + 30 * DAY)], [true, false]);
      await store.monitors.update({ ...monitor, definition: definition({ retentionDays: 2 }), now: START });
      assert.deepEqual([await canBeRead(START + DAY), await canBeRead(START + 2 * DAY)], [true, false]);
      await store.pages.sweep(START + 2 * DAY);
      assert.deepEqual(await store.monitors.pages(check, { limit: 10, skip: 0 }), []);
      // What later checks compare with does not expire.
      assert.equal((await store.monitors.knownVersion(monitor.id, TARGET, 'a'))?.version, 1);
    });

    test('a monitor goes with everything it knows; its unfinished check is cancelled and writes nothing', async (t) => {
      const store = await open(t);
      const monitor = await addMonitor(store);
      const { id, teamId } = monitor;
      const old = await start(store, monitor);
      await store.monitors.savePages(old, [found('a')], [known('a', 1)]);
      await end(store, old, 1, START);
      const check = await start(store, monitor);
      assert.equal(await store.monitors.remove(id, teamId, START), true);
      assert.equal(await store.monitors.remove(id, teamId, START), false);
      assert.equal(await store.monitors.find(id, teamId, START), undefined);
      assert.equal(await store.runs.view(old, teamId, START), undefined);
      assert.equal(await store.monitors.nextAt(), undefined);
      await store.monitors.savePages(check, [found('b')], [known('b', 1)]);
      assert.deepEqual(await store.monitors.pages(check, { limit: 10, skip: 0 }), []);
      assert.deepEqual(await store.monitors.knownPages(id, TARGET), []);
      assert.notEqual((await store.runs.view(check, teamId, START))?.cancelAskedAt, undefined);
      await end(store, check, 0, START);
      await store.pages.sweep(START);
      assert.deepEqual(await store.runs.list(teamId, { kind: 'check', group: id, limit: 10 }, START), []);
      // Its id is free again, so nothing of it is left.
      assert.equal(await store.monitors.add(sampleMonitor(teamId, { id })), 'added');
      assert.deepEqual(await store.monitors.knownPages(id, TARGET), []);
    });
  });
}
