// Which attempts a scrape makes, in what order: the cheapest first, each of the others only where it could help.
import type { ProxyClass } from '../contracts/page.ts';
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import type { FetchEngine } from './engine.ts';

/** How an attempt can end without the page: each is a reason to try another way. */
export type Setback = 'shell' | 'challenge' | 'forbidden' | 'turned-away' | 'failed';

export interface Attempt {
  engine: FetchEngine;
  proxyClass: ProxyClass;
  /** Made only after one of these; absent: the first attempt. */
  helpsAfter?: readonly Setback[];
}

interface Engines {
  /** Undefined unless the page is one of the manual. */
  manual?: FetchEngine;
  http: FetchEngine;
  /** Undefined when there is none, and the page can be read without. */
  browser?: FetchEngine;
  hasEnhancedProxy: boolean;
  /** The host has shown before that its pages are empty without scripts. */
  isRendered: boolean;
}

type Planned = Pick<ScrapeOptions, 'proxy' | 'fastMode' | 'actions' | 'waitFor' | 'mobile' | 'formats' | 'profile'>;

/** A page that is put together by scripts, and many that look for them, need no more than a browser. */
const RENDERING_HELPS: readonly Setback[] = ['shell', 'challenge', 'forbidden'];
/** Another address and another face. */
const ENHANCING_HELPS: readonly Setback[] = ['challenge', 'forbidden', 'turned-away', 'failed'];

/** What nothing but a browser can give: where there is none, this fails. */
export const requiresBrowser = ({
  actions,
  formats,
  profile,
}: Pick<Planned, 'actions' | 'formats' | 'profile'>): boolean =>
  actions.length > 0 || profile !== undefined || formats.some(({ type }) => type === 'screenshot');

const prefersBrowser = ({ waitFor, mobile }: Planned): boolean => waitFor > 0 || mobile;

export function planAttempts(options: Planned, means: Engines): Attempt[] {
  const { manual, http, browser, hasEnhancedProxy, isRendered } = means;
  // No browser is let near our own address, so it says itself that it cannot show the manual.
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
