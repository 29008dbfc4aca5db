// Sessions of the console and their one-time links.
import type { ConsoleSessionStore, SessionProof } from '../../ports/teams/console-session-store.ts';
import { type Database, type Queries, type Remover, sql } from '../database.ts';
import type { SqlAuditLog } from './audit-log.ts';
import type { Keys } from './keys.ts';

interface ConsoleSessions {
  port: ConsoleSessionStore;
  removers: Remover[];
}

export interface ConsoleSessionsDeps {
  database: Database;
  audit: Pick<SqlAuditLog, 'record'>;
  keys: Pick<Keys, 'findByKey' | 'findValid'>;
}

/** The use of a session is recorded at most this often. */
const USE_RESOLUTION_MS = 60_000;

interface Row {
  hash: string;
  teamId: string;
  openedWith: SessionProof['openedWith'];
  proof: string | null;
  expiresAt: number;
  endsAt: number;
}

const SESSIONS = sql`
  SELECT hash, team_id AS "teamId", opened_with AS "openedWith", proof, expires_at AS "expiresAt", ends_at AS "endsAt"
  FROM console_sessions`;

export function createConsoleSessions({ database, audit, keys }: ConsoleSessionsDeps): ConsoleSessions {
  const port: ConsoleSessionStore = {
    setLink: (hash, expiresAt) =>
      database.transaction(async (tx) => {
        await tx.lock('console links');
        await tx.run`DELETE FROM console_links`;
        await tx.run`INSERT INTO console_links (hash, expires_at) VALUES (${hash}, ${expiresAt})`;
      }),
    open: ({ hash, teamId, proof, expiresAt, endsAt, maxSessions, link, replaces }, by) =>
      database.transaction(async (tx) => {
        const { openedWith } = proof;
        const text = proofText(proof);
        if (link !== undefined && !(await useLink(tx, link, by.at))) return false;
        // It locks the team, so that its sessions are counted one at a time. A refused link leaves no row.
        await audit.record(tx, { ...by, teamId, action: 'console.login', details: { with: openedWith } });
        if (replaces !== undefined) await remove(tx, replaces);
        await tx.run`
          INSERT INTO console_sessions (hash, team_id, opened_with, proof, created_at, expires_at, ends_at)
          VALUES (${hash}, ${teamId}, ${openedWith}, ${text}, ${by.at}, ${expiresAt}, ${endsAt})`;
        // Sessions with a stored key are counted by key, the others by what they were opened with.
        await tx.run`
          DELETE FROM console_sessions WHERE hash IN (
            SELECT hash FROM console_sessions WHERE opened_with = ${openedWith}
              ${openedWith === 'key' ? sql`AND proof = ${text}` : sql``}
            ORDER BY created_at DESC, hash LIMIT ALL OFFSET ${maxSessions})`;
        return true;
      }),
    async find(hash, now, idleMs) {
      const row = await database.one<Row>`${SESSIONS} WHERE hash = ${hash} AND ends_at > ${now}`;
      if (!row) return undefined;
      const proof = readProof(row);
      const owner = proof.openedWith === 'key' ? await keys.findByKey(proof.keyHash, now) : undefined;
      if (proof.openedWith === 'key' && !owner) {
        await database.attempt(() => remove(database, hash));
        return undefined;
      }
      const endsAt = Math.min(row.expiresAt, now + idleMs);
      if (endsAt - row.endsAt >= USE_RESOLUTION_MS)
        await database.attempt(
          () =>
            database.run`UPDATE console_sessions SET ends_at = ${endsAt} WHERE hash = ${hash} AND ends_at < ${endsAt}`,
        );
      return { teamId: row.teamId, proof, ...(owner && { owner }), endsAt };
    },
    async findValid(hashes, now) {
      const rows = await database.rows<Row>`${SESSIONS} WHERE hash = ANY(${hashes}::text[]) AND ends_at > ${now}`;
      const keyHashes = rows.flatMap(({ openedWith, proof }) => (openedWith === 'key' ? [proof!] : []));
      const valid = new Set(keyHashes.length === 0 ? [] : await keys.findValid(keyHashes, now));
      const found = new Set(
        rows.flatMap((row) => (row.openedWith !== 'key' || valid.has(row.proof!) ? [row.hash] : [])),
      );
      return hashes.filter((hash) => found.has(hash));
    },
    async listHashes(now) {
      const rows = await database.rows<Pick<Row, 'hash'>>`SELECT hash FROM console_sessions WHERE ends_at > ${now}`;
      return rows.map(({ hash }) => hash);
    },
    close: (hash, by) =>
      database.transaction(async (tx) => {
        const row = await tx.one<Pick<Row, 'teamId' | 'endsAt'>>`
          DELETE FROM console_sessions WHERE hash = ${hash} RETURNING team_id AS "teamId", ends_at AS "endsAt"`;
        if (row && row.endsAt > by.at) await audit.record(tx, { ...by, teamId: row.teamId, action: 'console.logout' });
      }),
  };
  return { port, removers: createRemovers(database) };
}

const useLink = async (queries: Queries, hash: string, now: number): Promise<boolean> =>
  (await queries.run`DELETE FROM console_links WHERE hash = ${hash} AND expires_at > ${now}`) === 1;

const remove = (queries: Queries, hash: string) => queries.run`DELETE FROM console_sessions WHERE hash = ${hash}`;

const createRemovers = (database: Database): Remover[] => [
  (now, limit) => database.run`
    DELETE FROM console_sessions WHERE hash IN (
      SELECT hash FROM console_sessions WHERE ends_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  (now, limit) => database.run`
    DELETE FROM console_links WHERE hash IN (
      SELECT hash FROM console_links WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
];

const proofText = (proof: SessionProof): string | null => {
  if (proof.openedWith === 'link') return null;
  return proof.openedWith === 'key' ? proof.keyHash : proof.proof;
};

function readProof({ openedWith, proof }: Row): SessionProof {
  if (openedWith === 'key') return { openedWith, keyHash: proof ?? '' };
  return openedWith === 'link' ? { openedWith } : { openedWith, proof: proof ?? '' };
}
