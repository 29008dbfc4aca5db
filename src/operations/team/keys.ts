// API keys: created here, shown once, stored only as a hash.
import type { KeyRecord, TeamStore } from '../../store/team-store.ts';
import { sha256 } from '../../util/hash.ts';
import { randomToken } from '../../util/ids.ts';

export const DEFAULT_TEAM = 'default';

// One public client refuses keys without this prefix.
const KEY_MARK = 'fc-';
const PREFIX_LENGTH = KEY_MARK.length + 8;

export const hashKey = (key: string): string => sha256(key);

/** A new key, and what of it is stored. */
export function makeKey(): { key: string; hash: string; prefix: string } {
  const key = KEY_MARK + randomToken(16);
  return { key, hash: hashKey(key), prefix: key.slice(0, PREFIX_LENGTH) };
}

export async function addKey(teams: TeamStore, team: string, now: number): Promise<{ key: string; record: KeyRecord }> {
  const { key, ...stored } = makeKey();
  await teams.ensureTeam(team, now);
  const record = await teams.addKey({ ...stored, team, now });
  return { key, record };
}

/** Creates the first key of a new data folder. Does nothing if there are keys. */
export async function firstKey(teams: TeamStore, now: number): Promise<string | undefined> {
  if ((await teams.listKeys()).length > 0) return undefined;
  return (await addKey(teams, DEFAULT_TEAM, now)).key;
}
