// SQL for browser profiles: what a browser has stored for a team under a name. Always encrypted.

import type { Connection } from '../../util/sqlite.ts';
import { compressBytes, decompressBytes } from '../encoding/compress.ts';
import { createEncryption, type Encryption } from '../encoding/encryption.ts';
import type { ProfileStore } from '../profile-store.ts';
import type { Bodies } from './bodies.ts';
import type { Served } from './served.ts';

/** Without `state`, the profile exists but cannot be read: the secret has changed or the bytes are damaged. */
export interface FoundProfile {
  state?: string;
}

export interface ProfileRows extends Served<Pick<ProfileStore, 'write' | 'remove'>> {
  read(teamId: string, name: string): FoundProfile | undefined;
}

interface ProfileRowsDeps {
  connection: Connection;
  bodies: Bodies;
  /** Called on first use, so that merely opening a data folder creates no secret in it. */
  readSecret: () => Uint8Array;
}

interface ProfileRow {
  bodyId: number;
}

export function createProfileRows({ connection, bodies, readSecret }: ProfileRowsDeps): ProfileRows {
  const sql = prepareAll(connection);
  let made: Encryption | undefined;
  const encryption = (): Encryption => {
    made ??= createEncryption(readSecret(), 'profiles');
    return made;
  };
  const contextOf = (teamId: string, name: string) => ['profile', teamId, name];

  return {
    read(teamId, name) {
      const row = sql.find.get(teamId, name);
      if (!row) return undefined;
      const encrypted = bodies.readRaw(row.bodyId);
      const packed = encrypted && encryption().decrypt(encrypted, contextOf(teamId, name));
      return packed ? { state: decompressBytes(packed).toString() } : {};
    },
    write(teamId, name, state, now) {
      const encrypted = encryption().encrypt(compressBytes(Buffer.from(state)), contextOf(teamId, name));
      connection.transaction(() => {
        const previous = sql.find.get(teamId, name);
        sql.write.run(teamId, name, bodies.add(encrypted), now);
        if (previous) bodies.remove(previous.bodyId);
      });
    },
    remove: (teamId, name) =>
      connection.transaction(() => {
        const removed = sql.remove.get(teamId, name);
        if (removed) bodies.remove(removed.bodyId);
        return removed !== undefined;
      }),
  };
}

const prepareAll = (connection: Connection) => ({
  find: connection.prepare<ProfileRow>('SELECT body_id AS bodyId FROM profiles WHERE team_id = ? AND name = ?'),
  write: connection.prepare(
    `INSERT INTO profiles (team_id, name, body_id, saved_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET body_id = excluded.body_id, saved_at = excluded.saved_at`,
  ),
  remove: connection.prepare<ProfileRow>(
    'DELETE FROM profiles WHERE team_id = ? AND name = ? RETURNING body_id AS bodyId',
  ),
});
