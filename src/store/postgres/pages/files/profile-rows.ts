// SQL for browser profiles: what a browser has stored for a team under a name. Always encrypted.
import { ServiceError } from '../../../../contracts/errors.ts';
import { MAX_PROFILE_BYTES } from '../../../../contracts/profile.ts';
import { compressLater, decompressLater } from '../../../encoding/compress.ts';
import { createEncryption } from '../../../encoding/encryption.ts';
import type { ProfileStore } from '../../../profile-store.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';

interface ProfileRowsDeps {
  database: Pick<Database, 'sql' | 'transaction'>;
  bodies: Bodies;
  secret: Uint8Array;
}

export function createProfileRows({ database, bodies, secret }: ProfileRowsDeps): ProfileStore {
  const { sql: pool, transaction } = database;
  const encryption = createEncryption(secret, 'profiles');
  const contextOf = (teamId: string, name: string) => ['profile', teamId, name];

  const removeRow = (sql: Sql, teamId: string, name: string) => sql<BodyColumns[]>`
    DELETE FROM profiles WHERE team_id = ${teamId} AND name = ${name} RETURNING blob, NULL AS bytes`;

  return {
    async read(teamId, name) {
      const [row] = await pool<BodyColumns[]>`
        SELECT blob, bytes FROM profiles WHERE team_id = ${teamId} AND name = ${name}`;
      if (!row) return undefined;
      const encrypted = await bodies.readRaw(row);
      const packed = encrypted && encryption.decrypt(encrypted, contextOf(teamId, name));
      if (!packed) throw new ServiceError('PROFILE_UNREADABLE');
      return (await decompressLater(packed)).toString();
    },
    async write(teamId, name, state, now) {
      if (Buffer.byteLength(state) > MAX_PROFILE_BYTES) throw new ServiceError('PROFILE_TOO_LARGE');
      const packed = await compressLater(Buffer.from(state));
      const body = await bodies.store(encryption.encrypt(packed, contextOf(teamId, name)));
      await bodies.whileNaming([body], () =>
        transaction(async (sql) => {
          // Two that save the same profile come one after the other, and the body of the first is removed.
          await sql`SELECT 1 FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
          const previous = await removeRow(sql, teamId, name);
          await sql`
            INSERT INTO profiles (team_id, name, blob, bytes, saved_at)
            VALUES (${teamId}, ${name}, ${body.blob}, ${body.bytes}, ${now})`;
          await bodies.remove(sql, previous);
        }),
      );
    },
    remove: (teamId, name) =>
      transaction(async (sql) => {
        const removed = await removeRow(sql, teamId, name);
        await bodies.remove(sql, removed);
        return removed.length > 0;
      }),
  };
}
