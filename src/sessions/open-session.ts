// One session: its own browser with its own proxy entrance, from the start until everything is cleaned up.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { BrowserEntrance } from '../net/browser-proxy/browser-proxy.ts';
import type { Log } from '../runtime/log.ts';
import type { ProfileLock, ProfileLocks, ProfileStore } from '../store/ports/files/profile-store.ts';
import { raceAbort, startDeadline } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { randomToken } from '../util/ids.ts';
import { CdpError } from './cdp.ts';
import { createMultiplexer, type Multiplexer } from './multiplexer/multiplexer.ts';
import type { BrowserSession, CdpChannel, NewSession, SessionNetwork } from './session.ts';
import type { SessionBrowser } from './session-browser.ts';

/** Restores a profile's state (JSON) in a browser, and records the origins of its pages from then on. */
export type TrackState = (connect: () => Promise<CdpChannel>, state: string | undefined) => Promise<TrackedState>;

export interface TrackedState {
  /** Reads the state at the end, when no clients are connected any more. Closes all pages. */
  read(signal: AbortSignal): Promise<string>;
}

export interface SessionDeps {
  openProxyEntrance(network: SessionNetwork): Promise<BrowserEntrance>;
  launch(proxyUrl: string, network: SessionNetwork): Promise<SessionBrowser>;
  profiles: ProfileStore;
  profileLocks: ProfileLocks;
  trackState: TrackState;
  clock: Clock;
  log: Log;
}

export interface OpenSession {
  session: BrowserSession;
  /** Resolves when everything is cleaned up. May be called repeatedly. */
  end(reason?: ServiceError): Promise<void>;
  /** Resolves when everything is cleaned up, whatever ended the session. */
  readonly gone: Promise<void>;
  readonly browser: Pick<SessionBrowser, 'pid' | 'memory'>;
}

type Cleanup = () => unknown;

interface Started {
  multiplexer: Multiplexer;
  browser: SessionBrowser;
  entrance: BrowserEntrance;
  /** Set if the session saves its profile when it ends. */
  toSave?: { tracked: TrackedState; lock: ProfileLock };
}

const PLAIN_NETWORK: SessionNetwork = { proxyClass: 'basic', verifyTls: true };
/** Short enough for the close reason of a WebSocket, which has at most 123 bytes. */
const MEMORY_EXCEEDED = {
  page: 'The session used too much memory and was ended. The operator can raise TRAWL_MAX_BROWSER_MB.',
  all: 'The server ran out of memory for browsers, and this session used the most. Open a new one later.',
} as const;
const START_MS = 20_000;
// Must fit into a shutdown of the service, which takes at most ten seconds.
const SAVE_MS = 8_000;
const TOKEN_BYTES = 16;

/** Calls `onEnd` as soon as the session ends, before its browser is gone. Throws ServiceError, after cleaning up. */
export async function openSession(
  deps: SessionDeps,
  wanted: NewSession & { id: string },
  caller: AbortSignal,
  onEnd: () => void,
): Promise<OpenSession> {
  // Run in reverse order.
  const cleanups: Cleanup[] = [];
  const start = startDeadline(START_MS, () => noStart(), caller);
  const starting = startBrowser(deps, wanted, cleanups, start.signal);
  try {
    return createSession(deps, wanted, await raceAbort(starting, start.signal), cleanups, onEnd);
  } catch (error) {
    await undo(cleanups, deps.log);
    // The start fails once its browser is gone; what it opened in the meantime is cleaned up, too.
    await starting.catch(() => {});
    await undo(cleanups, deps.log);
    if (error instanceof ServiceError || caller.aborted) throw error;
    deps.log.error({ error: String(error) }, 'session does not start');
    throw noStart(error);
  } finally {
    start.done();
  }
}

const noStart = (cause?: unknown) =>
  new ServiceError('NO_BROWSER', { message: 'The browser of this machine does not start.', cause });

async function startBrowser(
  deps: SessionDeps,
  { teamId, profile, network = PLAIN_NETWORK }: NewSession,
  cleanups: Cleanup[],
  signal: AbortSignal,
): Promise<Started> {
  const { profiles, profileLocks, trackState } = deps;
  const lock = profile?.saveChanges ? await profileLocks.take(teamId, profile.name) : undefined;
  if (lock) cleanups.push(() => lock.release());
  const [entrance, stored] = await Promise.all([
    deps.openProxyEntrance(network),
    profile && profiles.read(teamId, profile.name).catch((error) => ({ error })),
  ]);
  cleanups.push(() => entrance.close());
  if (typeof stored === 'object') throw stored.error;
  signal.throwIfAborted();
  const browser = await deps.launch(entrance.url, network);
  cleanups.push(() => browser.close());
  const multiplexer = createMultiplexer(browser.pipe);
  await Promise.all([
    multiplexer.command('Browser.setDownloadBehavior', { behavior: 'deny' }),
    multiplexer.command('Browser.getVersion'),
  ]);
  const started: Started = { multiplexer, browser, entrance };
  if (!profile || (stored === undefined && !profile.saveChanges)) return started;
  const tracked = await trackState(multiplexer.open, stored);
  return lock ? { ...started, toSave: { tracked, lock } } : started;
}

function createSession(
  deps: SessionDeps,
  wanted: NewSession & { id: string },
  { multiplexer, browser, entrance, toSave }: Started,
  cleanups: Cleanup[],
  onEnd: () => void,
): OpenSession {
  const { clock, log } = deps;
  const { id, teamId, ttlMs, activityTtlMs, streamWebView, baseUrl, runId, opener } = wanted;
  const createdAt = clock.now();
  const expiresAt = createdAt + ttlMs;
  const over = new AbortController();
  const gone = Promise.withResolvers<void>();
  let lastActivityAt = createdAt;
  let ending: Promise<void> | undefined;

  const finish = async (reason: ServiceError) => {
    onEnd();
    over.abort(reason);
    if (toSave)
      await saveProfile(deps, wanted, toSave).catch((error: unknown) => {
        log.error({ err: error }, 'session profile could not be saved');
      });
    await undo(cleanups, log);
    gone.resolve();
  };
  const end = (reason = new ServiceError('SESSION_ENDED')) => {
    ending ??= finish(reason);
    return ending;
  };
  const endInTime = async () => {
    for (;;) {
      const left = Math.min(expiresAt, lastActivityAt + activityTtlMs) - clock.now();
      if (left <= 0) return end();
      await clock.sleep(left, over.signal);
    }
  };
  // The sleep rejects when the session ends.
  endInTime().catch(() => {});
  browser.ended.then(() => end());
  browser.memory.onExcess = ({ scope }) => end(new ServiceError('SESSION_ENDED', { message: MEMORY_EXCEEDED[scope] }));

  const session: BrowserSession = {
    id,
    teamId,
    tokens: { cdp: randomToken(TOKEN_BYTES), view: randomToken(TOKEN_BYTES), control: randomToken(TOKEN_BYTES) },
    createdAt,
    expiresAt,
    get lastActivityAt() {
      return lastActivityAt;
    },
    streamWebView,
    baseUrl,
    ...(runId !== undefined && { runId }),
    ...(opener && { opener }),
    touch() {
      lastActivityAt = clock.now();
    },
    async connect(signal) {
      over.signal.throwIfAborted();
      const opening = multiplexer.open();
      try {
        const channel = await raceAbort(opening, AbortSignal.any([signal, over.signal]));
        over.signal.addEventListener('abort', channel.close, { once: true });
        channel.onClose(() => over.signal.removeEventListener('abort', channel.close));
        return channel;
      } catch (error) {
        opening.then((channel) => channel.close()).catch(() => {});
        throw error;
      }
    },
    restrictHosts: entrance.restrict,
    ended: over.signal,
  };
  return { session, end, gone: gone.promise, browser };
}

async function saveProfile(
  { profiles, clock }: SessionDeps,
  { teamId, profile }: NewSession,
  { tracked, lock }: NonNullable<Started['toSave']>,
): Promise<void> {
  const late = startDeadline(SAVE_MS, () => new CdpError('The browser did not return its stored state in time.'));
  try {
    const state = await raceAbort(tracked.read(late.signal), late.signal);
    if (!(await lock.isHeld())) throw new ServiceError('PROFILE_IN_USE');
    await profiles.write(teamId, profile!.name, state, clock.now());
  } finally {
    late.done();
  }
}

async function undo(cleanups: Cleanup[], log: Log): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    try {
      await cleanup();
    } catch (error) {
      log.error({ err: error }, 'session clean-up failed');
    }
  }
}
