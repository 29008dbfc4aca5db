// Creates the port of collections, and the removers that the sweeper calls for them.
import type { CollectionStore } from '../../ports/collections/collection-store.ts';
import type { Database, Remover, Tx } from '../database.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import type { ScrapeRows } from '../pages/scrape-rows.ts';
import { lockRunCount } from '../runs/run-ports.ts';
import type { RunRows } from '../runs/run-rows.ts';
import type { Sealer } from '../sealer.ts';
import { type CollectionRows, createCollectionRows } from './collection-rows.ts';
import { createMemberPorts } from './member-ports.ts';
import { createMemberRows } from './member-rows.ts';

export interface CollectionPortsDeps {
  database: Database;
  sealed: Sealer;
  runs: Pick<RunRows, 'pack' | 'add' | 'find' | 'unfinishedOfGroup' | 'countUnfinished'>;
  scrapes: Pick<ScrapeRows, 'keep' | 'letGo'>;
  documents: Pick<DocumentJson, 'ofScrape'>;
}

export function createCollectionPorts(deps: CollectionPortsDeps): {
  collections: CollectionStore;
  removers: Remover[];
} {
  const { database, sealed, scrapes } = deps;
  const rows = createCollectionRows(sealed);
  const memberRows = createMemberRows({ scrapes });

  return {
    collections: {
      async put(collection) {
        const { teamId, name, definition, maxCollections } = collection;
        const packed = await sealed.seal(definition, teamId);
        return database.transaction(async (tx) => {
          await tx.lock('collections', teamId);
          const known = await rows.lockByName(tx, teamId, name);
          if (known) {
            await rows.replace(tx, known, collection, packed);
            return 'replaced';
          }
          if ((await rows.count(tx, teamId)) >= maxCollections) return 'too-many';
          await rows.add(tx, collection, packed);
          return 'added';
        });
      },
      find: (teamId, name, now) => rows.view(database, teamId, name, now),
      list: (teamId, now) => rows.list(database, teamId, now),
      // It may have a million members, so the sweeper removes them later. Nobody can read them until then.
      remove: (teamId, name, now) =>
        database.transaction(async (tx) => {
          const collection = await rows.lockByName(tx, teamId, name);
          if (!collection) return undefined;
          await rows.markDeleted(tx, collection, now);
          const runId = await deps.runs.unfinishedOfGroup(tx, collection.id);
          await expireRuns(tx, collection.id, now);
          return { ...(runId !== undefined && { runId }) };
        }),
      due: (now, limit) => rows.due(database, now, limit),
      nextAt: () => rows.nextAt(database),
      ...createStartPorts(deps, rows),
      ...createMemberPorts({ ...deps, rows, memberRows }),
    },
    removers: [
      (now, limit) => forgetDeleted(database, now, limit),
      (_now, limit) => removeMembers(database, scrapes, limit),
      (_now, limit) => rows.removeDeleted(database, limit),
    ],
  };
}

function createStartPorts(
  { database, runs }: CollectionPortsDeps,
  rows: CollectionRows,
): Pick<CollectionStore, 'startDue' | 'startNow'> {
  return {
    async startDue({ scheduledFor, nextRunAt, run }, now) {
      const packed = await runs.pack(run);
      return database.transaction(async (tx) => {
        if (!(await rows.moveOn(tx, run.group, scheduledFor, nextRunAt))) return 'moved';
        const isStarted = (await runs.add(tx, run, packed)) !== undefined;
        if (isStarted) await rows.noteStart(tx, run.group, now);
        return isStarted ? 'started' : 'skipped_overlap';
      });
    },
    async startNow(run) {
      const packed = await runs.pack(run);
      return database.transaction(async (tx) => {
        await lockRunCount(tx, run.teamId);
        const collection = await rows.lock(tx, run.group);
        if (collection?.teamId !== run.teamId) return 'gone';
        const busy = await runs.unfinishedOfGroup(tx, run.group);
        if (busy !== undefined) return { busy };
        if ((await runs.countUnfinished(tx, run.teamId, 'collection')) >= run.maxUnfinished) return 'queue-full';
        await runs.add(tx, run, packed);
        await rows.noteStart(tx, run.group, run.createdAt);
        return 'added';
      });
    },
  };
}

/** The unfinished one is cancelled. */
const expireRuns = (tx: Tx, id: string, now: number) => tx.run`
  UPDATE runs SET keep_ms = 0, expires_at = ${now},
    cancel_asked_at = CASE WHEN status IN ('queued', 'running') THEN coalesce(cancel_asked_at, ${now}) ELSE cancel_asked_at END
  WHERE group_id = ${id}`;

/** Removes deletions that everybody should have heard of. Cursors from before them are refused from now on. */
const forgetDeleted = (database: Database, now: number, limit: number): Promise<number> =>
  database.transaction(async (tx) => {
    const due = await tx.one<{ collection: number }>`
      SELECT collection FROM collection_members WHERE forget_at <= ${now} ORDER BY forget_at LIMIT 1`;
    if (!due) return 0;
    // Locked first, as by every other change, so that no cursor is read between the two statements.
    await tx.one`SELECT 1 FROM collections WHERE number = ${due.collection} FOR NO KEY UPDATE`;
    const removed = await tx.rows<{ change: number }>`
      DELETE FROM collection_members WHERE number IN (
        SELECT number FROM collection_members
        WHERE forget_at <= ${now} AND collection = ${due.collection} ORDER BY forget_at LIMIT ${limit})
      RETURNING change`;
    const last = removed.reduce((highest, { change }) => Math.max(highest, change), 0);
    await tx.run`UPDATE collections SET forgotten = greatest(forgotten, ${last}::bigint) WHERE number = ${due.collection}`;
    return removed.length;
  });

/** Removes members of deleted collections, with what they keep. */
const removeMembers = (database: Database, scrapes: Pick<ScrapeRows, 'letGo'>, limit: number): Promise<number> =>
  database.transaction(async (tx) => {
    const deleted = await tx.one<{ number: number }>`
      SELECT number FROM collections WHERE is_deleted
        AND EXISTS (SELECT 1 FROM collection_members WHERE collection = collections.number) LIMIT 1`;
    if (!deleted) return 0;
    const removed = await tx.rows<{ scrapeId: string | null }>`
      DELETE FROM collection_members WHERE number IN (
        SELECT number FROM collection_members WHERE collection = ${deleted.number} LIMIT ${limit})
      RETURNING scrape_id AS "scrapeId"`;
    await scrapes.letGo(
      tx,
      removed.flatMap(({ scrapeId }) => scrapeId ?? []),
    );
    return removed.length;
  });
