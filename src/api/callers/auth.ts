// Authentication: a bearer key is looked up by its hash. With authentication off, every caller is the default team.
// An address that sends many wrong keys is answered without look-ups until it slows down.
import { ServiceError } from '../../contracts/errors.ts';
import type { Caller } from '../../operations/caller.ts';
import { hashKey } from '../../operations/team/keys.ts';
import { OPERATOR_KEY } from '../../operations/team/operator.ts';
import type { Team, TeamStore } from '../../store/team-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isSameSecret } from '../../util/hash.ts';
import { createKnownKeys } from './known-keys.ts';
import { createWrongKeys } from './wrong-keys.ts';

export type Identity = Pick<
  Caller,
  'team' | 'key' | 'keyId' | 'limits' | 'expiresAt' | 'keyHash' | 'address' | 'isKeyless'
> & {
  /** Of a request of the console: the hash of its session. */
  sessionHash?: string;
};
/** `address` is the caller's. Throws ServiceError UNAUTHORIZED or TOO_MANY_WRONG_KEYS. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Identity>;

interface Deps {
  mode: 'required' | 'off';
  /** The operator's key from the settings, which is not stored. */
  apiKey?: string;
  /** The team of callers that need no key of the store. */
  operatorTeam(): Promise<Team>;
  teams: Pick<TeamStore, 'findByKey' | 'listKeyHashes'>;
  /** Told of every key that is not valid. */
  onWrongKey?(address: string): void;
  clock: Clock;
}

export function createAuthenticate({ mode, apiKey, operatorTeam, teams, onWrongKey, clock }: Deps): Authenticate {
  const wrongKeys = createWrongKeys(clock);
  const knownKeys = createKnownKeys(teams, clock);

  /** Undefined for a key that is not valid. */
  const lookUp = async (hash: string) => {
    const owner = await teams.findByKey(hash, clock.now());
    if (owner) knownKeys.add(hash);
    else knownKeys.delete(hash);
    return owner;
  };
  const lookUpUnknown = async (hash: string, address: string) => {
    // Counted before the look-up: otherwise many keys sent at once would all be looked up.
    const waitMs = wrongKeys.count(address);
    if (waitMs > 0 && !(await knownKeys.find(hash))) {
      onWrongKey?.(address);
      throw new ServiceError('TOO_MANY_WRONG_KEYS', { retryAfter: Math.ceil(waitMs / 1000) });
    }
    const owner = await lookUp(hash);
    if (owner && waitMs === 0) wrongKeys.takeBack(address);
    return owner;
  };

  return async (authorization, address) => {
    if (mode === 'off') return { team: await operatorTeam() };
    const token = bearerToken(authorization);
    if (apiKey !== undefined && isSameSecret(token, apiKey)) return { team: await operatorTeam(), key: OPERATOR_KEY };
    const hash = hashKey(token);
    const owner = knownKeys.has(hash) ? await lookUp(hash) : await lookUpUnknown(hash, address);
    if (owner) return { ...owner, keyHash: hash };
    onWrongKey?.(address);
    throw new ServiceError('UNAUTHORIZED', { message: 'Unauthorized: Invalid token' });
  };
}

/** What clients send that have no key: nothing, an empty key, or the word that stands for none in their language. */
export const sendsNoKey = (header: string | undefined): boolean =>
  header === undefined || /^Bearer\s*(?:undefined|null|None)?\s*$/i.test(header);

function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new ServiceError('UNAUTHORIZED');
  const token = header.match(/^Bearer\s+(\S+)\s*$/i)?.[1];
  if (!token) throw new ServiceError('UNAUTHORIZED', { message: 'Unauthorized: Token missing' });
  return token;
}
