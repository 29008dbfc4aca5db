// Creates the port of monitors, and the removers that the sweeper calls for them.
import type { MonitorStore } from '../../ports/runs/monitor-store.ts';
import { type Monitor, noPages } from '../../rules/runs/monitor-record.ts';
import type { Database, Remover, Tx } from '../database.ts';
import { lockRunCount } from '../runs/run-ports.ts';
import type { RunRows } from '../runs/run-rows.ts';
import type { Sealer } from '../sealer.ts';
import { createMonitorRows, type MonitorRows } from './monitor-rows.ts';
import type { WatchedPageRows } from './page-rows.ts';

export interface MonitorPorts {
  monitors: MonitorStore;
  removers: Remover[];
}

interface MonitorPortsDeps {
  database: Database;
  sealed: Sealer;
  runs: Pick<RunRows, 'pack' | 'add' | 'find' | 'unfinishedOfGroup' | 'countUnfinished'>;
  pages: WatchedPageRows;
}

const DAY_MS = 86_400_000;

export function createMonitorPorts(deps: MonitorPortsDeps): MonitorPorts {
  const { database, sealed, pages } = deps;
  const rows = createMonitorRows(sealed);

  return {
    monitors: {
      async add(monitor) {
        const definition = await sealed.seal(monitor.definition, monitor.teamId);
        return database.transaction(async (tx) => {
          await tx.lock('monitors', monitor.teamId);
          if ((await rows.count(tx, monitor.teamId)) >= monitor.maxMonitors) return 'too-many';
          await rows.add(tx, monitor, definition);
          return 'added';
        });
      },
      find: (id, teamId, now) => rows.view(database, id, teamId, now),
      list: (teamId, { limit, offset }, now) => rows.list(database, teamId, limit, offset, now),

      async update(change) {
        const definition = await sealed.seal(change.definition, change.teamId);
        return database.transaction(async (tx) => {
          const monitor = await lockOfTeam(tx, rows, change);
          if (!monitor) return 'gone';
          if (monitor.version !== change.version) return 'changed';
          const { targets, retentionDays } = change.definition;
          await rows.change(tx, monitor, change, definition);
          await keepChecks(tx, monitor.id, retentionDays * DAY_MS);
          await pages.unwatchOthers(
            tx,
            monitor,
            targets.map(({ id }) => id),
          );
          return 'updated';
        });
      },

      // A monitor may have thousands of checks, so the sweeper removes them later. Nobody can read them until then.
      remove: (id, teamId, now) =>
        database.transaction(async (tx) => {
          const monitor = await lockOfTeam(tx, rows, { id, teamId });
          if (!monitor) return false;
          await rows.markDeleted(tx, monitor, now);
          await pages.unwatchOthers(tx, monitor, []);
          await expireChecks(tx, id, now);
          return true;
        }),

      due: (now, limit) => rows.due(database, now, limit),
      nextAt: () => rows.nextAt(database),
      ...createStartPorts(deps, rows),
      ...createPagePorts(deps, rows),
    },
    removers: [
      (_now, limit) => pages.removeUnwatched(database, limit),
      (_now, limit) => rows.removeDeleted(database, limit),
    ],
  };
}

/** Its schedule, its definition and its checks change one after the other. */
async function lockOfTeam(
  tx: Tx,
  rows: Pick<MonitorRows, 'lock'>,
  { id, teamId }: { id: string; teamId: string },
): Promise<Monitor | undefined> {
  const monitor = await rows.lock(tx, id);
  return monitor?.teamId === teamId ? monitor : undefined;
}

function createStartPorts(
  { database, runs }: MonitorPortsDeps,
  rows: MonitorRows,
): Pick<MonitorStore, 'startDue' | 'startNow'> {
  return {
    async startDue({ monitorId, scheduledFor, nextRunAt, run }, now) {
      const packed = await runs.pack(run);
      return database.transaction(async (tx) => {
        if (!(await rows.moveOn(tx, monitorId, scheduledFor, nextRunAt))) return 'moved';
        const isStarted = (await runs.add(tx, run, packed)) !== undefined;
        if (isStarted) await rows.noteStart(tx, monitorId, now);
        else await runs.add(tx, run, packed, 'skipped_overlap');
        return isStarted ? 'started' : 'skipped_overlap';
      });
    },
    async startNow(run) {
      const packed = await runs.pack(run);
      return database.transaction(async (tx) => {
        await lockRunCount(tx, run.teamId);
        const monitor = await lockOfTeam(tx, rows, { id: run.group, teamId: run.teamId });
        if (!monitor) return 'gone';
        if (monitor.status === 'paused') return 'paused';
        const busy = await runs.unfinishedOfGroup(tx, run.group);
        if (busy !== undefined) return { busy };
        if ((await runs.countUnfinished(tx, run.teamId, 'check')) >= run.maxUnfinished) return 'queue-full';
        await runs.add(tx, run, packed);
        await rows.noteStart(tx, monitor.id, run.createdAt);
        return 'added';
      });
    },
  };
}

type PagePorts = Pick<MonitorStore, 'savePages' | 'pages' | 'countPages' | 'knownPages' | 'knownVersion'>;

function createPagePorts({ database, sealed, runs, pages }: MonitorPortsDeps, rows: MonitorRows): PagePorts {
  /** The check and its monitor, which may be deleted. */
  const findCheck = async (checkId: string) => {
    const run = await runs.find(database, checkId);
    const of =
      run &&
      (await database.one<{
        groupId: string | null;
      }>`SELECT group_id AS "groupId" FROM runs WHERE number = ${run.number}`);
    return run && of?.groupId ? { run, monitorId: of.groupId } : undefined;
  };

  return {
    async savePages(checkId, found, versions) {
      const check = await findCheck(checkId);
      if (!check) return found;
      const { run, monitorId } = check;
      const seal = (part: unknown) => sealed.seal(part, run.teamId);
      const [details, sealedVersions] = await Promise.all([
        Promise.all(found.map((page) => seal(page.details))),
        Promise.all(versions.map(({ version }) => (version === undefined ? undefined : seal(version)))),
      ]);
      const stored = await database.transaction(async (tx) => {
        const monitor = await rows.share(tx, monitorId);
        if (!monitor) return undefined;
        const [, , saved] = await Promise.all([
          Promise.all(versions.map((page, index) => pages.saveKnown(tx, monitor, page, sealedVersions[index]))),
          Promise.all(found.map((page, index) => pages.saveChecked(tx, run, page, details[index]!))),
          Promise.all(found.map((page) => pages.findChecked(tx, run, page))),
        ]);
        return saved;
      });
      return stored ? Promise.all(stored.map((row) => pages.toChecked(row, run.teamId))) : found;
    },
    async pages(checkId, { status, limit, skip }) {
      const run = await runs.find(database, checkId);
      return run ? pages.checked(database, run, status, limit, skip) : [];
    },
    async countPages(checkId) {
      const run = await runs.find(database, checkId);
      return run ? pages.count(database, run) : noPages();
    },
    async knownPages(monitorId, targetId) {
      const monitor = await rows.find(database, monitorId);
      return monitor ? pages.known(database, monitor, targetId) : [];
    },
    async knownVersion(monitorId, targetId, url) {
      const monitor = await rows.find(database, monitorId);
      return monitor && pages.knownVersion(database, monitor, targetId, url);
    },
  };
}

const keepChecks = (tx: Tx, monitorId: string, keepMs: number) => tx.run`
  UPDATE runs SET keep_ms = ${keepMs}, expires_at = coalesce(finished_at, created_at) + ${keepMs}
  WHERE group_id = ${monitorId} AND keep_ms <> ${keepMs}`;

/** The unfinished one is cancelled. */
const expireChecks = (tx: Tx, monitorId: string, now: number) => tx.run`
  UPDATE runs SET keep_ms = 0, expires_at = ${now},
    cancel_asked_at = CASE WHEN status IN ('queued', 'running') THEN coalesce(cancel_asked_at, ${now}) ELSE cancel_asked_at END
  WHERE group_id = ${monitorId}`;
