// Authentication: a bearer key is looked up by its hash. With authentication off, every caller is the default team.
import { ServiceError } from '../contracts/errors.ts';
import type { Caller } from '../operations/caller.ts';
import { hashKey } from '../operations/team/keys.ts';
import type { Team, TeamStore } from '../store/team-store.ts';
import type { Clock } from '../util/clock.ts';
import { isSameSecret } from '../util/hash.ts';

export type Identity = Pick<Caller, 'team' | 'key'>;
export type Authenticate = (authorization: string | undefined) => Promise<Identity>;

interface Deps {
  mode: 'required' | 'off';
  /** The operator's key from the settings, which is not stored. */
  apiKey?: string;
  defaultTeam: Team;
  teams: Pick<TeamStore, 'findByKey'>;
  clock: Clock;
}

/** Stands for the operator's key where others show their prefix: it may be too short to show a part of it. */
const OPERATOR_KEY = 'TRAWL_API_KEY';

export function createAuthenticate({ mode, apiKey, defaultTeam, teams, clock }: Deps): Authenticate {
  return async (authorization) => {
    if (mode === 'off') return { team: defaultTeam };
    const token = bearerToken(authorization);
    if (apiKey !== undefined && isSameSecret(token, apiKey)) return { team: defaultTeam, key: OPERATOR_KEY };
    const owner = await teams.findByKey(hashKey(token), clock.now());
    if (!owner) throw new ServiceError('UNAUTHORIZED', { message: 'Unauthorized: Invalid token' });
    return owner;
  };
}

function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new ServiceError('UNAUTHORIZED');
  const token = header.match(/^Bearer\s+(\S+)\s*$/i)?.[1];
  if (!token) throw new ServiceError('UNAUTHORIZED', { message: 'Unauthorized: Token missing' });
  return token;
}
