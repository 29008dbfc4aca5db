// All sessions of the service: who has how many, and which have ended lately. They live in memory and end with the service.

import { ServiceError } from '../contracts/errors.ts';
import { createBoundedMap } from '../util/bounded-map.ts';
import { type OpenSession, openSession, type SessionDeps } from './open-session.ts';
import type { BrowserSession, EndedSession, Sessions, SessionTokens } from './session.ts';

export interface SessionsDeps extends SessionDeps {
  /** Undefined while there is a browser; else one sentence why not. */
  unavailable(): string | undefined;
  maxPerTeam: number;
  /** Told of every session that ends, whatever ended it. */
  onEnded(teamId: string, durationMs: number): void;
}

/** As many that ended are remembered for a team; the oldest are forgotten first. */
const MAX_ENDED = 100;
const MAX_TEAMS = 1_000;
const RETRY_SECONDS = 30;

export function createSessions(deps: SessionsDeps): Sessions {
  const { clock, log, maxPerTeam } = deps;
  const open = new Map<string, OpenSession>();
  const opening = new Map<string, number>();
  /** What is under way and must be over before the service is. */
  const unsettled = new Set<Promise<unknown>>();
  const byToken = new Map<string, BrowserSession>();
  const ended = createMemory();
  const closing = new AbortController();

  const ofTeam = (teamId: string) => [...open.values()].filter(({ session }) => session.teamId === teamId);

  function reserve(teamId: string): () => void {
    const begun = opening.get(teamId) ?? 0;
    if (ofTeam(teamId).length + begun >= maxPerTeam) throw tooMany(maxPerTeam);
    opening.set(teamId, begun + 1);
    return () => {
      const left = opening.get(teamId)! - 1;
      if (left === 0) opening.delete(teamId);
      else opening.set(teamId, left);
    };
  }

  function add(opened: OpenSession): void {
    const { session } = opened;
    open.set(session.id, opened);
    for (const kind of ['cdp', 'view', 'control'] as const) byToken.set(keyOf(kind, session.tokens[kind]), session);
    log.debug({ session: session.id }, 'session opened');
  }

  function remove({ session, gone }: OpenSession): void {
    open.delete(session.id);
    unsettled.add(gone);
    gone.then(() => unsettled.delete(gone));
    for (const kind of ['cdp', 'view', 'control'] as const) byToken.delete(keyOf(kind, session.tokens[kind]));
    ended.add(session);
    deps.onEnded(session.teamId, clock.now() - session.createdAt);
    log.debug({ session: session.id }, 'session ended');
  }

  async function start(wanted: Parameters<Sessions['open']>[0], signal: AbortSignal): Promise<BrowserSession> {
    let opened: OpenSession | undefined;
    opened = await openSession(deps, wanted, AbortSignal.any([signal, closing.signal]), () => {
      if (opened && open.has(opened.session.id)) remove(opened);
    });
    // The last moment at which nobody knows of it yet.
    if (signal.aborted || closing.signal.aborted || opened.session.ended.aborted) {
      await opened.end();
      signal.throwIfAborted();
      throw new ServiceError(closing.signal.aborted ? 'SERVICE_UNAVAILABLE' : 'NO_BROWSER');
    }
    add(opened);
    return opened.session;
  }

  return {
    async open(wanted, signal) {
      if (closing.signal.aborted) throw new ServiceError('SERVICE_UNAVAILABLE');
      const problem = deps.unavailable();
      if (problem !== undefined) throw new ServiceError('NO_BROWSER', { message: `This needs a browser. ${problem}` });
      const release = reserve(wanted.teamId);
      const starting = start(wanted, signal);
      unsettled.add(starting);
      try {
        return await starting;
      } finally {
        unsettled.delete(starting);
        release();
      }
    },
    find(id, teamId) {
      const session = open.get(id)?.session;
      return session?.teamId === teamId ? session : undefined;
    },
    hasEnded: (id, teamId) => ended.of(teamId).some((session) => session.id === id),
    findByToken: (kind, token) => byToken.get(keyOf(kind, token)),
    list: (teamId) => [
      ...ofTeam(teamId)
        .reverse()
        .map(({ session }) => ({ session, status: 'active' as const })),
      ...ended.of(teamId).map((session) => ({ session, status: 'destroyed' as const })),
    ],
    async end(id, teamId): Promise<EndedSession | undefined> {
      const opened = open.get(id);
      if (opened?.session.teamId !== teamId) return undefined;
      const durationMs = clock.now() - opened.session.createdAt;
      await opened.end();
      return { id, durationMs };
    },
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      for (const { end } of open.values()) end();
      await Promise.allSettled(unsettled);
    },
  };
}

const keyOf = (kind: keyof SessionTokens, token: string) => `${kind} ${token}`;

const tooMany = (max: number) =>
  new ServiceError('TOO_MANY_SESSIONS', {
    message: `You have reached the maximum number of active browser sessions (${max}). End one, or wait until one expires.`,
    retryAfter: RETRY_SECONDS,
  });

/** The latest first. */
function createMemory() {
  const byTeam = createBoundedMap<string, BrowserSession[]>({ maxEntries: MAX_TEAMS });
  return {
    add(session: BrowserSession): void {
      const others = byTeam.peek(session.teamId) ?? [];
      byTeam.set(session.teamId, [session, ...others].slice(0, MAX_ENDED));
    },
    of: (teamId: string): readonly BrowserSession[] => byTeam.peek(teamId) ?? [],
  };
}
