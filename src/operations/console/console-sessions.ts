// Sessions of the console. A session is a random secret in a cookie; it stands for the key, or the one-time link, that
// opened it, and is checked against it with every request.
import { createHmac } from 'node:crypto';
import type { ConsoleSessionStore, SessionProof } from '../../store/ports/teams/console-session-store.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isSameSecret, sha256 } from '../../util/hash.ts';
import { randomToken } from '../../util/ids.ts';
import type { Caller } from '../caller.ts';
import { OPERATOR_KEY } from '../team/operator.ts';

/** Who a session acts as: the caller that its key makes, or the operator. */
export type SessionIdentity = Pick<Caller, 'team' | 'key' | 'keyId' | 'limits' | 'expiresAt' | 'keyHash'> & {
  sessionHash: string;
};

export interface ConsoleSession {
  identity: SessionIdentity;
  /** What requests of the page must repeat in a header, which pages of other sites cannot know. */
  csrfToken: string;
  endsAt: number;
}

interface OpenedSession extends ConsoleSession {
  /** For the cookie. */
  secret: string;
}

/** What a person logs in with: a key that was just checked, or a link. */
export type Login = { key: string; holder: Omit<SessionIdentity, 'sessionHash'> } | { link: string };

export interface ConsoleSessions {
  /** A new one-time link: what follows `#login=`. The link before it ends. */
  createLink(): Promise<string>;
  /** Undefined if the link is not valid. `replaces` is the secret of a session that ends with this. */
  open(login: Login, from: { address: string; replaces?: string }): Promise<OpenedSession | undefined>;
  /** Undefined if there is no such session, or its key has ended. */
  find(secret: string): Promise<ConsoleSession | undefined>;
  close(session: ConsoleSession, address: string): Promise<void>;
  /** Hashes of the secrets of all sessions. */
  listHashes(): Promise<string[]>;
}

interface Deps {
  sessions: ConsoleSessionStore;
  operatorTeam(): Promise<Team>;
  /** The operator's key from the settings, which is not stored. */
  apiKey?: string;
  /** Called after a session was closed, so that what it has opened is closed at once. */
  onSessionsEnded?(): void;
  clock: Pick<Clock, 'now'>;
}

const HOUR_MS = 3_600_000;
export const SESSION_MS = 7 * 24 * HOUR_MS;
export const IDLE_MS = 12 * HOUR_MS;
const LINK_MS = HOUR_MS;
const SECRET_BYTES = 32;
const LINK_BYTES = 16;
/** Limit for the sessions of one key, and for those opened with links. */
const MAX_SESSIONS = 50;
/** How the audit log and the ledger name somebody with a one-time link. */
const BY_LINK = 'operator';

export const isSessionSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

export function createConsoleSessions(deps: Deps): ConsoleSessions {
  const { sessions, operatorTeam, apiKey, clock } = deps;
  const sessionOf = (secret: string, identity: SessionIdentity, endsAt: number): ConsoleSession => ({
    identity,
    csrfToken: keyedHash(secret, 'csrf'),
    endsAt,
  });
  const byLink = async () => ({ team: await operatorTeam(), key: BY_LINK });

  return {
    listHashes: () => sessions.listHashes(clock.now()),
    createLink: () => createConsoleLink(sessions, clock),
    async open(login, { address, replaces }) {
      const now = clock.now();
      const secret = randomToken(SECRET_BYTES);
      const hash = sha256(secret);
      const holder = 'link' in login ? await byLink() : login.holder;
      const endsAt = now + IDLE_MS;
      const session = {
        ...{ hash, teamId: holder.team.id, proof: proofOf(login, secret), maxSessions: MAX_SESSIONS },
        ...{ expiresAt: now + SESSION_MS, endsAt },
        ...('link' in login && { link: sha256(login.link) }),
        ...(replaces !== undefined && { replaces: sha256(replaces) }),
      };
      const isOpen = await sessions.open(session, { actor: holder.key ?? BY_LINK, address, at: now });
      return isOpen ? { secret, ...sessionOf(secret, { ...holder, sessionHash: hash }, endsAt) } : undefined;
    },
    async find(secret) {
      const sessionHash = sha256(secret);
      const found = await sessions.find(sessionHash, clock.now(), IDLE_MS);
      if (!found) return undefined;
      const { proof, owner, endsAt } = found;
      if (proof.openedWith === 'key')
        return owner && sessionOf(secret, { ...owner, keyHash: proof.keyHash, sessionHash }, endsAt);
      if (proof.openedWith === 'link') return sessionOf(secret, { ...(await byLink()), sessionHash }, endsAt);
      // The operator may have set another key since.
      if (apiKey === undefined || !isSameSecret(keyedHash(secret, apiKey), proof.proof)) return undefined;
      return sessionOf(secret, { team: await operatorTeam(), key: OPERATOR_KEY, sessionHash }, endsAt);
    },
    async close({ identity }, address) {
      await sessions.close(identity.sessionHash, { actor: identity.key ?? BY_LINK, address, at: clock.now() });
      deps.onSessionsEnded?.();
    },
  };
}

export async function createConsoleLink(
  sessions: Pick<ConsoleSessionStore, 'setLink'>,
  clock: Pick<Clock, 'now'>,
): Promise<string> {
  const link = randomToken(LINK_BYTES);
  await sessions.setLink(sha256(link), clock.now() + LINK_MS);
  return link;
}

/** The operator's key may be easy to guess, so its hash is worth nothing without the secret in the cookie. */
function proofOf(login: Login, secret: string): SessionProof {
  if ('link' in login) return { openedWith: 'link' };
  const { keyHash } = login.holder;
  return keyHash === undefined
    ? { openedWith: 'operator-key', proof: keyedHash(secret, login.key) }
    : { openedWith: 'key', keyHash };
}

const keyedHash = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
