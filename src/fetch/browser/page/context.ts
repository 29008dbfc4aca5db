// Opens a browser context for one scrape: its identity, its location and its proxy.
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { BrowserProxy } from '../../../net/browser-proxy/browser-proxy.ts';
import type { FetchRequest } from '../../engine.ts';
import { brandsOf, identityHeaders } from '../../identity.ts';
import { acceptInvalidCertificates, type Certificates, watchCertificates } from '../certificates.ts';
import { applyProfile } from '../profile/profile.ts';
import { fillHeadlessGaps } from './headless-gaps.ts';
import { timeZoneOf } from './time-zones.ts';

export interface OpenedPage {
  context: BrowserContext;
  page: Page;
  /** The DevTools protocol of the page, for what Playwright does not offer. */
  session: CDPSession;
  /** The DevTools protocol's ID of the main frame. */
  frameId: string;
  /** The DevTools protocol's ID of the context. */
  contextId: string;
  certificates: Certificates;
}

// A window is smaller than the screen it is on.
const DESKTOP = { viewport: { width: 1280, height: 800 }, screen: { width: 1920, height: 1080 } };
export const PHONE = {
  viewport: { width: 412, height: 915 },
  deviceScaleFactor: 2.625,
  isMobile: true,
  hasTouch: true,
};

type Identity = ReturnType<typeof identityOf>;

export async function openPage(
  browser: Browser,
  request: FetchRequest,
  proxy: BrowserProxy,
  userAgent: string | undefined,
): Promise<OpenedPage> {
  const identity = identityOf(request, userAgent, browser.version());
  const context = await browser.newContext({
    ...(request.mobile ? PHONE : DESKTOP),
    // Without the pass: Playwright would send its credentials to every site that asks for some.
    proxy: { server: proxy.url, bypass: '<-loopback>' },
    userAgent: identity.userAgent,
    locale: identity.languages[0],
    timezoneId: timeZoneOf(request.location.country),
    acceptDownloads: false,
    // Service workers would answer in place of the site, and their requests cannot be observed.
    serviceWorkers: 'block',
  });
  try {
    const [page] = await Promise.all([
      context.newPage(),
      // An empty grant denies all permissions.
      context.grantPermissions([]),
    ]);
    if (request.proxyClass === 'enhanced') await fillHeadlessGaps(page);
    if (request.profile !== undefined) await applyProfile(context, page, request.profile, request.url);
    // Windows that a page opens are not used.
    context.on('page', (other) => other.close().catch(() => {}));
    const session = await context.newCDPSession(page);
    const [{ targetInfo }, { frameTree }, certificates] = await Promise.all([
      session.send('Target.getTargetInfo'),
      session.send('Page.getFrameTree'),
      watchCertificates(session),
      session.send('Emulation.setUserAgentOverride', overrideOf(identity, request.mobile)),
    ]);
    if (!request.verifyTls) await acceptInvalidCertificates(page);
    const ids = { frameId: frameTree.frame.id, contextId: targetInfo.browserContextId ?? '' };
    return { context, page, session, ...ids, certificates };
  } catch (error) {
    await context.close().catch(() => {});
    throw error;
  }
}

export function identityOf(
  { mobile, location, agent }: Pick<FetchRequest, 'mobile' | 'location' | 'agent'>,
  userAgent: string | undefined,
  browserVersion: string,
) {
  const headers = identityHeaders({ mobile, location, agent, userAgent, browserVersion });
  const languages = headers['accept-language']!.split(',').map((tag) => tag.split(';')[0]!);
  return {
    userAgent: headers['user-agent']!,
    languages: languages.filter((tag) => tag !== '*'),
    brands: userAgent === undefined ? brandsOf(Number.parseInt(browserVersion, 10)) : [],
    version: browserVersion,
  };
}

/** Playwright would reveal the headless shell's brands; these are the ones that plain requests send. */
export function overrideOf({ userAgent, languages, brands, version }: Identity, mobile: boolean) {
  return {
    userAgent,
    acceptLanguage: languages.join(','),
    platform: mobile ? 'Linux armv81' : 'Linux x86_64',
    userAgentMetadata: {
      brands,
      fullVersionList: brands.map(({ brand, version: major }) => ({
        brand,
        version: version.startsWith(`${major}.`) ? version : `${major}.0.0.0`,
      })),
      fullVersion: brands.length > 0 ? version : '0.0.0.0',
      platform: mobile ? 'Android' : 'Linux',
      platformVersion: mobile ? '10.0.0' : '',
      architecture: mobile ? '' : 'x86',
      model: mobile ? 'K' : '',
      mobile,
    },
  };
}
