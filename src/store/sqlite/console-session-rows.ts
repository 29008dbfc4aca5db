// SQL for sessions of the console and their one-time links.
import type { Connection } from '../../util/sqlite.ts';
import type { ConsoleSessionStore } from '../console-session-store.ts';
import { type ProofColumns, proofText, readProof, SESSION_USE_RESOLUTION_MS } from '../records/teams/session-record.ts';
import type { Remover } from '../sql/database.ts';
import type { AuditRows } from './audit-rows.ts';
import type { KeyRows } from './key-rows.ts';
import type { Served } from './served.ts';

export interface ConsoleSessionRows extends Served<ConsoleSessionStore> {
  removers: Remover[];
}

interface Deps {
  connection: Connection;
  audit: Pick<AuditRows, 'record'>;
  keys: Pick<KeyRows, 'findByKey' | 'findValid'>;
}

export function createConsoleSessionRows({ connection, audit, keys }: Deps): ConsoleSessionRows {
  const sql = prepareAll(connection);
  return {
    setLink: (hash, expiresAt) =>
      connection.transaction(() => {
        sql.removeLinks.run();
        sql.addLink.run(hash, expiresAt);
      }),
    open: ({ hash, teamId, proof, expiresAt, endsAt, maxSessions, link, replaces }, by) =>
      connection.transaction(() => {
        if (link !== undefined && Number(sql.useLink.run(link, by.at).changes) === 0) return false;
        if (replaces !== undefined) sql.remove.run(replaces);
        sql.add.run(hash, teamId, proof.openedWith, proofText(proof), by.at, expiresAt, endsAt);
        sql.removeExcess.run(proof.openedWith, proof.openedWith === 'key' ? proof.keyHash : null, maxSessions);
        audit.record({ ...by, teamId, action: 'console.login', details: { with: proof.openedWith } });
        return true;
      }),
    find(hash, now, idleMs) {
      const row = sql.byHash.get(hash, now);
      if (!row) return undefined;
      const proof = readProof(row);
      const owner = proof.openedWith === 'key' ? keys.findByKey(proof.keyHash, now) : undefined;
      if (proof.openedWith === 'key' && !owner) {
        connection.attempt(() => sql.remove.run(hash));
        return undefined;
      }
      const endsAt = Math.min(row.expiresAt, now + idleMs);
      if (endsAt - row.endsAt >= SESSION_USE_RESOLUTION_MS) connection.attempt(() => sql.noteUse.run(endsAt, hash));
      return { teamId: row.teamId, proof, ...(owner && { owner }), endsAt };
    },
    findValid: (hashes, now) =>
      hashes.filter((hash) => {
        const row = sql.byHash.get(hash, now);
        if (!row) return false;
        const proof = readProof(row);
        return proof.openedWith !== 'key' || keys.findValid([proof.keyHash], now).length === 1;
      }),
    listHashes: (now) => sql.hashes.all(now).map(({ hash }) => hash),
    close: (hash, by) =>
      connection.transaction(() => {
        const row = sql.byHash.get(hash, by.at);
        sql.remove.run(hash);
        if (row) audit.record({ ...by, teamId: row.teamId, action: 'console.logout' });
      }),
    removers: [
      (now, limit) => Number(sql.removeEnded.run(now, limit).changes),
      (now, limit) => Number(sql.removeExpiredLinks.run(now, limit).changes),
    ],
  };
}

interface Row extends ProofColumns {
  teamId: string;
  expiresAt: number;
  endsAt: number;
}

const prepareAll = (connection: Connection) => ({
  removeLinks: connection.prepare('DELETE FROM console_links'),
  addLink: connection.prepare('INSERT INTO console_links (hash, expires_at) VALUES (?, ?)'),
  useLink: connection.prepare('DELETE FROM console_links WHERE hash = ? AND expires_at > ?'),
  removeExpiredLinks: connection.prepare(
    'DELETE FROM console_links WHERE hash IN (SELECT hash FROM console_links WHERE expires_at <= ? LIMIT ?)',
  ),
  add: connection.prepare(
    `INSERT INTO console_sessions (hash, team_id, opened_with, proof, created_at, expires_at, ends_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ),
  byHash: connection.prepare<Row>(
    `SELECT team_id AS teamId, opened_with AS openedWith, proof, expires_at AS expiresAt, ends_at AS endsAt
     FROM console_sessions WHERE hash = ? AND ends_at > ?`,
  ),
  hashes: connection.prepare<{ hash: string }>('SELECT hash FROM console_sessions WHERE ends_at > ?'),
  noteUse: connection.prepare('UPDATE console_sessions SET ends_at = ? WHERE hash = ?'),
  remove: connection.prepare('DELETE FROM console_sessions WHERE hash = ?'),
  // Sessions with a stored key are counted by key, the others by what they were opened with.
  removeExcess: connection.prepare(
    `DELETE FROM console_sessions WHERE hash IN (
       SELECT hash FROM console_sessions WHERE opened_with = ?1 AND (?2 IS NULL OR proof = ?2)
       ORDER BY created_at DESC, hash LIMIT -1 OFFSET ?3)`,
  ),
  removeEnded: connection.prepare(
    'DELETE FROM console_sessions WHERE hash IN (SELECT hash FROM console_sessions WHERE ends_at <= ? LIMIT ?)',
  ),
});
