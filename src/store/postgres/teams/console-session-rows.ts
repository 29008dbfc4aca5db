// SQL for sessions of the console and their one-time links.
import type { ConsoleSessionStore } from '../../console-session-store.ts';
import {
  type ProofColumns,
  proofText,
  readProof,
  SESSION_USE_RESOLUTION_MS,
} from '../../records/teams/session-record.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import type { AuditRows } from './audit-rows.ts';
import type { TeamRows } from './team-rows.ts';

export interface ConsoleSessionRows {
  port: ConsoleSessionStore;
  removers: Remover[];
}

interface Deps extends Pick<Base, 'database'> {
  audit: Pick<AuditRows, 'record'>;
  keys: Pick<TeamRows, 'findOwner' | 'findValidIn'>;
}

export function createConsoleSessionRows({ database, audit, keys }: Deps): ConsoleSessionRows {
  const { sql: pool, transaction } = database;
  const port: ConsoleSessionStore = {
    setLink: (hash, expiresAt) =>
      transaction(async (sql) => {
        await lockByName(sql, 'console links');
        await sql`DELETE FROM console_links`;
        await sql`INSERT INTO console_links (hash, expires_at) VALUES (${hash}, ${expiresAt})`;
      }),
    open: ({ hash, teamId, proof, expiresAt, endsAt, maxSessions, link, replaces }, by) =>
      transaction(async (sql) => {
        const { openedWith } = proof;
        // Locks the team, so that its sessions are counted one at a time. A refused link leaves no row.
        if (link !== undefined && !(await useLink(sql, link, by.at))) return false;
        await audit.record(sql, { ...by, teamId, action: 'console.login', details: { with: openedWith } });
        if (replaces !== undefined) await remove(sql, replaces);
        await sql`
          INSERT INTO console_sessions (hash, team_id, opened_with, proof, created_at, expires_at, ends_at)
          VALUES (${hash}, ${teamId}, ${openedWith}, ${proofText(proof)}, ${by.at}, ${expiresAt}, ${endsAt})`;
        // Sessions with a stored key are counted by key, the others by what they were opened with.
        await sql`
          DELETE FROM console_sessions WHERE hash IN (
            SELECT hash FROM console_sessions WHERE opened_with = ${openedWith}
              ${openedWith === 'key' ? sql`AND proof = ${proofText(proof)}` : sql``}
            ORDER BY created_at DESC, hash OFFSET ${maxSessions})`;
        return true;
      }),
    async find(hash, now, idleMs) {
      const row = await readSession(pool, hash, now);
      if (!row) return undefined;
      const proof = readProof(row);
      const owner = proof.openedWith === 'key' ? await keys.findOwner(pool, proof.keyHash, now) : undefined;
      if (proof.openedWith === 'key' && !owner) {
        await remove(pool, hash);
        return undefined;
      }
      const endsAt = Math.min(row.expiresAt, now + idleMs);
      if (endsAt - row.endsAt >= SESSION_USE_RESOLUTION_MS)
        await pool`UPDATE console_sessions SET ends_at = ${endsAt} WHERE hash = ${hash} AND ends_at < ${endsAt}`;
      return { teamId: row.teamId, proof, ...(owner && { owner }), endsAt };
    },
    async findValid(hashes, now) {
      const rows = await pool<(ProofColumns & { hash: string })[]>`
        SELECT hash, opened_with AS "openedWith", proof FROM console_sessions
        WHERE hash = ANY(${hashes as string[]}) AND ends_at > ${now}`;
      const keyHashes = rows.flatMap(({ openedWith, proof }) => (openedWith === 'key' ? [proof!] : []));
      const valid = new Set(keyHashes.length === 0 ? [] : await keys.findValidIn(pool, keyHashes, now));
      const found = new Set(
        rows.flatMap((row) => (row.openedWith !== 'key' || valid.has(row.proof!) ? [row.hash] : [])),
      );
      return hashes.filter((hash) => found.has(hash));
    },
    listHashes: async (now) =>
      (await pool<{ hash: string }[]>`SELECT hash FROM console_sessions WHERE ends_at > ${now}`).map(
        ({ hash }) => hash,
      ),
    close: (hash, by) =>
      transaction(async (sql) => {
        const [row] = await sql<{ teamId: string; endsAt: number }[]>`
          DELETE FROM console_sessions WHERE hash = ${hash} RETURNING team_id AS "teamId", ends_at AS "endsAt"`;
        if (row && row.endsAt > by.at) await audit.record(sql, { ...by, teamId: row.teamId, action: 'console.logout' });
      }),
  };
  return { port, removers: createRemovers(pool) };
}

interface Row extends ProofColumns {
  teamId: string;
  expiresAt: number;
  endsAt: number;
}

const readSession = async (sql: Sql, hash: string, now: number): Promise<Row | undefined> =>
  (
    await sql<Row[]>`
      SELECT team_id AS "teamId", opened_with AS "openedWith", proof, expires_at AS "expiresAt", ends_at AS "endsAt"
      FROM console_sessions WHERE hash = ${hash} AND ends_at > ${now}`
  )[0];

const useLink = async (sql: Sql, hash: string, now: number): Promise<boolean> =>
  (await sql`DELETE FROM console_links WHERE hash = ${hash} AND expires_at > ${now}`).count === 1;

const remove = async (sql: Sql, hash: string): Promise<void> =>
  void (await sql`DELETE FROM console_sessions WHERE hash = ${hash}`);

function createRemovers(sql: Sql): Remover[] {
  return [
    async (now, limit) =>
      (
        await sql`DELETE FROM console_sessions WHERE hash IN (
          SELECT hash FROM console_sessions WHERE ends_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
    async (now, limit) =>
      (
        await sql`DELETE FROM console_links WHERE hash IN (
          SELECT hash FROM console_links WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  ];
}
