// Archives with their records and payloads. A payload that several records have is stored once for a team.
import { sha256 } from '../../../../util/hash.ts';
import type { ArchivedExchange, ArchiveKey, ArchiveStore, StoredArchive } from '../../../ports/files/archive-store.ts';
import { type BooleanColumn, type Database, type Remover, sql } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';
import { createArchiveRemoval } from './archive-removal.ts';
import { createArchiveWriter } from './archive-writer.ts';

export interface ArchiveRows extends ArchiveStore {
  removeExpired: Remover;
  /** While all of them exceed the limit, the oldest one. */
  evict: Remover;
  /** The oldest one, whatever the limits. */
  discard(limit: number): Promise<number>;
}

interface ArchiveRowsDeps {
  database: Database;
  bodies: Bodies;
  /** For the payloads of all archives together. */
  maxBytes: number;
}

interface RecordRow {
  number: number;
  url: string;
  method: string;
  at: number;
  status: number;
  type: string;
  page: string | null;
  request: Uint8Array;
  response: Uint8Array;
  payload: number | null;
  size: number | null;
  digest: string;
  truncated: BooleanColumn;
  firstNumber: number | null;
  firstUrl: string | null;
  firstAt: number | null;
}

interface ArchiveRow extends Omit<StoredArchive, 'warnings' | 'keyDomains'> {
  warnings: string;
  keyDomains: string | null;
}

const RECORD = sql`
  records.id AS number, records.url, records.method, records.at, records.status, records.type, records.page, records.request,
  records.response, records.archive_body AS payload, size, records.digest, records.truncated, first.id AS "firstNumber",
  first.url AS "firstUrl", first.at AS "firstAt"`;
const RECORDS = sql`
  archive_records AS records LEFT JOIN archive_bodies ON archive_bodies.id = records.archive_body
  LEFT JOIN archive_records AS first ON first.id = (
    SELECT min(same.id) FROM archive_records AS same
    WHERE same.archive_body = records.archive_body AND same.archive_id = records.archive_id)`;

export function createArchiveRows({ database, bodies, maxBytes }: ArchiveRowsDeps): ArchiveRows {
  const archive = sql`
    archives.id, team_id AS "teamId", kind, name, created_at AS "createdAt", expires_at AS "expiresAt", warnings,
    key_domains AS "keyDomains",
    (SELECT count(*) FROM archive_records WHERE archive_id = archives.id) AS records,
    (SELECT count(*) FROM archive_records WHERE archive_id = archives.id AND archive_body IS NULL) AS removed,
    (SELECT coalesce(sum(size), 0) FROM archive_bodies WHERE id IN (
      SELECT archive_body FROM archive_records WHERE archive_id = archives.id))::bigint AS bytes`;

  const removal = createArchiveRemoval({ database, bodies });

  return {
    add: createArchiveWriter({ database, bodies, removal }),
    async find(id, teamId, now) {
      const row = await database.one<ArchiveRow>`
        SELECT ${archive} FROM archives WHERE id = ${id} AND team_id = ${teamId} AND ${isThere(now)}`;
      return row && archiveOf(row);
    },
    async list(teamId, now, { before, limit }) {
      const rows = await database.rows<ArchiveRow>`
        SELECT ${archive} FROM archives
        WHERE team_id = ${teamId} AND id < ${before ?? '~'} AND ${isThere(now)} ORDER BY id DESC LIMIT ${limit}`;
      return rows.map(archiveOf);
    },
    remove: removal.remove,
    removeUrls: removal.removeUrls,
    removeHost: removal.removeHost,
    removeExpired: removal.removeExpired,
    async exchanges(id, after, limit) {
      const rows = await database.rows<RecordRow>`
        SELECT ${RECORD} FROM ${RECORDS}
        WHERE records.archive_id = ${id} AND records.id > ${after} ORDER BY records.id LIMIT ${limit}`;
      return rows.map(exchangeOf);
    },
    keys: async (id, after, limit) => {
      const { key, at, number } = after ?? { key: '', at: 0, number: 0 };
      return database.rows<ArchiveKey>`
        SELECT url_key AS key, at, id AS number, url, status, type, digest FROM archive_records
        WHERE archive_id = ${id} AND archive_body IS NOT NULL AND (url_key, at, id) > (${key}, ${at}, ${number})
        ORDER BY url_key, at, id LIMIT ${limit}`;
    },
    async ofUrl(id, url, limit) {
      const rows = await database.rows<RecordRow>`
        SELECT ${RECORD} FROM ${RECORDS}
        WHERE records.archive_id = ${id} AND records.url_hash = ${sha256(url)}
        ORDER BY records.at, records.id LIMIT ${limit}`;
      return rows.map(exchangeOf);
    },
    async payload(id) {
      const row = await database.one<BodyColumns>`SELECT ${bodies.columns} FROM archive_bodies WHERE id = ${id}`;
      return row && bodies.readRaw(row);
    },
    async evict(_now, limit) {
      const sum = await database.one<{
        bytes: number;
      }>`SELECT coalesce(sum(size), 0)::bigint AS bytes FROM archive_bodies`;
      return sum!.bytes > maxBytes ? removal.removeOldest(limit) : 0;
    },
    discard: removal.removeOldest,
  };
}

const isThere = (now: number) => sql`(expires_at > ${now} OR EXISTS (SELECT 1 FROM jobs WHERE jobs.id = archives.id))`;

const archiveOf = ({ warnings, keyDomains, ...archive }: ArchiveRow): StoredArchive => ({
  ...archive,
  ...(keyDomains !== null && { keyDomains: JSON.parse(keyDomains) }),
  warnings: JSON.parse(warnings),
});

const exchangeOf = ({
  page,
  payload,
  size,
  truncated,
  firstNumber,
  firstUrl,
  firstAt,
  ...record
}: RecordRow): ArchivedExchange => ({
  ...record,
  ...(firstNumber !== null &&
    firstNumber !== record.number && { first: { number: firstNumber, url: firstUrl!, at: firstAt! } }),
  ...(page !== null && { page }),
  ...(payload !== null && { payload }),
  size: size ?? 0,
  isTruncated: Boolean(truncated),
});
