// This process and those that share its store: what it says about itself, and what it leaves to others.
import { hostname } from 'node:os';
import type { ServerDeps } from '../../api/server.ts';
import type { Config } from '../../config/settings.ts';
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import type { Operations } from '../../operations/call.ts';
import { PEER_PROTOCOL } from '../../peers/call-signature.ts';
import { createMembership, type Membership } from '../../peers/membership.ts';
import { createProcessProofs } from '../../peers/process-proof.ts';
import type { Log } from '../../runtime/log.ts';
import { readVersion } from '../../runtime/version.ts';
import type { Sessions } from '../../sessions/session.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import type { OwnEngines } from './peers.ts';

/** What other processes may use of this one. */
export interface OwnBrowsers {
  problem(): string | undefined;
  openPages(): number;
  openSessions(): number;
  /** Its sessions are no longer in the directory. */
  announceSessions(): Promise<void>;
}

interface Deps {
  store: Pick<Store, 'processes' | 'sessionPlaces' | 'wakeUps'>;
  secret: Uint8Array;
  processId: string;
  /** Set once the server listens. */
  lifecycle: { url?: string };
  clock: Clock;
  log: Log;
}

/** Browsers of sessions are large. */
const SESSION_BYTES = 400 * 1024 * 1024;
const LEAST_SESSIONS = 4;

export type Processes = Awaited<ReturnType<typeof composeProcesses>>;

export async function composeProcesses(config: Config, { store, secret, processId, lifecycle, clock, log }: Deps) {
  let own: OwnBrowsers | undefined;
  const maxSessions = Math.max(LEAST_SESSIONS, Math.floor(config.maxBrowserTotalBytes / SESSION_BYTES));
  const membership: Membership = createMembership({
    id: processId,
    processes: store.processes,
    proofs: createProcessProofs(secret),
    describe: () => ({
      ...{ name: config.processName, role: config.role, version: readVersion(), protocol: PEER_PROTOCOL },
      url: config.advertisedUrl ?? reachable(lifecycle.url),
      hasBrowser: own !== undefined && own.problem() === undefined,
      freePages: Math.max(0, config.browserPages - (own?.openPages() ?? 0)),
      freeSessions: Math.max(0, maxSessions - (own?.openSessions() ?? 0)),
      // A process that only runs browsers works for the others.
      maxConcurrency: config.role === 'browser' ? 0 : config.maxConcurrency,
    }),
    onForgotten: async () => own?.announceSessions(),
    isShared: store.wakeUps.isShared,
    clock,
    log,
  });
  const problem = () => (own ? own.problem() : 'It has not started yet.');
  // An embedded service has nobody to talk to.
  const peers = store.wakeUps.isShared
    ? (await import('./peers.ts')).composePeers(config, { store, secret, membership, problem, clock, log })
    : undefined;
  return {
    membership,
    /** Absent if no other process can share the store. */
    peers,
    /** To be called before the process joins the others. */
    offer(browsers: OwnBrowsers) {
      own = browsers;
    },
    /** What the server answers, for clients and for other processes. */
    serve: (local: Operations, { sessions, engines }: { sessions: Sessions; engines: OwnEngines }): Served => ({
      operations: peers?.route(local, sessions) ?? local,
      ...(peers && { peers: peers.serve(local, engines) }),
      answersClients: config.role === 'all' || config.role === 'api',
    }),
    close: async () => peers?.close(),
  };
}

type Served = Pick<ServerDeps, 'operations' | 'peers' | 'answersClients'>;

const ALL_ADDRESSES = /^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/;

/** A process that listens on all addresses is reached by the name of its machine, if nothing else is set. */
const reachable = (url = ''): string => url.replace(ALL_ADDRESSES, `http://${hostname()}`);

export const ownBrowsers = ({
  browsers,
  browsing: { sessions },
}: {
  browsers: readonly Pick<BrowserEngine, 'open'>[];
  browsing: { sessions: Sessions };
}): OwnBrowsers => ({
  problem: sessions.unavailable,
  openPages: () => browsers.reduce((pages, browser) => pages + browser.open().pages, 0),
  openSessions: sessions.count,
  announceSessions: sessions.announce,
});
