// Plans the attempts of a scrape: the cheapest first, the others only where they can help.
import { type FormatType, traitsOf } from '../contracts/formats/format-traits.ts';
import type { ScrapeOptions } from '../contracts/scrape/scrape-options.ts';
import type { ProxyClass } from '../page/page.ts';
import type { FetchEngine } from './engine.ts';
import type { Refusal } from './refusal.ts';

/**
 * How an attempt can fail to get the page: each is a reason to try another way. `dropped`: the site broke the connection
 * off. `unavailable`: this machine lacks the engine.
 */
export type Setback = 'shell' | 'challenge' | Refusal | 'dropped' | 'failed' | 'unavailable';

export interface Attempt {
  engine: FetchEngine;
  proxyClass: ProxyClass;
  /** The attempt is made only if the one before ended like this. Absent for the first attempt. */
  helpsAfter?: readonly Setback[];
}

interface Engines {
  /** Set if the page belongs to the manual. */
  manual?: FetchEngine;
  http: FetchEngine;
  /** HTTP with the TLS and HTTP/2 of Chrome. */
  chromeHttp: FetchEngine;
  /** Undefined if there is no browser and the page can do without. */
  browser?: FetchEngine;
  /** The browser that looks most like a person's; set if `browser` is. */
  enhancedBrowser?: FetchEngine;
  /** Without an enhanced proxy, all attempts leave from the same address. */
  hasEnhancedProxy: boolean;
  /** Pages of this host turned out to be empty without scripts before. */
  isRendered: boolean;
  /** The caller handles "not now" (429, 503): a crawl slows down instead of trying another identity. */
  isBusyFinal: boolean;
}

type Planned = Pick<ScrapeOptions, 'proxy' | 'fastMode' | 'actions' | 'waitFor' | 'mobile' | 'formats' | 'profile'>;

/** Pages built by scripts need a browser, and many bot checks are satisfied with one. */
const RENDERING_HELPS: readonly Setback[] = ['shell', 'challenge', 'forbidden'];
/** The site does not like what it sees of the client. */
const IDENTITY_HELPS: readonly Setback[] = ['challenge', 'forbidden', 'busy', 'dropped'];
/** Another IP address may be let in. */
const ADDRESS_HELPS: readonly Setback[] = [...IDENTITY_HELPS, 'turned-away', 'failed'];

const isShown = ({ type }: { type: FormatType }): boolean => traitsOf(type).isShown === true;

/** Whether only a browser can serve all of the options. */
export const requiresBrowser = ({
  actions,
  formats,
  profile,
}: Pick<Planned, 'actions' | 'formats' | 'profile'>): boolean =>
  actions.length > 0 || profile !== undefined || formats.some(isShown);

/** Whether the other formats are worth having if the page cannot be shown. */
const canDoWithout = ({ actions, formats, profile }: Planned): boolean =>
  actions.length === 0 && profile === undefined && !formats.every(isShown);

/** Whether the first attempt is made in a browser, if there is one. */
const startsInBrowser = (options: Planned, isRendered: boolean): boolean =>
  requiresBrowser(options) || prefersBrowser(options) || (isRendered && !options.fastMode);

/** Names pages that take about as long to load: those of one host, in the same way. */
export function kindOfLoad(options: Planned, { host }: URL, isRendered: boolean): string {
  const hasWaits = options.waitFor > 0 || options.actions.length > 0;
  return [startsInBrowser(options, isRendered) ? 'browser' : 'http', host, ...(hasWaits ? ['waits'] : [])].join(' ');
}

const prefersBrowser = ({ waitFor, mobile }: Planned): boolean => waitFor > 0 || mobile;

/** Why the first attempt is the first, in a sentence for the caller. */
export function firstReason(options: Planned, engines: Pick<Engines, 'manual' | 'browser' | 'isRendered'>): string {
  const { manual, browser, isRendered } = engines;
  if (manual && (!requiresBrowser(options) || canDoWithout(options))) return 'The page belongs to this server.';
  if (browser && startsInBrowser(options, isRendered)) {
    if (requiresBrowser(options)) return 'Only a browser can do what the options ask for.';
    if (prefersBrowser(options)) return 'The options `waitFor` and `mobile` work best in a browser.';
    return 'Pages of this host were empty without scripts before, so a browser is first.';
  }
  if (options.proxy === 'enhanced') return 'The option `proxy` asks for an enhanced attempt at once.';
  if (options.proxy === 'basic') return 'Plain HTTP is the cheapest way, and `proxy` allows only basic attempts.';
  return 'Plain HTTP is the cheapest way; the others follow only where they can help.';
}

export function planAttempts(options: Planned, engines: Engines): Attempt[] {
  const { manual, browser, isRendered } = engines;
  // If a browser is required, it is used and refuses: browsers may not request our own address.
  if (manual && (!requiresBrowser(options) || canDoWithout(options))) return [{ engine: manual, proxyClass: 'basic' }];
  const isBrowserFirst = browser !== undefined && startsInBrowser(options, isRendered);
  const usable = options.fastMode && !isBrowserFirst ? withoutBrowser(engines) : engines;
  const basic = options.proxy === 'enhanced' ? [] : basicAttempts(options, usable, isBrowserFirst);
  const enhanced = options.proxy === 'basic' ? [] : enhancedAttempts(options, usable, isBrowserFirst);
  const plain =
    isBrowserFirst && requiresBrowser(options) && canDoWithout(options) ? [plainAttempt(options, usable)] : [];
  const [{ helpsAfter: _, ...first }, ...others] = [...basic, ...enhanced, ...plain] as [Attempt, ...Attempt[]];
  return [first, ...others];
}

/** If no browser can show the page, there is no screenshot and no branding, but everything else. */
const plainAttempt = ({ proxy }: Planned, { http }: Engines): Attempt => ({
  engine: http,
  proxyClass: proxy === 'enhanced' ? 'enhanced' : 'basic',
  helpsAfter: ['dropped', 'failed', 'unavailable'],
});

const withoutBrowser = (engines: Engines): Engines => ({ ...engines, browser: undefined, enhancedBrowser: undefined });

function basicAttempts({ proxy }: Planned, engines: Engines, isBrowserFirst: boolean): Attempt[] {
  const { http, browser, hasEnhancedProxy } = engines;
  const proxyClass = 'basic';
  if (isBrowserFirst) return [{ engine: browser!, proxyClass }];
  if (!browser) return [{ engine: http, proxyClass }];
  // From the same address, the enhanced attempts replace this one; an enhanced proxy has its price and comes later.
  const helpsAfter: readonly Setback[] = proxy === 'basic' || hasEnhancedProxy ? RENDERING_HELPS : ['shell'];
  return [
    { engine: http, proxyClass },
    { engine: browser, proxyClass, helpsAfter },
  ];
}

function enhancedAttempts({ proxy }: Planned, engines: Engines, isBrowserFirst: boolean): Attempt[] {
  const { http, chromeHttp, enhancedBrowser, hasEnhancedProxy, isBusyFinal } = engines;
  const proxyClass = 'enhanced';
  const refusals = (hasEnhancedProxy ? ADDRESS_HELPS : IDENTITY_HELPS).filter(
    (setback) => setback !== 'busy' || hasEnhancedProxy || !isBusyFinal,
  );
  if (isBrowserFirst) return [{ engine: enhancedBrowser!, proxyClass, helpsAfter: refusals }];
  const attempts: Attempt[] = [{ engine: chromeHttp, proxyClass, helpsAfter: refusals }];
  if (proxy === 'enhanced' || hasEnhancedProxy)
    attempts.push({ engine: http, proxyClass, helpsAfter: ['unavailable'] });
  if (enhancedBrowser) {
    attempts.push({ engine: enhancedBrowser, proxyClass, helpsAfter: [...refusals, 'shell', 'unavailable'] });
  }
  return attempts;
}
