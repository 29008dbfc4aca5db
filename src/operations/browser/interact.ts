// Continues from a scrape: opens its page again in a browser session, one per scrape, and runs code against it.
import { ServiceError } from '../../contracts/errors.ts';
import type { InteractRequest } from '../../contracts/execute.ts';
import type { ScrapeRequest } from '../../contracts/scrape.ts';
import type { Replay } from '../../sessions/replay.ts';
import type { BrowserSession, Sessions } from '../../sessions/session.ts';
import type { ScrapeStore } from '../../store/scrape-store.ts';
import { deadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import type { Caller } from '../caller.ts';
import { refuseThreatProtection } from '../page/check-capabilities.ts';
import { type ExecuteDeps, findSession, runCode } from './execute.ts';
import { deleteBrowser } from './sessions.ts';

export interface InteractDeps extends ExecuteDeps {
  scrapes: Pick<ScrapeStore, 'find'>;
  replay: Replay;
  interactions: Interactions;
  features: readonly string[];
  clock: Pick<Clock, 'now'>;
}

/** Maps scrapes to their sessions. */
export interface Interactions {
  /** Concurrent calls for the same scrape share one session. */
  open(key: string, open: () => Promise<BrowserSession>): Promise<BrowserSession>;
  sessionId(key: string): string | undefined;
}

interface Interaction {
  opening?: Promise<BrowserSession>;
  sessionId?: string;
}

// The code gets at least this long, however long the page took to load.
const LEAST_SECONDS = 1;

export async function interact(
  deps: InteractDeps,
  caller: Caller,
  scrapeId: string,
  request: InteractRequest,
  baseUrl: string,
) {
  if (!isUuid(scrapeId)) throw new ServiceError('INVALID_JOB_ID');
  refuseThreatProtection(request, deps.features);
  const { code, language, timeout } = request;
  if (code === undefined) {
    throw new ServiceError('NEEDS_MODEL', {
      message: 'A `prompt` needs a language model, which this version does not support yet. Send `code` instead.',
    });
  }
  deps.executor.checkAllowed(language);
  const began = deps.clock.now();
  const session = await sessionFor(deps, caller, scrapeId, request, baseUrl);
  const secondsLeft = Math.max(LEAST_SECONDS, timeout - (deps.clock.now() - began) / 1000);
  const ran = await runCode(deps.executor, session, { code, language, timeout: secondsLeft }, caller.signal);
  return { success: ran.exitCode === 0 && !ran.killed, sessionId: session.id, ...ran };
}

export async function stopInteraction(deps: InteractDeps, caller: Caller, scrapeId: string) {
  if (!isUuid(scrapeId)) throw new ServiceError('INVALID_JOB_ID');
  const id = deps.interactions.sessionId(keyOf(caller, scrapeId));
  if (id === undefined) throw new ServiceError('SESSION_NOT_FOUND');
  return deleteBrowser(deps, caller, id);
}

async function sessionFor(
  deps: InteractDeps,
  caller: Caller,
  scrapeId: string,
  request: InteractRequest,
  baseUrl: string,
): Promise<BrowserSession> {
  const { sessions, interactions } = deps;
  if (request.existingSessionId !== undefined) return findSession(sessions, caller, request.existingSessionId);
  const key = keyOf(caller, scrapeId);
  const known = interactions.sessionId(key);
  if (known !== undefined) return findSession(sessions, caller, known);
  return interactions.open(key, () => openReplayed(deps, caller, scrapeId, request, baseUrl));
}

async function openReplayed(
  { scrapes, sessions, replay, clock }: InteractDeps,
  { team, signal }: Caller,
  scrapeId: string,
  { timeout, ttl, activityTtl }: InteractRequest,
  baseUrl: string,
): Promise<BrowserSession> {
  const scrape = await scrapes.find(scrapeId, team.id, clock.now());
  if (!scrape) throw new ServiceError('JOB_NOT_FOUND');
  const { waitFor, actions, profile } = scrape.options as ScrapeRequest;
  const times = { ttlMs: ttl * 1000, activityTtlMs: activityTtl * 1000 };
  const session = await sessions.open({ teamId: team.id, ...times, streamWebView: true, baseUrl, profile }, signal);
  const until = clock.now() + timeout * 1000;
  const budget = deadline(timeout * 1000, () => new ServiceError('SCRAPE_TIMEOUT'), signal);
  try {
    await replay(session, { url: scrape.url, waitFor, actions, deadline: until }, budget.signal);
    return session;
  } catch (error) {
    await sessions.end(session.id, team.id);
    if (signal.aborted) throw error;
    const reason = error instanceof ServiceError ? error.message : 'The page could not be opened.';
    throw new ServiceError('REPLAY_UNAVAILABLE', {
      message: `The scrape could not be repeated in a browser session: ${reason}`,
      cause: error,
    });
  } finally {
    budget.done();
  }
}

/** Kept in memory, like the sessions themselves. An entry is forgotten with its session. */
export function createInteractions(sessions: Sessions): Interactions {
  const byScrape = new Map<string, Interaction>();
  const isRemembered = ({ opening, sessionId }: Interaction, teamId: string) =>
    opening !== undefined ||
    (sessionId !== undefined &&
      (sessions.find(sessionId, teamId) !== undefined || sessions.hasEnded(sessionId, teamId)));
  const forgetOld = () => {
    for (const [key, interaction] of byScrape) {
      if (!isRemembered(interaction, teamOf(key))) byScrape.delete(key);
    }
  };
  return {
    async open(key, open) {
      const begun = byScrape.get(key)?.opening;
      if (begun) return begun;
      forgetOld();
      const opening = open();
      byScrape.set(key, { opening });
      try {
        const session = await opening;
        byScrape.set(key, { sessionId: session.id });
        return session;
      } catch (error) {
        byScrape.delete(key);
        throw error;
      }
    },
    sessionId: (key) => byScrape.get(key)?.sessionId,
  };
}

const keyOf = ({ team }: Caller, scrapeId: string): string => `${team.id} ${scrapeId.toLowerCase()}`;
const teamOf = (key: string): string => key.slice(0, key.lastIndexOf(' '));
