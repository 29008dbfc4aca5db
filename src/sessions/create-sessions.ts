// All sessions of this process: open ones by team, and those that ended recently. They live in memory only; the directory says
// that they are here.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { SessionDirectory } from '../store/ports/session-directory.ts';
import { uuidv7 } from '../util/ids.ts';
import { type OpenSession, openSession, type SessionDeps } from './open-session.ts';
import type { BrowserSession, EndedSession, NewSession, Sessions, SessionTokens } from './session.ts';
import { createSessionPlaces } from './session-places.ts';

export interface SessionsDeps extends SessionDeps, Pick<Sessions, 'unavailable'> {
  maxPerTeam: number;
  /** The sessions of all processes: the limit of a team holds for them together. */
  places: Pick<SessionDirectory, 'reserve' | 'opened' | 'ended'>;
  /** ID of this process. */
  processId: string;
  /** Called for every session that ends, for any reason. Never rejects; `end` waits for it. */
  onEnded(session: BrowserSession, durationMs: number): Promise<void>;
}

/** How many ended sessions are remembered for each team; the oldest are forgotten first. */
const MAX_ENDED = 100;
const MAX_TEAMS = 1_000;
const TOKEN_KINDS = ['cdp', 'view', 'control'] as const;

export function createSessions(deps: SessionsDeps): Sessions {
  const { clock, log } = deps;
  const open = createOpenSessions();
  const ended = createEndedSessions();
  const places = createSessionPlaces(deps, (id) => open.get(id) !== undefined);
  /** Work that must be finished before the service ends. */
  const unsettled = new Set<Promise<unknown>>();
  const reported = new WeakMap<BrowserSession, Promise<EndedSession>>();
  const closing = new AbortController();

  function remove(opened: OpenSession): void {
    const { session, gone } = opened;
    const durationMs = clock.now() - session.createdAt;
    open.remove(opened);
    ended.add(session);
    const report = Promise.all([deps.onEnded(session, durationMs), places.leave(session.id)]).then(() => ({
      id: session.id,
      durationMs,
    }));
    reported.set(session, report);
    const settled = Promise.all([gone, report]);
    unsettled.add(settled);
    settled.then(() => unsettled.delete(settled));
    log.debug({ session: session.id }, 'session ended');
  }

  async function start(id: string, wanted: NewSession, signal: AbortSignal): Promise<BrowserSession> {
    let opened: OpenSession | undefined;
    opened = await openSession(deps, { ...wanted, id }, AbortSignal.any([signal, closing.signal]), () => {
      if (opened && open.get(opened.session.id)) remove(opened);
    });
    await places.enter(opened, wanted);
    // It may have become obsolete while it started. Nobody knows of it yet.
    if (signal.aborted || closing.signal.aborted || opened.session.ended.aborted) {
      await opened.end();
      signal.throwIfAborted();
      throw new ServiceError(closing.signal.aborted ? 'SERVICE_UNAVAILABLE' : 'NO_BROWSER');
    }
    open.add(opened);
    log.debug({ session: opened.session.id }, 'session opened');
    return opened.session;
  }

  return {
    unavailable: deps.unavailable,
    async open(wanted, signal) {
      if (closing.signal.aborted) throw new ServiceError('SERVICE_UNAVAILABLE');
      const problem = deps.unavailable();
      if (problem !== undefined) throw new ServiceError('NO_BROWSER', { message: `This needs a browser. ${problem}` });
      const id = uuidv7(clock.now());
      const starting = (async () => {
        await places.reserve(id, wanted);
        try {
          return await start(id, wanted, signal);
        } catch (error) {
          await places.leave(id);
          throw error;
        }
      })();
      unsettled.add(starting);
      try {
        return await starting;
      } finally {
        unsettled.delete(starting);
      }
    },
    find(id, teamId) {
      const session = open.get(id)?.session;
      return session?.teamId === teamId ? session : undefined;
    },
    findEnded: (id, teamId) => ended.ofTeam(teamId).find((session) => session.id === id),
    findByToken: open.findByToken,
    list: (teamId) => [
      ...open
        .ofTeam(teamId)
        .reverse()
        .map(({ session }) => ({ session, status: 'active' as const })),
      ...ended.ofTeam(teamId).map((session) => ({ session, status: 'destroyed' as const })),
    ],
    count: open.count,
    processes: () =>
      open.all().map(({ session, browser }) => ({ session, pid: browser.pid, memoryBytes: browser.memory.bytes })),
    async end(id, teamId, reason): Promise<EndedSession | undefined> {
      const opened = open.get(id);
      if (opened?.session.teamId !== teamId) return undefined;
      await opened.end(reason);
      return reported.get(opened.session);
    },
    announce: () => places.enterAgain(open.all()),
    async close() {
      closing.abort(new ServiceError('SERVICE_UNAVAILABLE'));
      open.endAll();
      await Promise.allSettled(unsettled);
    },
  };
}

function createOpenSessions() {
  const byId = new Map<string, OpenSession>();
  const byToken = new Map<string, BrowserSession>();
  const keyOf = (kind: keyof SessionTokens, token: string) => `${kind} ${token}`;
  return {
    add(opened: OpenSession): void {
      const { session } = opened;
      byId.set(session.id, opened);
      for (const kind of TOKEN_KINDS) byToken.set(keyOf(kind, session.tokens[kind]), session);
    },
    remove({ session }: OpenSession): void {
      byId.delete(session.id);
      for (const kind of TOKEN_KINDS) byToken.delete(keyOf(kind, session.tokens[kind]));
    },
    count: () => byId.size,
    /** The oldest first. */
    all: () => [...byId.values()],
    get: (id: string) => byId.get(id),
    findByToken: (kind: keyof SessionTokens, token: string) => byToken.get(keyOf(kind, token)),
    /** The oldest first. */
    ofTeam: (teamId: string) => [...byId.values()].filter(({ session }) => session.teamId === teamId),
    endAll(): void {
      for (const { end } of byId.values()) end();
    },
  };
}

function createEndedSessions() {
  const byTeam = new Map<string, BrowserSession[]>();
  return {
    add(session: BrowserSession): void {
      const others = byTeam.get(session.teamId) ?? [];
      byTeam.delete(session.teamId);
      byTeam.set(session.teamId, [session, ...others].slice(0, MAX_ENDED));
      if (byTeam.size > MAX_TEAMS) byTeam.delete(byTeam.keys().next().value!);
    },
    /** The latest first. */
    ofTeam: (teamId: string): readonly BrowserSession[] => byTeam.get(teamId) ?? [],
  };
}
