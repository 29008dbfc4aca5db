// SQL for the versions of tracked pages. The newest one is what the next look is compared with; a few earlier ones are kept
// to be looked at.
import type { ChangeStatus } from '../../../contracts/page-changes.ts';
import type { PageHistory, SeenVersion, VersionFacts } from '../../page-history.ts';
import { outdatedVersions } from '../../records/pages/kept-versions.ts';
import type { Database, Sql } from '../database/database.ts';
import type { Bodies, BodyColumns, NewBody } from './bodies.ts';
import type { PackedLook } from './pack-to-store.ts';
import type { HostRows } from './stored/host-rows.ts';

export interface HistoryRows extends PageHistory {
  /** Call inside a transaction. */
  write(sql: Sql, teamId: string, look: PackedLook | undefined): Promise<void>;
  /** Call inside a transaction. Removes all histories of a page and returns how many versions they had. */
  removeUrl(sql: Sql, teamId: string, url: string): Promise<number>;
}

/** Tags are invented by callers. */
const HISTORIES_LISTED = 20;

interface VersionRow {
  history: string;
  number: number;
  status: ChangeStatus;
  at: number;
  seenAt: number;
  size: number;
  blob: string | null;
  hash: string | null;
  hasText: boolean;
}
interface FoundRow extends BodyColumns {
  key: string;
  at: number;
}
interface HistoryRow {
  key: string;
  tag: string | null;
  isRedacted: boolean;
}

interface HistoryRowsDeps {
  database: Pick<Database, 'sql'>;
  bodies: Bodies;
  hosts: Pick<HostRows, 'count'>;
}

export function createHistoryRows({ database, bodies, hosts }: HistoryRowsDeps): HistoryRows {
  const { sql: pool } = database;

  // A version that is lost counts as none.
  const readVersion = async (row: FoundRow | undefined): Promise<(SeenVersion & { key: string }) | undefined> => {
    const version = row && (await bodies.read(row));
    return version && { key: row.key, at: row.at, version: new Uint8Array(version) };
  };

  return {
    async find(key) {
      const [row] = await pool<FoundRow[]>`
        SELECT history AS key, blob, bytes, seen_at AS at FROM page_versions
        WHERE history = ${key} AND (blob IS NOT NULL OR bytes IS NOT NULL) ORDER BY number DESC LIMIT 1`;
      const found = await readVersion(row);
      return found && { at: found.at, version: found.version };
    },
    async known(crawl, after, limit) {
      const rows = await pool<{ url: string }[]>`
        SELECT url FROM page_history WHERE crawl = ${crawl} AND url_key(url) > url_key(${after})
        ORDER BY url_key(url) LIMIT ${limit}`;
      return rows.map(({ url }) => url);
    },
    async histories(teamId, url) {
      const found = await findHistories(pool, teamId, url, HISTORIES_LISTED);
      const versions = await readVersions(
        pool,
        found.map(({ key }) => key),
      );
      return found.map(({ key, tag, isRedacted }) => ({
        ...{ key, ...(tag !== null && { tag }), isRedacted },
        versions: versions.filter(({ history }) => history === key).map(toFacts),
      }));
    },
    async version(teamId, url, number) {
      const [row] = await pool<FoundRow[]>`
        SELECT history AS key, blob, bytes, seen_at AS at FROM page_versions JOIN page_history ON key = history
        WHERE number = ${number} AND team_id = ${teamId} AND url = ${url} AND (blob IS NOT NULL OR bytes IS NOT NULL)`;
      return readVersion(row);
    },
    write: createLookWriter(bodies, hosts),
    async removeUrl(sql, teamId, url) {
      const histories = await findHistories(sql, teamId, url, null);
      if (histories.length === 0) return 0;
      const keys = histories.map(({ key }) => key);
      await sql`SELECT 1 FROM page_history WHERE key = ANY(${keys}) ORDER BY key FOR UPDATE`;
      const removed = await sql<
        { blob: string | null }[]
      >`DELETE FROM page_versions WHERE history = ANY(${keys}) RETURNING blob`;
      await Promise.all([
        sql`DELETE FROM page_history WHERE key = ANY(${keys})`,
        removeBlobs(sql, bodies, removed),
        hosts.count(sql, [{ owner: teamId, url, tracked: -keys.length }]),
      ]);
      return removed.length;
    },
  };
}

function createLookWriter(bodies: Bodies, hosts: HistoryRowsDeps['hosts']): HistoryRows['write'] {
  const noteGone = async (sql: Sql, key: string, last: VersionRow, at: number) => {
    await Promise.all([
      sql`UPDATE page_history SET crawl = NULL WHERE key = ${key}`,
      last.hasText
        ? addVersion(sql, key, 'removed', at, { blob: null, bytes: null, size: 0 })
        : sql`UPDATE page_versions SET seen_at = ${at} WHERE number = ${last.number}`,
    ]);
  };

  const removeOld = async (sql: Sql, key: string) => {
    const outdated = outdatedVersions(await readVersions(sql, [key]));
    if (outdated.length === 0) return;
    await Promise.all([
      sql`DELETE FROM page_versions WHERE number = ANY(${outdated.map(({ number }) => number)})`,
      removeBlobs(sql, bodies, outdated),
    ]);
  };

  return async (sql, teamId, look) => {
    if (!look) return;
    const { key, url, tag = null, isRedacted = false, at, crawl = null, version, isSame = false } = look;
    const last = await lockLast(sql, { key, teamId, url, isRedacted }, version !== undefined);
    if (last && last.seenAt > at) return;
    if (!version) {
      if (last) await noteGone(sql, key, last, at);
      return;
    }
    await Promise.all([
      sql`UPDATE page_history SET crawl = coalesce(${crawl}, crawl), tag = ${tag}, redacted = ${isRedacted} WHERE key = ${key}`,
      hosts.count(sql, [{ owner: teamId, url, tracked: last ? 0 : 1, at }]),
    ]);
    // Two looks at the same time may both find the same change.
    if (last?.hasText && (isSame || last.hash === look.hash)) {
      await Promise.all([
        sql`UPDATE page_versions SET seen_at = ${at}, blob = ${version.blob}, bytes = ${version.bytes}, size = ${version.size},
              hash = ${look.hash ?? null} WHERE number = ${last.number}`,
        removeBlobs(sql, bodies, [last]),
      ]);
      return;
    }
    const status = !last ? 'new' : isSame ? 'same' : 'changed';
    await addVersion(sql, key, status, at, { ...version, hash: look.hash });
    if (last) await removeOld(sql, key);
  };
}

/** Locks the history, so that looks at the same time come one after the other, and returns its last version. */
async function lockLast(
  sql: Sql,
  { key, teamId, url, isRedacted }: { key: string; teamId: string; url: string; isRedacted: boolean },
  isSeen: boolean,
): Promise<VersionRow | undefined> {
  // One statement, because the history may be removed between two.
  await (isSeen
    ? sql`INSERT INTO page_history (key, team_id, url, redacted) VALUES (${key}, ${teamId}, ${url}, ${isRedacted})
        ON CONFLICT (key) DO UPDATE SET url = page_history.url`
    : sql`SELECT 1 FROM page_history WHERE key = ${key} FOR UPDATE`);
  const [last] = await sql<VersionRow[]>`
    SELECT ${versionColumns(sql)} FROM page_versions WHERE history = ${key} ORDER BY number DESC LIMIT 1`;
  return last;
}

const addVersion = (sql: Sql, key: string, status: ChangeStatus, at: number, body: NewBody & { hash?: string }) => sql`
  INSERT INTO page_versions (history, status, at, seen_at, blob, bytes, size, hash)
  VALUES (${key}, ${status}, ${at}, ${at}, ${body.blob}, ${body.bytes}, ${body.size}, ${body.hash ?? null})`;

const removeBlobs = (sql: Sql, bodies: Bodies, versions: readonly { blob: string | null }[]): Promise<void> =>
  bodies.remove(
    sql,
    versions.map(({ blob }) => ({ blob, bytes: null })),
  );

const versionColumns = (sql: Sql) => sql`history, number, status, at, seen_at AS "seenAt", size, blob, hash,
  (blob IS NOT NULL OR bytes IS NOT NULL) AS "hasText"`;

/** Newest first. */
const readVersions = (sql: Sql, histories: string[]): Promise<VersionRow[]> => sql<VersionRow[]>`
  SELECT ${versionColumns(sql)} FROM page_versions WHERE history = ANY(${histories}) ORDER BY number DESC`;

/** The one with the newest version first. */
const findHistories = (sql: Sql, teamId: string, url: string, limit: number | null): Promise<HistoryRow[]> => sql<
  HistoryRow[]
>`
  SELECT key, tag, redacted AS "isRedacted" FROM page_history
  WHERE team_id = ${teamId} AND url_key(url) = url_key(${url})
  ORDER BY (SELECT max(number) FROM page_versions WHERE history = key) DESC LIMIT ${limit}`;

const toFacts = ({ number, status, at, seenAt, size }: VersionRow): VersionFacts => ({
  ...{ number, status, at, seenAt, bytes: size },
});
