// Creates the port of monitors on one connection, and the removers that the sweeper calls for them.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { MonitorStore } from '../../monitor-store.ts';
import { type Monitor, noPages } from '../../records/runs/monitor-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { RunRows } from '../runs/run-rows.ts';
import type { Served } from '../served.ts';
import { createMonitorRows, type MonitorRows } from './monitor-rows.ts';
import type { WatchedPageRows } from './page-rows.ts';

export interface MonitorPorts {
  monitors: Served<MonitorStore>;
  removers: Remover[];
}

interface MonitorPortsDeps {
  connection: Connection;
  sealed: SealedRequests;
  runs: Pick<RunRows, 'add' | 'find' | 'unfinishedOfGroup' | 'countUnfinished'>;
  pages: WatchedPageRows;
}

const DAY_MS = 86_400_000;

export function createMonitorPorts(deps: MonitorPortsDeps): MonitorPorts {
  const { connection, sealed, runs, pages } = deps;
  const rows = createMonitorRows(connection, sealed);
  const sql = prepareAll(connection);

  const findOfTeam = (id: string, teamId: string): Monitor | undefined => {
    const monitor = rows.find(id);
    return monitor?.teamId === teamId && monitor.status !== 'deleted' ? monitor : undefined;
  };

  const monitors: Served<MonitorStore> = {
    add: (monitor) =>
      connection.transaction(() => {
        if (rows.count(monitor.teamId) >= monitor.maxMonitors) return 'too-many';
        rows.add(monitor);
        return 'added';
      }),
    find: rows.view,
    list: (teamId, { limit, offset }, now) => rows.list(teamId, limit, offset, now),

    update: (change) =>
      connection.transaction(() => {
        const monitor = findOfTeam(change.id, change.teamId);
        if (!monitor) return 'gone';
        if (monitor.version !== change.version) return 'changed';
        const { targets, retentionDays } = change.definition;
        rows.change(monitor, change);
        const keepMs = retentionDays * DAY_MS;
        sql.keepChecks.run(keepMs, keepMs, monitor.id, keepMs);
        const targetIds = targets.map(({ id }) => id);
        pages.unwatchOthers(monitor, targetIds);
        return 'updated';
      }),

    // What it leaves may be thousands of checks, so the sweeper removes them later. Nobody can read them until then.
    remove: (id, teamId, now) =>
      connection.transaction(() => {
        const monitor = findOfTeam(id, teamId);
        if (!monitor) return false;
        rows.markDeleted(monitor, now);
        pages.unwatchOthers(monitor, []);
        sql.cancelChecks.run(now, id);
        sql.expireChecks.run(now, id);
        return true;
      }),

    due: rows.due,
    nextAt: rows.nextAt,
    startDue: ({ monitorId, scheduledFor, nextRunAt, run }, now) =>
      connection.transaction(() => {
        if (!rows.moveOn(monitorId, scheduledFor, nextRunAt)) return 'moved';
        const isBusy = runs.unfinishedOfGroup(monitorId) !== undefined;
        runs.add(run, isBusy ? 'skipped_overlap' : 'queued');
        if (!isBusy) rows.noteStart(monitorId, now);
        return isBusy ? 'skipped_overlap' : 'started';
      }),
    startNow: (run) =>
      connection.transaction(() => {
        const monitor = findOfTeam(run.group, run.teamId);
        if (!monitor) return 'gone';
        if (monitor.status === 'paused') return 'paused';
        const busy = runs.unfinishedOfGroup(run.group);
        if (busy !== undefined) return { busy };
        if (runs.countUnfinished(run.teamId, 'check') >= run.maxUnfinished) return 'queue-full';
        runs.add(run);
        rows.noteStart(monitor.id, run.createdAt);
        return 'added';
      }),
    ...createPagePorts(deps, rows),
  };

  return {
    monitors,
    removers: [(_now, limit) => pages.removeUnwatched(limit), (_now, limit) => rows.removeDeleted(limit)],
  };
}

type PagePorts = Pick<MonitorPorts['monitors'], 'savePages' | 'pages' | 'countPages' | 'knownPages' | 'knownVersion'>;

function createPagePorts({ connection, runs, pages }: MonitorPortsDeps, rows: Pick<MonitorRows, 'find'>): PagePorts {
  const groupOf = connection.prepare<{ groupId: string | null }>(
    'SELECT group_id AS groupId FROM runs WHERE number = ?',
  );
  const findWatching = (id: string): Monitor | undefined => {
    const monitor = rows.find(id);
    return monitor && monitor.status !== 'deleted' ? monitor : undefined;
  };

  return {
    savePages: (checkId, found, versions) =>
      connection.transaction(() => {
        const run = runs.find(checkId);
        const group = run && groupOf.get(run.number)?.groupId;
        const monitor = group ? findWatching(group) : undefined;
        if (!run || !monitor) return found;
        for (const version of versions) pages.saveKnown(monitor, version);
        return found.map((page) => pages.saveChecked(run, page));
      }),
    pages(checkId, { status, limit, skip }) {
      const run = runs.find(checkId);
      return run ? pages.checked(run, status, limit, skip) : [];
    },
    countPages(checkId) {
      const run = runs.find(checkId);
      return run ? pages.count(run) : noPages();
    },
    knownPages(monitorId, targetId) {
      const monitor = findWatching(monitorId);
      return monitor ? pages.known(monitor, targetId) : [];
    },
    knownVersion(monitorId, targetId, url) {
      const monitor = findWatching(monitorId);
      return monitor && pages.knownVersion(monitor, targetId, url);
    },
  };
}

const prepareAll = (connection: Connection) => ({
  keepChecks: connection.prepare(
    `UPDATE runs SET keep_ms = ?, expires_at = coalesce(finished_at, created_at) + ?
     WHERE group_id IS NOT NULL AND group_id = ? AND keep_ms <> ?`,
  ),
  cancelChecks: connection.prepare(
    `UPDATE runs SET cancel_asked_at = coalesce(cancel_asked_at, ?)
     WHERE group_id IS NOT NULL AND group_id = ? AND status IN ('queued', 'running')`,
  ),
  expireChecks: connection.prepare(
    'UPDATE runs SET keep_ms = 0, expires_at = ? WHERE group_id IS NOT NULL AND group_id = ?',
  ),
});
