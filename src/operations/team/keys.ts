// API keys: created here, shown once, stored only as hashes. Used by the HTTP interface and by `trawl keys`.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ChangeKeyRequest, CreateKeyRequest } from '../../contracts/team/keys.ts';
import type { Actor } from '../../store/ports/teams/audit-log.ts';
import type { KeyName, KeyRecord, Team, TeamStore } from '../../store/ports/teams/team-store.ts';
import { sha256 } from '../../util/hash.ts';
import { randomToken } from '../../util/ids.ts';

export const DEFAULT_TEAM = 'default';

export interface KeyDeps {
  teams: TeamStore;
  /** Called after a key stopped being valid, so that what it has opened is closed at once. */
  onKeysEnded?(): void;
}

/** A key and its secret, which is shown now and never again. */
export interface ShownKey {
  key: string;
  record: KeyRecord;
}

// One public client refuses keys without this prefix.
const KEY_MARK = 'fc-';
const PREFIX_LENGTH = KEY_MARK.length + 8;
const SECRET_BYTES = 16;
const MAX_KEYS = 1_000;
const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

export const hashKey = (key: string): string => sha256(key);

/** A new key, and what of it is stored. The ledger knows keys by their prefix, so a team has each prefix once. */
function makeKey(taken?: ReadonlySet<string>): { key: string; hash: string; prefix: string } {
  const key = KEY_MARK + randomToken(SECRET_BYTES);
  const prefix = key.slice(0, PREFIX_LENGTH);
  return taken?.has(prefix) ? makeKey(taken) : { key, hash: hashKey(key), prefix };
}

export async function createKey(
  { teams }: KeyDeps,
  team: Team,
  { label, limits, ...expiry }: CreateKeyRequest,
  by: Actor,
): Promise<ShownKey> {
  const taken = new Set((await teams.listKeys(team.id)).map(({ prefix }) => prefix));
  if (taken.size >= MAX_KEYS) throw new ServiceError('TOO_MANY_KEYS');
  const { key, ...stored } = makeKey(taken);
  const expiresAt = expiryOf(expiry, by.at);
  const record = await teams.addKey({ ...stored, team: team.name, label, limits, expiresAt }, by);
  return { key, record };
}

/** Throws KEY_NOT_FOUND or LAST_OPERATOR_KEY. */
export async function changeKey(
  { teams, onKeysEnded }: KeyDeps,
  name: KeyName,
  { label, limits, ...expiry }: ChangeKeyRequest,
  by: Actor,
): Promise<KeyRecord> {
  const expiresAt = expiryOf(expiry, by.at);
  const change = {
    ...(label !== undefined && { label }),
    ...(limits !== undefined && { limits }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const changed = found(await teams.changeKey(name, change, by));
  onKeysEnded?.();
  return changed;
}

/**
 * A new secret for the same key, which works as it was for the grace time as well. The prefix stays: whatever is counted by
 * it goes on, and 96 random bits are new. Throws KEY_NOT_FOUND.
 */
export async function rotateKey(
  { teams, onKeysEnded }: KeyDeps,
  name: KeyName,
  graceHours: number,
  by: Actor,
): Promise<ShownKey> {
  const known = found((await teams.listKeys(name.teamId)).find(({ id }) => id === name.id));
  const key = known.prefix + randomToken(SECRET_BYTES).slice(PREFIX_LENGTH - KEY_MARK.length);
  const previousUntil = by.at + graceHours * HOUR_MS;
  const record = found(await teams.rotateKey(name, { hash: hashKey(key), previousUntil }, by));
  onKeysEnded?.();
  return { key, record };
}

/** Throws KEY_NOT_FOUND or LAST_OPERATOR_KEY. */
export async function revokeKey({ teams, onKeysEnded }: KeyDeps, name: KeyName, by: Actor): Promise<KeyRecord> {
  const revoked = found(await teams.removeKey(name, by));
  onKeysEnded?.();
  return revoked;
}

/** Creates the first key of a new data folder. Does nothing if there are keys. */
export async function firstKey(teams: TeamStore, now: number): Promise<string | undefined> {
  if ((await teams.listKeys()).length > 0) return undefined;
  const { key, ...stored } = makeKey();
  const record = await teams.addFirstKey({ ...stored, team: DEFAULT_TEAM }, { actor: 'system', at: now });
  return record && key;
}

function found(result: KeyRecord | 'last' | undefined): KeyRecord {
  if (result === 'last') throw new ServiceError('LAST_OPERATOR_KEY');
  if (!result) throw new ServiceError('KEY_NOT_FOUND');
  return result;
}

/** Undefined leaves the expiry as it is, null removes it. */
function expiryOf(
  { expiresAt, expiresInDays }: Pick<ChangeKeyRequest, 'expiresAt' | 'expiresInDays'>,
  now: number,
): number | null | undefined {
  const time = expiresInDays === undefined ? expiresAt : now + Math.round(expiresInDays * DAY_MS);
  if (typeof time !== 'number' || time > now) return time;
  const message = '`expiresAt` is in the past. To end a key now, revoke it.';
  throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path: ['expiresAt'], message }] });
}
