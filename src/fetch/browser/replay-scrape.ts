// Repeats an earlier scrape in a session: go to the page, wait, run the actions. The page stays open in the end state.
import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Replay, ReplayedScrape } from '../../sessions/replay.ts';
import type { BrowserSession } from '../../sessions/session.ts';
import type { PageSetup } from '../../sessions/set-up-pages.ts';
import { raceAbort } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { runActions } from './actions/actions.ts';
import { navigationError, pageError } from './browser-failure.ts';
import { watchCertificates } from './certificates.ts';
import { removeBanners } from './page/banners.ts';
import { identityOf, overrideOf, PHONE } from './page/context.ts';
import { withCallerHeaders } from './page/intercept.ts';
import { settle } from './page/settle.ts';
import { timeZoneOf } from './page/time-zones.ts';
import { watchTraffic } from './page/traffic.ts';
import { createPipeTransport } from './process/pipe.ts';
import { loadPlaywright } from './process/playwright.ts';

interface ReplayDeps {
  clock: Clock;
  setUpPages(session: BrowserSession, setup: PageSetup, signal: AbortSignal): Promise<void>;
  /** The operator's own User-Agent, as for scrapes. */
  userAgent?: string;
}

export function createReplay({ clock, setUpPages, userAgent }: ReplayDeps): Replay {
  return async (session, scrape, signal) => {
    const { chromium } = await loadPlaywright();
    const channel = await session.connect(signal);
    try {
      const connecting = chromium.connectOverCDP(createPipeTransport(channel), { artifactsDir: tmpdir() });
      const browser = await raceAbort(connecting, signal);
      const page = await firstPage(browser);
      const identity = identityOf(scrape.options, userAgent, browser.version());
      await raceAbort(setUpPages(session, setupOf(scrape, identity), signal), signal);
      await repeat(page, scrape, clock, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ServiceError ? error : pageError(error);
    } finally {
      // Closes the connection only: pages stay open in the browser.
      channel.close();
    }
  };
}

async function repeat(page: Page, scrape: ReplayedScrape, clock: Clock, signal: AbortSignal): Promise<void> {
  const { url, deadline, isVerifying } = scrape;
  const { blockAds, waitFor, actions, skipTlsVerification } = scrape.options;
  const traffic = watchTraffic(page, clock);
  const certificates = await raceAbort(page.context().newCDPSession(page).then(watchCertificates), signal);
  const settlePage = () => settle(page, { signal, deadline, clock, traffic });
  const going = page.goto(url, { waitUntil: 'commit', timeout: 0 }).catch((error: unknown) => {
    throw navigationError(error);
  });
  await raceAbort(going, signal);
  await settlePage();
  if (isVerifying && skipTlsVerification && certificates.metInvalid) throw new ServiceError('SCRAPE_SSL_ERROR');
  if (waitFor > 0) await clock.sleep(waitFor, signal);
  if (blockAds) await raceAbort(removeBanners(page), signal);
  if (actions.length > 0) {
    await raceAbort(runActions(page, actions, { signal, deadline, now: clock.now, settle: settlePage }), signal);
  }
}

/** The scrape's identity and headers. */
function setupOf({ headers, options }: ReplayedScrape, identity: ReturnType<typeof identityOf>): PageSetup {
  const { mobile, location } = options;
  return {
    commands: [
      { method: 'Emulation.setUserAgentOverride', params: overrideOf(identity, mobile) },
      { method: 'Emulation.setLocaleOverride', params: { locale: identity.languages[0] } },
      { method: 'Emulation.setTimezoneOverride', params: { timezoneId: timeZoneOf(location.country) } },
      ...(mobile ? PHONE_COMMANDS : []),
    ],
    ...(!headers.isEmpty && { headersFor: (request) => withCallerHeaders(headers, request) }),
  };
}

const PHONE_COMMANDS = [
  {
    method: 'Emulation.setDeviceMetricsOverride',
    params: { ...PHONE.viewport, deviceScaleFactor: PHONE.deviceScaleFactor, mobile: true },
  },
  { method: 'Emulation.setTouchEmulationEnabled', params: { enabled: true } },
];

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  return context!.pages()[0] ?? context!.newPage();
}
