// The caller of an operation, and who it is.
import type { KeyLimits } from '../contracts/team/policy.ts';
import type { Account } from '../store/ports/teams/ledger.ts';
import type { Team } from '../store/ports/teams/team-store.ts';

export interface Caller {
  team: Team;
  /** Prefix of the API key; absent while authentication is off. */
  key?: string;
  keyId?: string;
  /** What the key is restricted to. */
  limits?: KeyLimits;
  /** When the key ends by itself. */
  expiresAt?: number | null;
  /** Hash of the key as it was sent: what was opened with a secret ends with it. */
  keyHash?: string;
  /** Address of the client, as a trusted proxy forwards it; absent for work that goes on by itself. */
  address?: string;
  /** The caller has no key; `key` stands for its address and the day. */
  isKeyless?: true;
  /** The work goes on by itself: what its request was allowed to ask for is not checked again. */
  isBackground?: true;
  /** Aborts when the client disconnects or the service stops. */
  signal: AbortSignal;
}

/** What a key or a session says of a caller. */
export type Identity = Pick<
  Caller,
  'team' | 'key' | 'keyId' | 'limits' | 'expiresAt' | 'keyHash' | 'address' | 'isKeyless'
> & {
  /** Hash of the session, for a request of the console. */
  sessionHash?: string;
};

/** `address` is the caller's. Throws ServiceError UNAUTHORIZED or TOO_MANY_WRONG_KEYS. */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Identity>;

/** The caller without what could tell who it is. The team stays: it pays. */
export const anonymous = ({ team, limits, isBackground, signal }: Caller): Caller => ({
  ...{ team, limits, signal },
  ...(isBackground && { isBackground }),
});

/** Who pays for what the caller requests. */
export const accountOf = ({ team, key }: Pick<Caller, 'team' | 'key'>): Account => ({
  teamId: team.id,
  ...(key !== undefined && { key }),
});

/** Callers without a key share a team, but are strangers: each of them uses only what it has made itself, on the same day. */
export const mayUse = ({ isKeyless, key }: Pick<Caller, 'isKeyless' | 'key'>, maker: string | undefined): boolean =>
  !isKeyless || (key !== undefined && maker === key);
