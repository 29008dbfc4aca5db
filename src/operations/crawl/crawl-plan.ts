// Turns the options of a crawl into scope, URL keys and page options. Plans of recent crawls are cached.
import type { CrawlRequest } from '../../contracts/crawl/crawl.ts';
import type { SiteRules } from '../../crawl/frontier/link-judge.ts';
import { type KeyRules, urlKey } from '../../crawl/frontier/url-key.ts';
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';
import type { JobView } from '../../store/ports/jobs/job-store.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import { randomToken } from '../../util/ids.ts';
import type { PageOptions } from '../page/page-request.ts';
import type { StoredLimits } from '../threats/stored-limits.ts';

/** The options as stored with the job. */
export type CrawlOptions = Omit<CrawlRequest, 'url' | 'webhook'> & StoredLimits & { baseUrl: string };

export interface CrawlPlan {
  options: CrawlOptions;
  pageOptions: PageOptions;
  start: URL;
  startKey: string;
  keyRules: KeyRules;
  /** Which links are followed. */
  site: SiteRules;
}

export function planCrawl(options: CrawlOptions, start: URL, home: URL): CrawlPlan {
  const { includePaths, excludePaths, regexOnFullURL, crawlEntireDomain, allowSubdomains, allowExternalLinks } =
    options;
  const keyRules = keyRulesOf(options);
  return {
    options,
    pageOptions: pageOptionsOf(options),
    start,
    startKey: urlKey(start, keyRules),
    keyRules,
    site: {
      id: randomToken(8),
      scope: {
        includePaths,
        excludePaths,
        regexOnFullURL,
        crawlEntireDomain,
        allowSubdomains,
        allowExternalLinks,
      },
      keyRules,
      start: start.href,
      home: home.href,
    },
  };
}

/** Options of the crawl that are also options of its pages. */
export const pageOptionsOf = ({
  scrapeOptions,
  zeroDataRetention,
  threatProtection = scrapeOptions.threatProtection,
  archive = scrapeOptions.archive,
  source = scrapeOptions.source,
}: Pick<
  CrawlRequest,
  'scrapeOptions' | 'zeroDataRetention' | 'threatProtection' | 'archive' | 'source'
>): PageOptions => ({
  ...scrapeOptions,
  archive,
  ...(source && { source, storeInCache: false }),
  zeroDataRetention,
  ...(threatProtection && { threatProtection }),
});

/** A task that reads the sitemaps of a site in the crawl. */
export const sitemapsTask = (site: URL): NewTask => kickOff(site, `sitemaps ${site.origin}`);

const KNOWN_PAGES = 'known pages';
/** A task that queues what earlier crawls have found on a site. */
export const knownPagesTask = (site: URL): NewTask => kickOff(site, `${KNOWN_PAGES} ${site.origin}`);
export const isKnownPagesTask = ({ key }: Pick<NewTask, 'key'>): boolean => key.startsWith(KNOWN_PAGES);

export const FOLLOWED_START = 'start';
/** A task that reads an excluded start page for its links only. */
export const followedStart = (start: URL): NewTask => kickOff(start, FOLLOWED_START);

const kickOff = ({ href: url, host }: URL, key: string): NewTask => ({
  kind: 'kick-off',
  url,
  key,
  host,
  depth: 0,
  steps: 0,
  pattern: '',
  chained: false,
});

const keyRulesOf = (options: CrawlOptions): KeyRules => ({
  similar: options.deduplicateSimilarURLs,
  ignoreQuery: options.ignoreQueryParameters,
});

const PLANS_KEPT = 16;

/** The plans of the crawls that were at work last. */
export function createCrawlPlans(): (job: JobView) => CrawlPlan {
  const plans = createBoundedMap<string, CrawlPlan>({ maxEntries: PLANS_KEPT });
  return (job) =>
    plans.getOrCreate(`${job.id} ${job.home}`, () =>
      planCrawl(job.options as CrawlOptions, new URL(job.url), new URL(job.home)),
    );
}
