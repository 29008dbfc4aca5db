// SQL for the versions of tracked pages. The newest one is what the next look is compared with; a few earlier ones are kept
// to be looked at.
import type { ChangeStatus } from '../../contracts/page-changes.ts';
import type { Connection } from '../../util/sqlite.ts';
import { type CompressedBytes, compressBytes } from '../encoding/compress.ts';
import type { PageHistory, PageLook, VersionFacts } from '../page-history.ts';
import { outdatedVersions } from '../records/pages/kept-versions.ts';
import type { Bodies } from './bodies.ts';
import type { Served } from './served.ts';
import type { HostRows } from './stored/host-rows.ts';

/** A look whose version was compressed before the transaction. */
export interface PackedLook extends Omit<PageLook, 'version'> {
  version?: CompressedBytes;
}

export const packLook = (look: PageLook | undefined): PackedLook | undefined =>
  look && { ...look, version: look.version && compressBytes(look.version) };

export interface HistoryRows extends Served<PageHistory> {
  /** Call inside a transaction. */
  write(teamId: string, look: PackedLook | undefined): void;
  /** Call inside a transaction. Removes all histories of a page and returns how many versions they had. */
  removeUrl(teamId: string, url: string): number;
}

/** Tags are invented by callers. */
const HISTORIES_LISTED = 20;

interface VersionRow {
  number: number;
  bodyId: number | null;
  at: number;
  seenAt: number;
  size: number;
  status: ChangeStatus;
}
interface FoundRow {
  key: string;
  bodyId: number;
  at: number;
}
interface HistoryRow {
  key: string;
  tag: string | null;
  redacted: 0 | 1;
}

interface HistoryRowsDeps {
  connection: Connection;
  bodies: Bodies;
  hosts: Pick<HostRows, 'count'>;
}

export function createHistoryRows({ connection, bodies, hosts }: HistoryRowsDeps): HistoryRows {
  const sql = prepareAll(connection);

  // A version that is lost (damaged disk) counts as none.
  const readVersion = (row: FoundRow | undefined) => {
    const version = row && bodies.read(row.bodyId);
    return version && { key: row.key, at: row.at, version: new Uint8Array(version) };
  };

  const remove = ({ number, bodyId }: VersionRow) => {
    sql.removeVersion.run(number);
    if (bodyId !== null) bodies.remove(bodyId);
  };

  const removeOld = (key: string) => {
    const versions = sql.versions.all(key).map((row) => ({ ...row, hasText: row.bodyId !== null }));
    outdatedVersions(versions).forEach(remove);
  };

  const noteGone = (key: string, last: VersionRow, at: number) => {
    sql.forget.run(key);
    if (last.bodyId === null) sql.seeAgain.run(at, last.number);
    else sql.add.run(key, 'removed', at, at, null, 0);
  };

  /** Two looks at the same time may both find the same change. */
  const isEqual = (version: CompressedBytes, { bodyId, size }: VersionRow): boolean => {
    if (bodyId === null || size !== version.byteLength) return false;
    const last = bodies.readRaw(bodyId);
    return last !== undefined && Buffer.compare(last, version) === 0;
  };

  return {
    find: (key) => {
      const found = readVersion(sql.find.get(key));
      return found && { at: found.at, version: found.version };
    },
    known: (crawl, after, limit) => sql.known.all(crawl, after, limit).map(({ url }) => url),
    histories: (teamId, url) =>
      sql.histories.all(teamId, url, HISTORIES_LISTED).map(({ key, tag, redacted }) => ({
        key,
        ...(tag !== null && { tag }),
        isRedacted: redacted === 1,
        versions: sql.versions.all(key).map(toFacts),
      })),
    version: (teamId, url, number) => readVersion(sql.version.get(number, teamId, url)),
    write(teamId, look) {
      if (!look) return;
      const { key, url, tag = null, isRedacted = false, at, crawl = null, version, isSame = false } = look;
      const last = sql.last.get(key);
      if (last && last.seenAt > at) return;
      if (!version) {
        if (last) noteGone(key, last, at);
        return;
      }
      sql.write.run(key, teamId, url, tag, isRedacted ? 1 : 0, crawl);
      hosts.count(teamId, url, { tracked: last ? 0 : 1 }, at);
      if (last && last.bodyId !== null && (isSame || isEqual(version, last))) {
        sql.replace.run(at, bodies.add(version), version.byteLength, last.number);
        bodies.remove(last.bodyId);
        return;
      }
      const status = !last ? 'new' : isSame ? 'same' : 'changed';
      sql.add.run(key, status, at, at, bodies.add(version), version.byteLength);
      if (last) removeOld(key);
    },
    removeUrl(teamId, url) {
      let removed = 0;
      for (const { key } of sql.histories.all(teamId, url, -1)) {
        const versions = sql.versions.all(key);
        versions.forEach(remove);
        sql.removeHistory.run(key);
        hosts.count(teamId, url, { tracked: -1 });
        removed += versions.length;
      }
      return removed;
    },
  };
}

const toFacts = ({ number, status, at, seenAt, size }: VersionRow): VersionFacts => ({
  ...{ number, status, at, seenAt, bytes: size },
});

const VERSION = 'number, body_id AS bodyId, at, seen_at AS seenAt, size, status';
const FOUND = 'history AS key, body_id AS bodyId, seen_at AS at';

const prepareAll = (connection: Connection) => ({
  find: connection.prepare<FoundRow>(
    `SELECT ${FOUND} FROM page_versions WHERE history = ? AND body_id IS NOT NULL ORDER BY number DESC LIMIT 1`,
  ),
  last: connection.prepare<VersionRow>(
    `SELECT ${VERSION} FROM page_versions WHERE history = ? ORDER BY number DESC LIMIT 1`,
  ),
  version: connection.prepare<FoundRow>(
    `SELECT ${FOUND} FROM page_versions JOIN page_history ON key = history
     WHERE number = ? AND team_id = ? AND url = ? AND body_id IS NOT NULL`,
  ),
  versions: connection.prepare<VersionRow>(
    `SELECT ${VERSION} FROM page_versions WHERE history = ? ORDER BY number DESC`,
  ),
  histories: connection.prepare<HistoryRow>(
    `SELECT key, tag, redacted FROM page_history WHERE team_id = ? AND url = ?
     ORDER BY (SELECT max(number) FROM page_versions WHERE history = key) DESC LIMIT ?`,
  ),
  known: connection.prepare<{ url: string }>(
    'SELECT url FROM page_history WHERE crawl = ? AND url > ? ORDER BY url LIMIT ?',
  ),
  write: connection.prepare(
    `INSERT INTO page_history (key, team_id, url, tag, redacted, crawl) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET crawl = coalesce(excluded.crawl, crawl), tag = excluded.tag, redacted = excluded.redacted`,
  ),
  add: connection.prepare(
    'INSERT INTO page_versions (history, status, at, seen_at, body_id, size) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  replace: connection.prepare('UPDATE page_versions SET seen_at = ?, body_id = ?, size = ? WHERE number = ?'),
  seeAgain: connection.prepare('UPDATE page_versions SET seen_at = ? WHERE number = ?'),
  forget: connection.prepare('UPDATE page_history SET crawl = NULL WHERE key = ?'),
  removeVersion: connection.prepare('DELETE FROM page_versions WHERE number = ?'),
  removeHistory: connection.prepare('DELETE FROM page_history WHERE key = ?'),
});
