// Browser profiles: what a browser has stored for a team under a name. Always encrypted.

import { lazy } from '../../../../util/lazy.ts';
import type { Compression } from '../../../encoding/compress.ts';
import { createEncryption } from '../../../encoding/encryption.ts';
import type { ProfileStore } from '../../../ports/files/profile-store.ts';
import type { Database, Tx } from '../../database.ts';
import type { Bodies, BodyColumns } from '../bodies.ts';

/** Without `state`, the profile exists but cannot be read: the secret has changed or the bytes are damaged. */
export interface FoundProfile {
  state?: string;
}

export interface ProfileRows extends Pick<ProfileStore, 'write' | 'remove'> {
  read(teamId: string, name: string): Promise<FoundProfile | undefined>;
}

interface ProfileRowsDeps {
  database: Database;
  bodies: Bodies;
  compression: Compression;
  /** Called on first use, so that merely opening a data folder creates no secret in it. */
  readSecret: () => Uint8Array;
}

export function createProfileRows({ database, bodies, compression, readSecret }: ProfileRowsDeps): ProfileRows {
  const { compress, decompress } = compression;
  const encryption = lazy(() => createEncryption(readSecret(), 'profiles'));
  const contextOf = (teamId: string, name: string) => ['profile', teamId, name];

  const removeRow = async (tx: Tx, teamId: string, name: string): Promise<boolean> => {
    const removed = await tx.rows<BodyColumns>`
      DELETE FROM profiles WHERE team_id = ${teamId} AND name = ${name} RETURNING ${bodies.reference}`;
    await bodies.remove(tx, removed);
    return removed.length > 0;
  };

  return {
    async read(teamId, name) {
      const row = await database.one<BodyColumns>`
        SELECT ${bodies.columns} FROM profiles WHERE team_id = ${teamId} AND name = ${name}`;
      if (!row) return undefined;
      const encrypted = await bodies.readRaw(row);
      const packed = encrypted && encryption().decrypt(encrypted, contextOf(teamId, name));
      return packed ? { state: (await decompress(packed)).toString() } : {};
    },
    async write(teamId, name, state, now) {
      const packed = await compress(Buffer.from(state));
      const body = await bodies.store(encryption().encrypt(packed, contextOf(teamId, name)));
      await bodies.whileNaming([body], () =>
        database.transaction(async (tx) => {
          // Two that save the same profile come one after the other, and the body of the first is removed.
          await tx.one`SELECT 1 FROM teams WHERE id = ${teamId} FOR NO KEY UPDATE`;
          await removeRow(tx, teamId, name);
          await tx.run`
            INSERT INTO profiles (team_id, name, saved_at, ${bodies.target})
            VALUES (${teamId}, ${name}, ${now}, ${bodies.values(tx, body)})`;
        }),
      );
    },
    remove: (teamId, name) => database.transaction((tx) => removeRow(tx, teamId, name)),
  };
}
