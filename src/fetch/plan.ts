// Plans the attempts of a scrape: the cheapest first, the others only where they can help.
import type { ProxyClass } from '../contracts/page.ts';
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import type { FetchEngine } from './engine.ts';

/** How an attempt can fail to get the page: each is a reason to try another way. */
export type Setback = 'shell' | 'challenge' | 'forbidden' | 'turned-away' | 'failed';

export interface Attempt {
  engine: FetchEngine;
  proxyClass: ProxyClass;
  /** Made only if the attempt before ended so. Absent for the first attempt. */
  helpsAfter?: readonly Setback[];
}

interface Engines {
  /** Set if the page belongs to the manual. */
  manual?: FetchEngine;
  http: FetchEngine;
  /** Undefined if there is no browser and the page can do without. */
  browser?: FetchEngine;
  hasEnhancedProxy: boolean;
  /** Pages of this host turned out to be empty without scripts before. */
  isRendered: boolean;
}

type Planned = Pick<ScrapeOptions, 'proxy' | 'fastMode' | 'actions' | 'waitFor' | 'mobile' | 'formats' | 'profile'>;

/** Pages built by scripts need a browser, and many bot checks are satisfied with one. */
const RENDERING_HELPS: readonly Setback[] = ['shell', 'challenge', 'forbidden'];
/** Another IP address may be let in. */
const ENHANCING_HELPS: readonly Setback[] = ['challenge', 'forbidden', 'turned-away', 'failed'];

/** Whether only a browser can serve the options: without one, the request fails. */
export const requiresBrowser = ({
  actions,
  formats,
  profile,
}: Pick<Planned, 'actions' | 'formats' | 'profile'>): boolean =>
  actions.length > 0 || profile !== undefined || formats.some(({ type }) => type === 'screenshot');

const prefersBrowser = ({ waitFor, mobile }: Planned): boolean => waitFor > 0 || mobile;

export function planAttempts(options: Planned, engines: Engines): Attempt[] {
  const { manual, http, browser, hasEnhancedProxy, isRendered } = engines;
  // If a browser is required, it is used and refuses: browsers may not request our own address.
  if (manual && !requiresBrowser(options)) return [{ engine: manual, proxyClass: 'basic' }];
  const isBrowserFirst =
    browser && (requiresBrowser(options) || prefersBrowser(options) || (isRendered && !options.fastMode));
  const first = isBrowserFirst ? browser : http;
  const firstClass: ProxyClass = options.proxy === 'enhanced' && hasEnhancedProxy ? 'enhanced' : 'basic';
  const attempts: Attempt[] = [{ engine: first, proxyClass: firstClass }];
  const rendered = options.fastMode ? undefined : browser;
  if (rendered && first !== rendered) {
    attempts.push({ engine: rendered, proxyClass: firstClass, helpsAfter: RENDERING_HELPS });
  }
  if (options.proxy === 'auto' && hasEnhancedProxy) {
    attempts.push({ engine: rendered ?? first, proxyClass: 'enhanced', helpsAfter: ENHANCING_HELPS });
  }
  return attempts;
}
