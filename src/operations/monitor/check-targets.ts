// Refuses targets that no check could read, before the monitor is stored: addresses, options, schemas, path rules.
import type { CrawlTarget, GivenTarget } from '../../contracts/monitor/monitor-targets.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { LinkRules } from '../../crawl/frontier/link-rules.ts';
import type { Egress } from '../../net/egress.ts';
import type { Caller } from '../caller.ts';
import { refuseHiddenHeaders } from '../hidden-values.ts';
import { type CapabilityDeps, checkCapabilities } from '../page/checks/check-capabilities.ts';
import { checkSchemas, type SchemaDeps } from '../page/checks/check-schemas.ts';
import { targetUrl } from '../page/target-url.ts';
import { type CheckStartDeps, checkStartUrls } from '../threats/check-start.ts';

export interface CheckTargetsDeps extends CapabilityDeps, SchemaDeps, CheckStartDeps {
  egress: Pick<Egress, 'check'>;
  linkRules: Pick<LinkRules, 'includesStart'>;
}

export async function checkTargets(
  deps: CheckTargetsDeps,
  caller: Caller,
  targets: readonly GivenTarget[],
  baseUrl: string,
): Promise<void> {
  for (const [index, target] of targets.entries()) {
    const path = ['targets', index];
    if (target.type === 'search') continue;
    await checkOptions(deps, caller, target.scrapeOptions, path);
    if (target.type === 'scrape') {
      const urls = target.urls.map((url, at) => targetUrl(url, deps.egress, [...path, 'urls', at]));
      await checkStartUrls(deps, caller, target.scrapeOptions, { operation: 'monitor', urls });
    } else {
      const start = targetUrl(target.url, deps.egress, [...path, 'url']);
      await checkStartUrls(deps, caller, target.scrapeOptions, { operation: 'monitor', urls: [start] });
      await checkPathRules(deps, target, start, baseUrl);
    }
  }
}

async function checkOptions(
  deps: CheckTargetsDeps,
  caller: Caller,
  options: ScrapeOptions,
  path: (string | number)[],
): Promise<void> {
  const inside = [...path.map(String), 'scrapeOptions'];
  refuseHiddenHeaders(options.headers, [...path, 'scrapeOptions', 'headers']);
  checkCapabilities(options, deps, inside);
  await checkSchemas(deps, caller, options, inside);
}

/** Throws ServiceError BAD_REQUEST for path rules that cannot be used. */
async function checkPathRules(
  { linkRules }: CheckTargetsDeps,
  { crawlOptions, scrapeOptions }: Pick<CrawlTarget, 'crawlOptions' | 'scrapeOptions'>,
  start: URL,
  baseUrl: string,
): Promise<void> {
  // Loaded on first use: an idle service does not need it.
  const { planCrawl } = await import('../crawl/crawl-plan.ts');
  const options = { ...crawlOptions, scrapeOptions, zeroDataRetention: false, baseUrl };
  await linkRules.includesStart(planCrawl(options, start, start).site);
}
