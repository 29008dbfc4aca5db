// What a process needs to work together with others on one database. Not loaded without one.

import type { PeerDoor } from '../../api/peers/peer-routes.ts';
import type { Config } from '../../config/settings.ts';
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import { createPeerClient } from '../../net/peer-client.ts';
import type { Operations } from '../../operations/call.ts';
import { createAwaySessions } from '../../peers/away-sessions.ts';
import { createCallSignatures, isBodyOf, PEER_HEADER, type PeerClaims } from '../../peers/call-signature.ts';
import type { Membership } from '../../peers/membership.ts';
import { fetchRemotely, type PageBrowser, type RemoteBrowserDeps } from '../../peers/pages/remote-browser.ts';
import { callPath, createPeerCalls, PEER_TYPE, toWire } from '../../peers/peer-calls.ts';
import type { Log } from '../../runtime/log.ts';
import { hashToken } from '../../sessions/hash-token.ts';
import type { Sessions } from '../../sessions/session.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Clock } from '../../util/clock.ts';
import { type BrowserProcesses, createBrowserProcesses } from './browser-processes.ts';
import { createForward } from './forward.ts';
import { FORWARDED_HEALTH, routeHealth } from './route-health.ts';
import { FORWARDED, routeSessions } from './route-sessions.ts';

interface Deps {
  store: Pick<Store, 'sessionPlaces'>;
  secret: Uint8Array;
  membership: Membership;
  /** Why this process has no browser. */
  problem(): string | undefined;
  clock: Clock;
  log: Log;
}

/** Engines that load pages in this process, never in another one. */
export type OwnEngines = Record<PageBrowser, BrowserEngine>;

export function composePeers({ role }: Config, { store, secret, membership, problem, clock, log }: Deps) {
  const client = createPeerClient();
  const signatures = createCallSignatures(secret, membership.id, clock);
  const forward = createForward(createPeerCalls(client, signatures));
  const places = store.sessionPlaces;
  const browsers = createBrowserProcesses({ role, problem, membership });
  const away = createAwaySessions({ places, hashToken, membership, client, signatures, clock });
  const open: RemoteBrowserDeps['open'] = ({ id: to, url }, browser, first) => {
    const path = `/peers/pages/${browser}`;
    const header = signatures.sign({ to, method: 'GET', path, body: first });
    return client.openSocket(url, path, { [PEER_HEADER]: header });
  };
  return {
    /** The engine for pages that this process may leave to others. */
    shareBrowser: (own: BrowserEngine, kind: PageBrowser) => shareBrowser(own, kind, { browsers, open, log }),
    /** Where the other processes are. */
    urls: () => membership.others().map(({ url }) => url),
    /** Operations as clients get them. */
    route: (local: Operations, sessions: Sessions) => ({
      ...routeSessions(local, { sessions, places, membership, browsers, forward, clock }),
      ...routeHealth(local, { membership, forward }),
    }),
    /** What other processes may call: the operations as they are here. */
    serve: (local: Operations, own: OwnEngines): { door: PeerDoor; away: typeof away } => ({
      away,
      door: {
        ...{ isBodyOf, contentType: PEER_TYPE, callPath, toWire },
        senderOf: createSenders(signatures),
        async servePage(browser, socket, first, tools) {
          const { servePage } = await import('../../peers/pages/serve-page.ts');
          await servePage(browser === 'enhanced' ? own.enhanced : own.basic, socket, first, tools);
        },
        operations: Object.fromEntries([...FORWARDED, ...FORWARDED_HEALTH].map((id) => [id, local[id]])),
      },
    }),
    close: client.close,
  };
}

/** A signature is accepted once, so its claims are remembered for the request. */
function createSenders({ verify }: Pick<ReturnType<typeof createCallSignatures>, 'verify'>): PeerDoor['senderOf'] {
  const known = new WeakMap<object, PeerClaims | false>();
  return ({ raw }) => {
    const header = raw.headers[PEER_HEADER];
    if (typeof header !== 'string') return undefined;
    const claims = known.get(raw) ?? verify(header, { method: raw.method!, path: raw.url! }) ?? false;
    known.set(raw, claims);
    return claims || undefined;
  };
}

interface SharedBrowserDeps extends Omit<RemoteBrowserDeps, 'choose'> {
  browsers: BrowserProcesses;
}

/** A browser engine that loads pages here or at another process, whichever is responsible. */
const shareBrowser = (
  own: BrowserEngine,
  kind: PageBrowser,
  { browsers, ...deps }: SharedBrowserDeps,
): BrowserEngine => ({
  ...own,
  unavailable: () => (browsers.choose('pages') ? undefined : own.unavailable()),
  async fetch(request, signal) {
    const choose = (except?: string) => browsers.choose('pages', except);
    // What goes over the wire is seen where the browser is.
    const isHere = request.recorder !== undefined || request.answers !== undefined;
    return !isHere && choose() ? fetchRemotely({ ...deps, choose }, kind, request, signal) : own.fetch(request, signal);
  },
});
