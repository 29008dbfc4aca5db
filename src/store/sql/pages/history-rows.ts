// The versions of tracked pages. The newest one is what the next look is compared with; a few earlier ones are kept to be looked
// at.
import type { ChangeStatus } from '../../../contracts/formats/page-changes.ts';
import type { PageHistory, SeenVersion, VersionFacts } from '../../ports/pages/page-history.ts';
import { type BooleanColumn, type Database, type Queries, sql, type Tx } from '../database.ts';
import type { Bodies, BodyColumns, NewBody } from './bodies.ts';
import type { PackedLook } from './page-packer.ts';
import type { HostCounters } from './stored/host-list.ts';

export interface HistoryRows extends PageHistory {
  /** Call inside a transaction. */
  write(tx: Tx, teamId: string, look: PackedLook | undefined): Promise<void>;
  /** Call inside a transaction. Removes all histories of a page and returns how many versions they had. */
  removeUrl(tx: Tx, teamId: string, url: string): Promise<number>;
}

/** Tags are invented by callers. */
const HISTORIES_LISTED = 20;
const ALL = 1_000_000;

/** Limits for the versions kept in each history. The newest one with a text is always kept. */
const VERSIONS_KEPT = 20;
const BYTES_KEPT = 4 * 1024 * 1024;

interface VersionRow extends BodyColumns {
  history: string;
  number: number;
  status: ChangeStatus;
  at: number;
  seenAt: number;
  size: number;
  hash: string | null;
  hasText: BooleanColumn;
}
interface FoundRow extends BodyColumns {
  key: string;
  at: number;
}
interface HistoryRow {
  key: string;
  tag: string | null;
  isRedacted: BooleanColumn;
}

interface HistoryRowsDeps {
  database: Database;
  bodies: Bodies;
  hosts: Pick<HostCounters, 'count'>;
}

export function createHistoryRows({ database, bodies, hosts }: HistoryRowsDeps): HistoryRows {
  // A version that is lost counts as none.
  const readVersion = async (row: FoundRow | undefined): Promise<(SeenVersion & { key: string }) | undefined> => {
    const version = row && (await bodies.read(row));
    return version && { key: row.key, at: row.at, version: new Uint8Array(version) };
  };

  return {
    async find(key) {
      const row = await database.one<FoundRow>`
        SELECT history AS key, seen_at AS at, ${bodies.columns} FROM page_versions
        WHERE history = ${key} AND ${bodies.exists} ORDER BY number DESC LIMIT 1`;
      const found = await readVersion(row);
      return found && { at: found.at, version: found.version };
    },
    async known(crawl, after, limit) {
      const rows = await database.rows<{ url: string }>`
        SELECT url FROM page_history WHERE crawl = ${crawl} AND url_key(url) > url_key(${after})
        ORDER BY url_key(url) LIMIT ${limit}`;
      return rows.map(({ url }) => url);
    },
    async histories(teamId, url) {
      const found = await findHistories(database, teamId, url, HISTORIES_LISTED);
      const keys = found.map(({ key }) => key);
      const versions = await database.rows<VersionRow>`
        SELECT ${versionColumns(bodies)} FROM page_versions WHERE history = ANY(${keys}::text[]) ORDER BY number DESC`;
      return found.map(({ key, tag, isRedacted }) => ({
        ...{ key, ...(tag !== null && { tag }), isRedacted: Boolean(isRedacted) },
        versions: versions.filter(({ history }) => history === key).map(toFacts),
      }));
    },
    async version(teamId, url, number) {
      const row = await database.one<FoundRow>`
        SELECT history AS key, seen_at AS at, ${bodies.columns} FROM page_versions JOIN page_history ON key = history
        WHERE number = ${number} AND team_id = ${teamId} AND url = ${url} AND ${bodies.exists}`;
      return readVersion(row);
    },
    write: createLookWriter(bodies, hosts),
    async removeUrl(tx, teamId, url) {
      const keys = (await findHistories(tx, teamId, url, ALL)).map(({ key }) => key).sort();
      if (keys.length === 0) return 0;
      for (const key of keys) await lockHistory(tx, key);
      const versions = await tx.rows<BodyColumns>`
        DELETE FROM page_versions WHERE history = ANY(${keys}::text[]) RETURNING ${bodies.reference}`;
      const histories = await tx.run`DELETE FROM page_history WHERE key = ANY(${keys}::text[])`;
      await Promise.all([bodies.remove(tx, versions), hosts.count(tx, [{ owner: teamId, url, tracked: -histories }])]);
      return versions.length;
    },
  };
}

function createLookWriter(bodies: Bodies, hosts: HistoryRowsDeps['hosts']): HistoryRows['write'] {
  const columns = versionColumns(bodies);

  const addVersion = (tx: Tx, key: string, status: ChangeStatus, at: number, body: NewBody, hash?: string) => tx.run`
    INSERT INTO page_versions (history, status, at, seen_at, size, hash, ${bodies.target})
    VALUES (${key}, ${status}, ${at}, ${at}, ${body.size}, ${hash}, ${bodies.values(tx, body)})`;

  const noteGone = async (tx: Tx, key: string, last: VersionRow, at: number) => {
    await Promise.all([
      tx.run`UPDATE page_history SET crawl = NULL WHERE key = ${key}`,
      last.hasText
        ? tx.run`
            INSERT INTO page_versions (history, status, at, seen_at, size) VALUES (${key}, 'removed', ${at}, ${at}, 0)`
        : tx.run`UPDATE page_versions SET seen_at = ${at} WHERE number = ${last.number}`,
    ]);
  };

  const removeOld = async (tx: Tx, key: string) => {
    const versions = await tx.rows<VersionRow>`
      SELECT ${columns} FROM page_versions WHERE history = ${key} ORDER BY number DESC`;
    const outdated = outdatedVersions(versions.map((row) => ({ ...row, hasText: Boolean(row.hasText) })));
    if (outdated.length === 0) return;
    await tx.run`DELETE FROM page_versions WHERE number = ANY(${outdated.map(({ number }) => number)}::bigint[])`;
    await bodies.remove(tx, outdated);
  };

  return async (tx, teamId, look) => {
    if (!look) return;
    const { key, url, tag, isRedacted = false, at, crawl, version, isSame = false, hash } = look;
    await lockHistory(tx, key);
    const last = await tx.one<VersionRow>`
      SELECT ${columns} FROM page_versions WHERE history = ${key} ORDER BY number DESC LIMIT 1`;
    if (last && last.seenAt > at) return;
    if (!version) {
      if (last) await noteGone(tx, key, last, at);
      return;
    }
    await Promise.all([
      tx.run`
        INSERT INTO page_history (key, team_id, url, tag, redacted, crawl)
        VALUES (${key}, ${teamId}, ${url}, ${tag}, ${isRedacted}, ${crawl})
        ON CONFLICT (key) DO UPDATE SET crawl = coalesce(excluded.crawl, page_history.crawl), tag = excluded.tag,
          redacted = excluded.redacted`,
      hosts.count(tx, [{ owner: teamId, url, tracked: last ? 0 : 1, at }]),
    ]);
    // Two looks at the same time may both find the same change.
    if (last?.hasText && (isSame || last.hash === hash)) {
      await tx.run`
        UPDATE page_versions SET seen_at = ${at}, size = ${version.size}, hash = ${hash}, ${bodies.assign(tx, version)}
        WHERE number = ${last.number}`;
      await bodies.remove(tx, [last]);
      return;
    }
    await addVersion(tx, key, !last ? 'new' : isSame ? 'same' : 'changed', at, version, hash);
    if (last) await removeOld(tx, key);
  };
}

/** Looks at the same time come one after the other. */
const lockHistory = (tx: Tx, key: string) => tx.lock('history of a page', key);

const versionColumns = ({ reference, exists }: Bodies) => sql`
  history, number, status, at, seen_at AS "seenAt", size, hash, ${exists} AS "hasText", ${reference}`;

/** The one with the newest version first. */
const findHistories = (queries: Queries, teamId: string, url: string, limit: number) => queries.rows<HistoryRow>`
  SELECT key, tag, redacted AS "isRedacted" FROM page_history
  WHERE team_id = ${teamId} AND url_key(url) = url_key(${url})
  ORDER BY (SELECT max(number) FROM page_versions WHERE history = key) DESC LIMIT ${limit}`;

const toFacts = ({ number, status, at, seenAt, size }: VersionRow): VersionFacts => ({
  ...{ number, status, at, seenAt, bytes: size },
});

interface KeptVersion {
  size: number;
  /** False if the page was gone. */
  hasText: boolean;
}

/** Versions that are no longer kept. `versions` are all of a history, newest first. */
function outdatedVersions<Version extends KeptVersion>(versions: readonly Version[]): Version[] {
  let bytes = 0;
  let [seen, hasText] = [0, false];
  return versions.filter((version) => {
    bytes += version.size;
    seen += 1;
    const isOutdated = hasText && (seen > VERSIONS_KEPT || bytes > BYTES_KEPT);
    hasText ||= version.hasText;
    return isOutdated;
  });
}
