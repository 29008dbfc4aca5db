// One session: a browser of its own with a way out of its own, from its start to the moment when nothing of it is left.
import { ServiceError } from '../contracts/errors.ts';
import type { BrowserEntrance } from '../net/browser-proxy/browser-proxy.ts';
import type { ProfileLocks, ProfileStore } from '../store/profiles.ts';
import { deadline, raceAbort } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import { randomToken, uuidv7 } from '../util/ids.ts';
import type { Log } from '../util/log.ts';
import { createMultiplexer, type Multiplexer } from './multiplexer/multiplexer.ts';
import type { BrowserSession, CdpChannel, NewSession } from './session.ts';
import type { SessionBrowser } from './session-browser.ts';

/** Brings what a profile holds, as JSON, into a browser, and takes note of where its pages go from then on. */
export type TrackState = (connect: () => Promise<CdpChannel>, state: string | undefined) => Promise<TrackedState>;

export interface TrackedState {
  /** What is stored at the end, when nobody else is connected any more: it closes all pages. */
  read(signal: AbortSignal): Promise<string>;
}

export interface SessionDeps {
  openProxyEntrance(): Promise<BrowserEntrance>;
  launch(proxyUrl: string): SessionBrowser;
  profiles: ProfileStore;
  profileLocks: ProfileLocks;
  trackState: TrackState;
  clock: Clock;
  log: Log;
}

export interface OpenSession {
  session: BrowserSession;
  /** Resolves when nothing is left of it. May be called again and at any time. */
  end(): Promise<void>;
  /** The same moment, whoever ended it. */
  readonly gone: Promise<void>;
}

type Cleanup = () => unknown;

interface Started {
  multiplexer: Multiplexer;
  browserEnded: Promise<void>;
  /** Of a session that saves its profile at its end. */
  tracked?: TrackedState;
}

const START_MS = 20_000;
// Also when the service stops, which has ten seconds for everything.
const SAVE_MS = 8_000;
const TOKEN_BYTES = 16;

/** `onEnd` is told as soon as the session is over, before the browser is gone. Throws ServiceError and leaves nothing then. */
export async function openSession(
  deps: SessionDeps,
  wanted: NewSession,
  caller: AbortSignal,
  onEnd: () => void,
): Promise<OpenSession> {
  // Undone in the opposite order.
  const cleanups: Cleanup[] = [];
  const start = deadline(START_MS, () => noStart(), caller);
  const starting = startBrowser(deps, wanted, cleanups, start.signal);
  try {
    return createSession(deps, wanted, await raceAbort(starting, start.signal), cleanups, onEnd);
  } catch (error) {
    await undo(cleanups, deps.log);
    // Once its browser is gone it ends too, and what it got hold of meanwhile goes as well.
    await starting.catch(() => {});
    await undo(cleanups, deps.log);
    if (error instanceof ServiceError || caller.aborted) throw error;
    deps.log.error({ error: String(error) }, 'a session does not start');
    throw noStart(error);
  } finally {
    start.done();
  }
}

const noStart = (cause?: unknown) =>
  new ServiceError('NO_BROWSER', { message: 'The browser of this machine does not start.', cause });

async function startBrowser(
  deps: SessionDeps,
  { teamId, profile }: NewSession,
  cleanups: Cleanup[],
  signal: AbortSignal,
): Promise<Started> {
  const { profiles, profileLocks, trackState: keepState } = deps;
  if (profile?.saveChanges) cleanups.push(profileLocks.take(teamId, profile.name));
  const [door, stored] = await Promise.all([
    deps.openProxyEntrance(),
    profile && profiles.read(teamId, profile.name).catch((error) => ({ error })),
  ]);
  cleanups.push(() => door.close());
  if (typeof stored === 'object') throw stored.error;
  signal.throwIfAborted();
  const browser = deps.launch(door.url);
  cleanups.push(() => browser.close());
  const multiplexer = createMultiplexer(browser.pipe);
  await Promise.all([
    multiplexer.command('Browser.setDownloadBehavior', { behavior: 'deny' }),
    multiplexer.command('Browser.getVersion'),
  ]);
  const started: Started = { multiplexer, browserEnded: browser.ended };
  if (!profile || (stored === undefined && !profile.saveChanges)) return started;
  const kept = await keepState(multiplexer.open, stored);
  return profile.saveChanges ? { ...started, tracked: kept } : started;
}

function createSession(
  deps: SessionDeps,
  wanted: NewSession,
  { multiplexer, browserEnded, tracked: kept }: Started,
  cleanups: Cleanup[],
  onEnd: () => void,
): OpenSession {
  const { clock, log } = deps;
  const { teamId, ttlMs, activityTtlMs, streamWebView, baseUrl } = wanted;
  const createdAt = clock.now();
  const expiresAt = createdAt + ttlMs;
  const over = new AbortController();
  const gone = Promise.withResolvers<void>();
  let lastActivityAt = createdAt;
  let ending: Promise<void> | undefined;

  const finish = async () => {
    onEnd();
    over.abort(new ServiceError('SESSION_ENDED'));
    if (kept)
      await saveProfile(deps, wanted, kept).catch((error: unknown) => {
        log.error({ err: error }, 'the profile of a session could not be saved');
      });
    await undo(cleanups, log);
    gone.resolve();
  };
  const end = () => {
    ending ??= finish();
    return ending;
  };
  const endInTime = async () => {
    for (;;) {
      const left = Math.min(expiresAt, lastActivityAt + activityTtlMs) - clock.now();
      if (left <= 0) return end();
      await clock.sleep(left, over.signal);
    }
  };
  // The sleep ends with the session.
  endInTime().catch(() => {});
  browserEnded.then(end);

  const session: BrowserSession = {
    id: uuidv7(createdAt),
    teamId,
    tokens: { cdp: randomToken(TOKEN_BYTES), view: randomToken(TOKEN_BYTES), control: randomToken(TOKEN_BYTES) },
    createdAt,
    expiresAt,
    get lastActivityAt() {
      return lastActivityAt;
    },
    streamWebView,
    baseUrl,
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
    ended: over.signal,
  };
  return { session, end, gone: gone.promise };
}

async function saveProfile(
  { profiles, clock }: SessionDeps,
  { teamId, profile }: NewSession,
  kept: TrackedState,
): Promise<void> {
  const late = deadline(SAVE_MS, () => new Error('The browser does not tell what it has stored.'));
  try {
    const state = await raceAbort(kept.read(late.signal), late.signal);
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
      log.error({ err: error }, 'something of a session could not be cleaned up');
    }
  }
}
