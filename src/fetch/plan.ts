// Which attempts a scrape makes, in what order: the cheapest first, the next only when that one did not bring the page.
import type { ProxyClass } from '../contracts/page.ts';
import type { ScrapeOptions } from '../contracts/scrape-options.ts';
import type { FetchEngine } from './engine.ts';

export interface Attempt {
  engine: FetchEngine;
  proxyClass: ProxyClass;
}

interface Means {
  http: FetchEngine;
  hasEnhancedProxy: boolean;
}

export function planAttempts(options: Pick<ScrapeOptions, 'proxy'>, { http, hasEnhancedProxy }: Means): Attempt[] {
  const basic: Attempt = { engine: http, proxyClass: 'basic' };
  const enhanced: Attempt = { engine: http, proxyClass: 'enhanced' };
  if (!hasEnhancedProxy || options.proxy === 'basic') return [basic];
  return options.proxy === 'enhanced' ? [enhanced] : [basic, enhanced];
}
