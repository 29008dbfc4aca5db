// Creates the port of monitors, and the removers that the sweeper calls for them.
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { MonitorStore } from '../../monitor-store.ts';
import { type Monitor, noPages } from '../../records/runs/monitor-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Database, Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import { lockRunCount } from '../runs/run-ports.ts';
import type { RunRows } from '../runs/run-rows.ts';
import { createMonitorRows, type MonitorRows } from './monitor-rows.ts';
import type { WatchedPageRows } from './page-rows.ts';

export interface MonitorPorts {
  monitors: MonitorStore;
  removers: Remover[];
}

interface MonitorPortsDeps {
  database: Database;
  sealed: SealedRequests;
  runs: Pick<RunRows, 'pack' | 'add' | 'find' | 'unfinishedOfGroup' | 'countUnfinished'>;
  pages: WatchedPageRows;
}

const DAY_MS = 86_400_000;

export function createMonitorPorts(deps: MonitorPortsDeps): MonitorPorts {
  const { database, sealed, pages } = deps;
  const { sql, transaction } = database;
  const rows = createMonitorRows(sealed);

  return {
    monitors: {
      async add(monitor) {
        const definition = await sealed.sealLarge(monitor.definition, monitor.teamId);
        return transaction(async (inside) => {
          await lockByName(inside, 'monitors', monitor.teamId);
          if ((await rows.count(inside, monitor.teamId)) >= monitor.maxMonitors) return 'too-many';
          await rows.add(inside, monitor, definition);
          return 'added';
        });
      },
      find: (id, teamId, now) => rows.view(sql, id, teamId, now),
      list: (teamId, { limit, offset }, now) => rows.list(sql, teamId, limit, offset, now),

      async update(change) {
        const definition = await sealed.sealLarge(change.definition, change.teamId);
        return transaction(async (inside) => {
          const monitor = await findOfTeam(inside, rows, change);
          if (!monitor) return 'gone';
          if (monitor.version !== change.version) return 'changed';
          const { targets, retentionDays } = change.definition;
          await rows.change(inside, monitor, change, definition);
          await keepChecks(inside, monitor.id, retentionDays * DAY_MS);
          await pages.unwatchOthers(
            inside,
            monitor,
            targets.map(({ id }) => id),
          );
          return 'updated';
        });
      },

      // What it leaves may be thousands of checks, so the sweeper removes them later. Nobody can read them until then.
      remove: (id, teamId, now) =>
        transaction(async (inside) => {
          const monitor = await findOfTeam(inside, rows, { id, teamId });
          if (!monitor) return false;
          await rows.markDeleted(inside, monitor, now);
          await pages.unwatchOthers(inside, monitor, []);
          await expireChecks(inside, id, now);
          return true;
        }),

      due: (now, limit) => rows.due(sql, now, limit),
      nextAt: () => rows.nextAt(sql),
      ...createStartPorts(deps, rows),
      ...createPagePorts(deps, rows),
    },
    removers: [(_now, limit) => pages.removeUnwatched(sql, limit), (_now, limit) => rows.removeDeleted(sql, limit)],
  };
}

/** Locks it, so that its schedule, its definition and its checks change one after the other. */
async function findOfTeam(
  sql: Sql,
  rows: Pick<MonitorRows, 'find'>,
  { id, teamId }: { id: string; teamId: string },
): Promise<Monitor | undefined> {
  const monitor = await rows.find(sql, id, 'change');
  return monitor?.teamId === teamId ? monitor : undefined;
}

function createStartPorts(
  { database: { transaction }, runs }: MonitorPortsDeps,
  rows: MonitorRows,
): Pick<MonitorStore, 'startDue' | 'startNow'> {
  return {
    async startDue({ monitorId, scheduledFor, nextRunAt, run }, now) {
      const packed = await runs.pack(run);
      return transaction(async (inside) => {
        if (!(await rows.moveOn(inside, monitorId, scheduledFor, nextRunAt))) return 'moved';
        const isStarted = (await runs.add(inside, run, packed)) !== undefined;
        if (isStarted) await rows.noteStart(inside, monitorId, now);
        else await runs.add(inside, run, packed, 'skipped_overlap');
        return isStarted ? 'started' : 'skipped_overlap';
      });
    },
    async startNow(run) {
      const packed = await runs.pack(run);
      return transaction(async (inside) => {
        await lockRunCount(inside, run.teamId);
        const monitor = await findOfTeam(inside, rows, { id: run.group, teamId: run.teamId });
        if (!monitor) return 'gone';
        if (monitor.status === 'paused') return 'paused';
        const busy = await runs.unfinishedOfGroup(inside, run.group);
        if (busy !== undefined) return { busy };
        if ((await runs.countUnfinished(inside, run.teamId, 'check')) >= run.maxUnfinished) return 'queue-full';
        await runs.add(inside, run, packed);
        await rows.noteStart(inside, monitor.id, run.createdAt);
        return 'added';
      });
    },
  };
}

type PagePorts = Pick<MonitorStore, 'savePages' | 'pages' | 'countPages' | 'knownPages' | 'knownVersion'>;

function createPagePorts({ database, sealed, runs, pages }: MonitorPortsDeps, rows: MonitorRows): PagePorts {
  const { sql, transaction } = database;

  /** The check, and its monitor unless that is deleted. */
  const findCheck = async (checkId: string) => {
    const run = await runs.find(sql, checkId);
    const [row] = run
      ? await sql<{ groupId: string | null }[]>`
      SELECT group_id AS "groupId" FROM runs WHERE number = ${run.number}`
      : [];
    return run && row?.groupId ? { run, monitorId: row.groupId } : undefined;
  };

  return {
    async savePages(checkId, found, versions) {
      const check = await findCheck(checkId);
      if (!check) return found;
      const { run, monitorId } = check;
      const seal = (part: unknown) => sealed.sealLarge(part, run.teamId);
      const [details, sealedVersions] = await Promise.all([
        Promise.all(found.map((page) => seal(page.details))),
        Promise.all(versions.map(({ version }) => (version === undefined ? undefined : seal(version)))),
      ]);
      return transaction(async (inside) => {
        const monitor = await rows.find(inside, monitorId, 'use');
        if (!monitor) return found;
        const [, , stored] = await Promise.all([
          Promise.all(versions.map((page, index) => pages.saveKnown(inside, monitor, page, sealedVersions[index]))),
          Promise.all(found.map((page, index) => pages.saveChecked(inside, run, page, details[index]!))),
          Promise.all(found.map((page) => pages.findChecked(inside, run, page))),
        ]);
        return stored;
      });
    },
    async pages(checkId, { status, limit, skip }) {
      const run = await runs.find(sql, checkId);
      return run ? pages.checked(sql, run, status, limit, skip) : [];
    },
    async countPages(checkId) {
      const run = await runs.find(sql, checkId);
      return run ? pages.count(sql, run) : noPages();
    },
    async knownPages(monitorId, targetId) {
      const monitor = await rows.find(sql, monitorId);
      return monitor ? pages.known(sql, monitor, targetId) : [];
    },
    async knownVersion(monitorId, targetId, url) {
      const monitor = await rows.find(sql, monitorId);
      return monitor && pages.knownVersion(sql, monitor, targetId, url);
    },
  };
}

const keepChecks = (sql: Sql, monitorId: string, keepMs: number) => sql`
  UPDATE runs SET keep_ms = ${keepMs}, expires_at = coalesce(finished_at, created_at) + ${keepMs}
  WHERE group_id = ${monitorId} AND keep_ms <> ${keepMs}`;

/** The unfinished one is cancelled. */
const expireChecks = (sql: Sql, monitorId: string, now: number) => sql`
  UPDATE runs SET keep_ms = 0, expires_at = ${now},
    cancel_asked_at = CASE WHEN status IN ('queued', 'running') THEN coalesce(cancel_asked_at, ${now}) ELSE cancel_asked_at END
  WHERE group_id = ${monitorId}`;
