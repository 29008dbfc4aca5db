// The parts that need a browser: the engine that renders pages, and the sessions that callers drive.
import { join } from 'node:path';
import type { Config } from '../config/settings.ts';
import { type BrowserEngine, createBrowserEngine } from '../fetch/browser/browser-engine.ts';
import { createBrowserVersion } from '../fetch/browser/process/browser-version.ts';
import { findBrowser } from '../fetch/browser/process/find-browser.ts';
import { createMemoryWatch } from '../fetch/browser/process/memory/memory-watch.ts';
import { spawnBrowser } from '../fetch/browser/process/spawn.ts';
import { createTrackState } from '../fetch/browser/profile/session-state.ts';
import { createIdentify, type Identify } from '../fetch/identity.ts';
import type { Egress } from '../net/egress.ts';
import { createInteractions, type Interactions } from '../operations/browser/interact.ts';
import { createProfileLocks, createSharedProfileLocks } from '../operations/browser/profiles.ts';
import { createSessionBilling, type SessionBilling } from '../operations/browser/session-billing.ts';
import type { SecurityLog } from '../policy/audit/security-log.ts';
import type { Log } from '../runtime/log.ts';
import { createSessions } from '../sessions/create-sessions.ts';
import { createDocumentGuard, guardDocuments } from '../sessions/guard-documents.ts';
import type { DrivePage } from '../sessions/page-driver.ts';
import type { Replay } from '../sessions/replay.ts';
import { createExecutor, type Executor } from '../sessions/sandbox/executor.ts';
import { createSandbox } from '../sessions/sandbox/sandbox.ts';
import type { Sessions } from '../sessions/session.ts';
import { setUpPages } from '../sessions/set-up-pages.ts';
import type { ProfileLocks } from '../store/ports/files/profile-store.ts';
import type { Store } from '../store/ports/store.ts';
import type { Clock } from '../util/clock.ts';
import { lazy } from '../util/lazy.ts';
import type { Policy } from './policy/policy.ts';

interface Deps {
  store: Pick<Store, 'profiles' | 'ledger' | 'sharedLimits' | 'sessionPlaces' | 'health'>;
  policy: Policy;
  /** As the other processes know this one. */
  processId: string;
  security: SecurityLog;
  egress: Egress;
  clock: Clock;
  log: Log;
}

export interface Browsers {
  browser: BrowserEngine;
  /** How plain requests introduce themselves: like the browser of this machine. */
  identify: Identify;
  /** For sites that turn the light one away. */
  enhancedBrowser: BrowserEngine;
  sessions: Sessions;
  sessionBilling: SessionBilling;
  executor: Executor;
  replay: Replay;
  drivePage: DrivePage;
  guardDocuments: typeof guardDocuments;
  interactions: Interactions;
  profileLocks: ProfileLocks;
  close(): Promise<void>;
}

const WINDOW = '--window-size=1280,800';
const ANY_CERTIFICATE = '--ignore-certificate-errors';

export function composeBrowser(
  config: Config,
  { store, policy, processId, security, egress, clock, log }: Deps,
): Browsers {
  const { executable, fullExecutable, problem } = findBrowser(config);
  if (problem && config.browser !== 'off') log.warn(`${problem} Pages are read without their scripts.`);
  const identify = createIdentify({
    userAgent: config.userAgent,
    browserVersion: createBrowserVersion(executable, config.searchPath),
  });
  const memory = createMemoryWatch({ pageBytes: config.maxBrowserBytes, totalBytes: config.maxBrowserTotalBytes });
  const engine = {
    ...{ problem, egress, clock, log, memory, createDocumentGuard },
    sandbox: config.browserSandbox,
    userAgent: config.userAgent,
    maxPages: config.browserPages,
    maxPageBytes: config.maxPageBytes,
  };
  const browser = createBrowserEngine({ ...engine, executable });
  const enhancedBrowser =
    fullExecutable === executable ? browser : createBrowserEngine({ ...engine, executable: fullExecutable });
  const { profileLocks: sharedLocks } = store.sharedLimits ?? {};
  const profileLocks = sharedLocks
    ? createSharedProfileLocks({ locks: sharedLocks, health: store.health, processId, clock })
    : createProfileLocks();
  const sessionBilling: SessionBilling = createSessionBilling({
    ledger: store.ledger,
    budgets: policy.parts.budgets,
    payers: policy.payers,
    security,
    endSession: ({ id, teamId }, reason) => sessions.end(id, teamId, reason),
    clock,
    log,
  });
  const sessions: Sessions = createSessions({
    unavailable: browser.unavailable,
    openProxyEntrance: async (network) => (await egress.openBrowserProxy()).openEntrance(network),
    async launch(proxyUrl, { verifyTls }) {
      const flags = [WINDOW, await agentFlag(identify), ...(verifyTls ? [] : [ANY_CERTIFICATE])];
      return spawnBrowser({ executable: executable!, sandbox: config.browserSandbox, memory, proxyUrl, flags });
    },
    profiles: store.profiles,
    profileLocks,
    trackState: createTrackState(log),
    maxPerTeam: config.maxSessions,
    places: store.sessionPlaces,
    processId,
    onEnded: sessionBilling.end,
    clock,
    log,
  });
  // Few sessions repeat a scrape or are driven by a model, so both are loaded with the first one.
  const replay = lazy(async () => {
    const { createReplay } = await import('../fetch/browser/replay-scrape.ts');
    return createReplay({ clock, setUpPages, userAgent: config.userAgent });
  });
  const drivePage = lazy(async () => {
    const { createDrivePage } = await import('../fetch/browser/driver/driver.ts');
    return createDrivePage({ clock, guardDocuments });
  });
  const sandbox = createSandbox({ clock, hidden: [config.dataDir, join(import.meta.dirname, '../..')] });
  return {
    browser,
    identify,
    enhancedBrowser,
    sessions,
    sessionBilling,
    executor: createExecutor({ sandbox, languages: config.browserExecute }),
    replay: async (...call) => (await replay())(...call),
    drivePage: async (...call) => (await drivePage())(...call),
    guardDocuments,
    interactions: createInteractions(sessions),
    profileLocks,
    async close() {
      await Promise.all([sessions.close(), browser.close(), enhancedBrowser.close()]);
    },
  };
}

/** The user agent of scrapes; Chromium's own says that it is headless. */
async function agentFlag(identify: Identify): Promise<string> {
  const headers = await identify({ mobile: false, location: { country: 'US', languages: ['en-US'] } });
  return `--user-agent=${headers['user-agent']}`;
}
