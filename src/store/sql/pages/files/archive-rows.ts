// Archives with their records and payloads. A payload that several records have is stored once for a team.
import { surtKey } from '../../../../urls/surt.ts';
import { sha256 } from '../../../../util/hash.ts';
import type {
  ArchivedExchange,
  ArchiveKey,
  ArchiveStore,
  NewArchive,
  NewExchange,
  StoredArchive,
} from '../../../ports/files/archive-store.ts';
import { type BooleanColumn, type Database, type Remover, sql, type Tx } from '../../database.ts';
import type { Bodies, BodyColumns, NewBody } from '../bodies.ts';

export interface ArchiveRows extends ArchiveStore {
  removeExpired: Remover;
  /** Payloads that no record refers to any more. */
  removeUnused: Remover;
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

  /** Removes at most `limit` records of an archive, and then itself. */
  const removeSome = async (tx: Tx, id: string, limit: number): Promise<number> => {
    const removed = await tx.run`
      DELETE FROM archive_records WHERE id IN (SELECT id FROM archive_records WHERE archive_id = ${id} LIMIT ${limit})`;
    if (removed > 0) return removed;
    return tx.run`DELETE FROM archives WHERE id = ${id}`;
  };
  const removeOldest = (limit: number): Promise<number> =>
    database.transaction(async (tx) => {
      const oldest = await tx.one<{ id: string }>`
        SELECT id FROM archives ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
      return oldest ? removeSome(tx, oldest.id, limit) : 0;
    });
  const removeUnused: Remover = (_now, limit) =>
    database.transaction(async (tx) => {
      const unused = await tx.rows<BodyColumns & { id: number }>`
        SELECT id, ${bodies.reference} FROM archive_bodies
        WHERE NOT EXISTS (SELECT 1 FROM archive_records WHERE archive_body = archive_bodies.id)
        LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
      await tx.run`DELETE FROM archive_bodies WHERE id = ANY(${unused.map(({ id }) => id)}::bigint[])`;
      await bodies.remove(tx, unused);
      return unused.length;
    });

  return {
    async add(added, part, exchanges) {
      const fresh = await storeNew(added.teamId, exchanges);
      await bodies.whileNaming([...fresh.values()], () =>
        database.transaction(async (tx) => {
          await addArchive(tx, added);
          await tx.run`DELETE FROM archive_records WHERE archive_id = ${added.id} AND part = ${part}`;
          for (const exchange of exchanges) await addRecord(tx, added, part, exchange, fresh.get(exchange.digest));
        }),
      );
    },
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
    async remove(id, teamId) {
      const remove = () =>
        database.transaction(async (tx) => {
          const found = await tx.one`SELECT 1 FROM archives WHERE id = ${id} AND team_id = ${teamId} FOR UPDATE`;
          return found ? removeSome(tx, id, RECORDS_AT_ONCE) : 0;
        });
      let removed = 0;
      for (let some = await remove(); some > 0; some = await remove()) removed += some;
      return removed > 0;
    },
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
    async removeUrls(teamId, urls) {
      const note = new Uint8Array();
      let removed = 0;
      for (const url of urls)
        removed += await database.run`
          UPDATE archive_records SET archive_body = NULL, page = NULL, request = ${note}, response = ${note}
          WHERE archive_body IS NOT NULL AND url_hash = ${sha256(url)}
            AND archive_id IN (SELECT id FROM archives WHERE team_id = ${teamId})`;
      return removed;
    },
    removeExpired: (now, limit) =>
      database.transaction(async (tx) => {
        const expired = await tx.one<{ id: string }>`
          SELECT id FROM archives WHERE expires_at <= ${now} AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = archives.id)
          LIMIT 1 FOR UPDATE SKIP LOCKED`;
        return expired ? removeSome(tx, expired.id, limit) : 0;
      }),
    removeUnused,
    async evict(_now, limit) {
      const sum = await database.one<{ bytes: number }>`SELECT coalesce(sum(size), 0)::bigint AS bytes FROM archive_bodies`;
      return sum!.bytes > maxBytes ? removeOldest(limit) : 0;
    },
    discard: async (limit) => (await removeUnused(0, limit)) || removeOldest(limit),
  };

  /** Payloads that the team does not have yet, ready to be named. */
  async function storeNew(teamId: string, exchanges: readonly NewExchange[]): Promise<Map<string, NewBody>> {
    const fresh = new Map<string, NewBody>();
    for (const { digest, body } of exchanges) {
      if (!body || fresh.has(digest)) continue;
      const known = await database.one`
        SELECT 1 FROM archive_bodies WHERE team_id = ${teamId} AND digest = ${digest}`;
      if (!known) fresh.set(digest, await bodies.store(body));
    }
    return fresh;
  }

  async function addRecord(
    tx: Tx,
    { id, teamId }: NewArchive,
    part: string,
    exchange: NewExchange,
    fresh: NewBody | undefined,
  ): Promise<void> {
    const { url, method, at, status, type, page, request, response, digest, isTruncated, body } = exchange;
    // Locked, so that it is not removed before the record can be seen.
    const known = await tx.one<{ id: number }>`
      SELECT id FROM archive_bodies WHERE team_id = ${teamId} AND digest = ${digest} FOR KEY SHARE`;
    const missing = known ? undefined : (fresh ?? (body && (await bodies.store(body))));
    const payload = known?.id ?? (missing && (await addPayload(tx, teamId, digest, missing)));
    if (payload === undefined) return;
    await tx.run`
      INSERT INTO archive_records (archive_id, part, url, url_hash, url_key, method, at, status, type, page, request, response,
        archive_body, digest, truncated)
      VALUES (${id}, ${part}, ${url}, ${sha256(url)}, ${surtKey(new URL(url))}, ${method}, ${at}, ${status}, ${type},
        ${page}, ${request}, ${response}, ${payload}, ${digest}, ${isTruncated})`;
  }

  function addPayload(tx: Tx, teamId: string, digest: string, body: NewBody) {
    return tx.add`
      INSERT INTO archive_bodies (team_id, digest, size, ${bodies.target})
      VALUES (${teamId}, ${digest}, ${body.size}, ${bodies.values(tx, body)})`;
  }
}

const RECORDS_AT_ONCE = 500;

/** The later end counts: each page of a job prolongs the archive of its job. */
async function addArchive(tx: Tx, archive: NewArchive) {
  const { id, teamId, kind, name, createdAt, expiresAt, warnings = [], keyDomains } = archive;
  await tx.run`
    INSERT INTO archives (id, team_id, kind, name, created_at, expires_at, warnings, key_domains)
    VALUES (${id}, ${teamId}, ${kind}, ${name}, ${createdAt}, ${expiresAt}, ${JSON.stringify(warnings)},
      ${keyDomains && JSON.stringify(keyDomains)})
    ON CONFLICT (id) DO UPDATE SET expires_at = greatest(archives.expires_at, excluded.expires_at),
      warnings = excluded.warnings`;
}

const isThere = (now: number) =>
  sql`(expires_at > ${now} OR EXISTS (SELECT 1 FROM jobs WHERE jobs.id = archives.id))`;

const archiveOf = ({ warnings, keyDomains, ...archive }: ArchiveRow): StoredArchive => ({
  ...archive,
  ...(keyDomains !== null && { keyDomains: JSON.parse(keyDomains) }),
  warnings: JSON.parse(warnings),
});

const exchangeOf = ({ page, payload, size, truncated, firstNumber, firstUrl, firstAt, ...record }: RecordRow): ArchivedExchange => ({
  ...record,
  ...(firstNumber !== null &&
    firstNumber !== record.number && { first: { number: firstNumber, url: firstUrl!, at: firstAt! } }),
  ...(page !== null && { page }),
  ...(payload !== null && { payload }),
  size: size ?? 0,
  isTruncated: Boolean(truncated),
});
