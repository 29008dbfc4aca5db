// The port of members: what runs write, and what callers read of it. Each list is a range of one index.
import { joinBytes } from '../../encoding/join-bytes.ts';
import {
  type Member,
  type MemberStore,
  PAGES,
  type SavedPages,
  UPLOADS,
} from '../../ports/collections/member-store.ts';
import { type CollectionRow, type MemberRow, toChange, toMember } from '../../rules/collections/collection-record.ts';
import { type Database, type Fragment, sql } from '../database.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import type { RunRows } from '../runs/run-rows.ts';
import type { Sealer } from '../sealer.ts';
import type { CollectionRows } from './collection-rows.ts';
import { type MemberRows, notReachedBy, saidGoneBy } from './member-rows.ts';

interface MemberPortsDeps {
  database: Database;
  sealed: Sealer;
  rows: CollectionRows;
  memberRows: MemberRows;
  runs: Pick<RunRows, 'find'>;
  documents: Pick<DocumentJson, 'ofScrape'>;
}

const COMMA = new TextEncoder().encode(',');

export function createMemberPorts(deps: MemberPortsDeps): MemberStore {
  const { database, sealed, rows, memberRows, runs } = deps;

  const deleteChosen = async (
    { collectionId, runId, now }: { collectionId: string; runId: string; now: number },
    limit: number,
    choose: (collection: CollectionRow, run: number) => Fragment,
  ): Promise<number> => {
    const run = await runs.find(database, runId);
    if (!run) return 0;
    return database.transaction(async (tx) => {
      const collection = await rows.lock(tx, collectionId);
      if (!collection) return 0;
      const deleted = await memberRows.delete(tx, collection, choose(collection, run.number), now, limit);
      if (deleted > 0) await rows.save(tx, collection);
      return deleted;
    });
  };

  return {
    addPages: (collectionId, urls) =>
      database.transaction(async (tx) => {
        const collection = await rows.lock(tx, collectionId);
        if (!collection) return undefined;
        let added = 0;
        for (const url of new Set(urls)) {
          const known = await tx.run`
            UPDATE collection_members SET target_id = ${PAGES}
            WHERE collection = ${collection.number} AND url_key(url) = url_key(${url}) AND state <> 'gone'`;
          if (known > 0) continue;
          added += await tx.run`
            INSERT INTO collection_members (collection, team_id, target_id, url, state)
            VALUES (${collection.number}, ${collection.teamId}, ${PAGES}, ${url}, 'waiting')
            ON CONFLICT (collection, url_key(url)) DO UPDATE SET state = 'waiting', target_id = ${PAGES}, seen_run = NULL,
              forget_at = NULL`;
        }
        return { added };
      }),
    async addedPages(collectionId, { after, limit, isNew }) {
      const collection = await rows.find(database, collectionId);
      if (!collection) return [];
      const chosen = isNew
        ? sql`state = 'waiting' AND seen_run IS NULL`
        : sql`target_id = ${PAGES} AND state <> 'gone'`;
      return database.rows<{ number: number; url: string }>`
        SELECT number, url FROM collection_members
        WHERE collection = ${collection.number} AND ${chosen} AND number > ${after} ORDER BY number LIMIT ${limit}`;
    },
    async savePages({ collectionId, runId, targetId, options, now }, pages) {
      const of = await rows.find(database, collectionId);
      const run = runId === undefined ? undefined : await runs.find(database, runId);
      if (!of || (runId !== undefined && !run)) return undefined;
      const by = { run: run?.number ?? null, targetId, options: await sealed.seal(options, of.teamId), now };
      return database.transaction(async (tx) => {
        const collection = await rows.lock(tx, collectionId);
        if (!collection) return undefined;
        const saved: SavedPages = { added: 0, changed: 0, same: 0, gone: 0, problems: 0 };
        for (const page of pages) {
          const became = await memberRows.save(tx, collection, page, by);
          if (became) saved[became] += 1;
        }
        await rows.save(tx, collection);
        return saved;
      });
    },
    removePages: (collectionId, urls, now) =>
      database.transaction(async (tx) => {
        const collection = await rows.lock(tx, collectionId);
        if (!collection) return undefined;
        let removed = 0;
        for (const url of new Set(urls)) removed += await memberRows.remove(tx, collection, url, now);
        await rows.save(tx, collection);
        return { removed };
      }),
    async keepDuplicates({ collectionId, runId }, jobId) {
      const [collection, run] = await Promise.all([rows.find(database, collectionId), runs.find(database, runId)]);
      if (!collection || !run) return 0;
      return database.run`
        UPDATE collection_members SET seen_run = ${run.number}
        WHERE collection = ${collection.number} AND state = 'present' AND url_key(url) IN (
          SELECT url_key(tasks.url) FROM tasks JOIN jobs ON jobs.number = tasks.job
          WHERE jobs.id = ${jobId} AND tasks.state = 'duplicate')`;
    },
    async problemsOf({ collectionId, runId, targetId }, limit) {
      const [collection, run] = await Promise.all([rows.find(database, collectionId), runs.find(database, runId)]);
      if (!collection || !run) return [];
      return database.rows<{ url: string; problem: string }>`
        SELECT url, problem FROM collection_members
        WHERE collection = ${collection.number} AND problem_run = ${run.number} AND target_id = ${targetId}
        ORDER BY number LIMIT ${limit}`;
    },
    deleteGone: (run, limit) => deleteChosen(run, limit, saidGoneBy),
    deleteUnreached: (run, limit) => deleteChosen(run, limit, (of, number) => notReachedBy(of, number, run.targetId)),
    async targetsOf(collectionId) {
      const collection = await rows.find(database, collectionId);
      if (!collection) return [];
      const found: string[] = [];
      // There are few targets and many members: each target is one look into the index.
      for (let last = ''; ; ) {
        const next = await database.one<{ targetId: string | null }>`
          SELECT min(target_id) AS "targetId" FROM collection_members
          WHERE collection = ${collection.number} AND target_id > ${last} AND state = 'present'`;
        if (!next?.targetId) return found;
        last = next.targetId;
        found.push(last);
      }
    },
    ...createMemberReads(deps),
  };
}

function createMemberReads({
  database,
  rows,
  documents,
}: MemberPortsDeps): Pick<MemberStore, 'changes' | 'members' | 'addresses' | 'documents'> {
  const readChanges: MemberStore['changes'] = async (collectionId, { after, until, limit, onlyPresent }) => {
    const collection = await rows.find(database, collectionId);
    // What was deleted in between is gone: the list would be incomplete.
    if (!collection || (!onlyPresent && collection.forgotten > after)) return undefined;
    const found = await database.rows<MemberRow>`
      SELECT ${MEMBER} FROM collection_members
      WHERE collection = ${collection.number} AND change > ${after} AND change <= ${until}
        ${onlyPresent ? sql`AND state = 'present'` : sql``}
      ORDER BY change LIMIT ${limit}`;
    return found.map(toChange);
  };
  return {
    changes: readChanges,
    async members(collectionId, { after, limit }) {
      const collection = await rows.find(database, collectionId);
      if (!collection) return [];
      const found = await database.rows<MemberRow>`
        SELECT ${MEMBER} FROM collection_members
        WHERE collection = ${collection.number} AND state <> 'gone' AND url_key(url) > url_key(${after})
        ORDER BY url_key(url) LIMIT ${limit}`;
      return found.map((row): Member => toMember(row));
    },
    async addresses(collectionId) {
      const collection = await rows.find(database, collectionId);
      const found = await database.rows<{ url: string }>`
        SELECT coalesce(final_url, url) AS url FROM collection_members
        WHERE collection = ${collection?.number ?? 0} AND state = 'present' AND target_id <> ${UPLOADS}`;
      return found.map(({ url }) => url);
    },
    async documents(collectionId, { after, until, limit, maxBytes }) {
      const changes = await readChanges(collectionId, { after, until, limit, onlyPresent: true });
      const parts: Uint8Array[] = [];
      const ends: number[] = [];
      let bytes = 0;
      let last: number | undefined;
      for (const { change, scrapeId } of changes ?? []) {
        if (bytes > maxBytes) break;
        last = change;
        const document = scrapeId === undefined ? undefined : await documents.ofScrape(scrapeId);
        // It has changed since the list was read, so it comes again further on.
        if (!document) continue;
        parts.push(document, COMMA);
        bytes += document.byteLength;
        ends.push(bytes);
        bytes += COMMA.byteLength;
      }
      const json = joinBytes(parts.slice(0, -1));
      return { count: ends.length, ends, json, room: 0, ...(last !== undefined && { next: last }) };
    },
  };
}

const MEMBER = sql`
  url, final_url AS "finalUrl", state, target_id AS "targetId", change, changed_at AS "changedAt", hash,
  chunk_ids AS "chunkIds", scrape_id AS "scrapeId", problem`;
