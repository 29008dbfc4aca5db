// Which attempts a scrape makes, in what order: the cheapest first, the next only when that one did not bring the page.
import type { ProxyClass } from '../contracts/page.ts';
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import type { FetchEngine } from './engine.ts';

export interface Attempt {
  engine: FetchEngine;
  proxyClass: ProxyClass;
}

interface Means {
  /** Undefined unless the page is one of the manual. */
  manual?: FetchEngine;
  http: FetchEngine;
  hasEnhancedProxy: boolean;
}

export function planAttempts(options: Pick<ScrapeOptions, 'proxy'>, means: Means): Attempt[] {
  const { manual, http, hasEnhancedProxy } = means;
  if (manual) return [{ engine: manual, proxyClass: 'basic' }];
  const basic: Attempt = { engine: http, proxyClass: 'basic' };
  const enhanced: Attempt = { engine: http, proxyClass: 'enhanced' };
  if (!hasEnhancedProxy || options.proxy === 'basic') return [basic];
  return options.proxy === 'enhanced' ? [enhanced] : [basic, enhanced];
}
