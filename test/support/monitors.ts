// Monitors and checks in a real store, for tests of what is told about them.
import assert from 'node:assert/strict';
import type { MonitorDefinition } from '../../src/contracts/monitor/monitor.ts';
import type { CheckedPage, StoredMonitor } from '../../src/store/ports/runs/monitor-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { uuidv7 } from '../../src/util/ids.ts';

const TARGET = '00000000-0000-4000-8000-000000000001';
const DAY_MS = 86_400_000;

export const monitorDefinition = (more: Partial<MonitorDefinition> = {}): MonitorDefinition => ({
  name: 'Prices',
  schedule: { cron: '0 * * * *', timezone: 'UTC' },
  targets: [],
  retentionDays: 30,
  judgeEnabled: false,
  runsPerMonth: 730,
  baseUrl: 'http://trawl.test',
  ...more,
});

export async function addMonitor(
  { teams, monitors }: Pick<Store, 'teams' | 'monitors'>,
  now: number,
  {
    nextRunAt = now,
    team = 'default',
    ...more
  }: Partial<MonitorDefinition> & { nextRunAt?: number; team?: string } = {},
): Promise<StoredMonitor> {
  const { id: teamId } = await teams.ensureTeam(team, now);
  const id = uuidv7(now);
  const definition = monitorDefinition(more);
  assert.equal(await monitors.add({ id, teamId, definition, nextRunAt, createdAt: now, maxMonitors: 10_000 }), 'added');
  return (await monitors.find(id, teamId, now))!;
}

export const foundPage = (url: string, more: Partial<CheckedPage> = {}): CheckedPage => ({
  ...{ id: crypto.randomUUID(), targetId: TARGET, url, status: 'changed', createdAt: 1 },
  ...more,
  details: { metadata: null, diff: null, snapshot: null, judgment: null, ...more.details },
});

/** A check that has found these pages and ended. Returns its id. */
export async function addCheck(
  { monitors, runQueue }: Pick<Store, 'monitors' | 'runQueue'>,
  { id: group, teamId }: Pick<StoredMonitor, 'id' | 'teamId'>,
  pages: CheckedPage[],
  now: number,
): Promise<string> {
  const id = uuidv7(now);
  const run = { id, teamId, kind: 'check' as const, group, request: {}, zeroDataRetention: false, createdAt: now };
  assert.equal(await monitors.startNow({ ...run, keepMs: 30 * DAY_MS, maxUnfinished: 100 }), 'added');
  await monitors.savePages(id, pages, []);
  await runQueue.claim({ owner: 'me', kind: 'check', slots: 10, teamSlots: 10, now, leaseUntil: now + DAY_MS });
  assert.ok(await runQueue.end('me', id, { status: 'completed', result: {}, credits: 0 }, now));
  return id;
}
