// Authentication: a bearer key is looked up by its hash. With authentication off, every caller is the default team.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Authenticate } from '../../operations/caller.ts';
import { hashKey } from '../../operations/team/keys.ts';
import { OPERATOR_KEY } from '../../operations/team/operator.ts';
import type { Team, TeamStore } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isSameSecret } from '../../util/hash.ts';
import { createGuardedLookUp } from './guarded-look-up.ts';

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
  const lookUp = createGuardedLookUp({ listHashes: teams.listKeyHashes, onRefused: onWrongKey, clock });

  return async (authorization, address) => {
    if (mode === 'off') return { team: await operatorTeam() };
    const token = bearerToken(authorization);
    if (apiKey !== undefined && isSameSecret(token, apiKey)) return { team: await operatorTeam(), key: OPERATOR_KEY };
    const hash = hashKey(token);
    const owner = await lookUp(hash, address, () => teams.findByKey(hash, clock.now()));
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
