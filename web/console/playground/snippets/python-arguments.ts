// The arguments of the official Python SDK (firecrawl-py 4), by the method. It refuses names that it does not know.

const PAGE = [
  ...['formats', 'headers', 'includeTags', 'excludeTags', 'onlyMainContent', 'timeout', 'waitFor', 'mobile', 'parsers'],
  ...['actions', 'location', 'skipTlsVerification', 'removeBase64Images', 'fastMode', 'blockAds', 'proxy', 'maxAge'],
  ...['storeInCache', 'lockdown', 'threatProtection', 'profile', 'auditMetadata'],
];

/** What the class of page options takes, in `scrapeOptions` and for files. */
export const PYTHON_PAGE_OPTIONS: readonly string[] = PAGE;

export const PYTHON_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  scrape: ['url', ...PAGE],
  search: [
    ...['query', 'sources', 'categories', 'includeDomains', 'excludeDomains', 'limit', 'tbs', 'location', 'country'],
    ...['ignoreInvalidURLs', 'timeout', 'highlights', 'scrapeOptions', 'enterprise', 'threatProtection'],
  ],
  crawl: [
    ...['url', 'prompt', 'excludePaths', 'includePaths', 'maxDiscoveryDepth', 'sitemap', 'ignoreQueryParameters'],
    ...['limit', 'crawlEntireDomain', 'allowExternalLinks', 'allowSubdomains', 'ignoreRobotsTxt', 'delay'],
    ...['maxConcurrency', 'webhook', 'scrapeOptions', 'threatProtection', 'regexOnFullURL', 'deduplicateSimilarURLs'],
    ...['zeroDataRetention'],
  ],
  map: [
    ...['url', 'search', 'includeSubdomains', 'ignoreQueryParameters', 'limit', 'sitemap', 'timeout', 'location'],
    ...['threatProtection'],
  ],
  parse: PAGE.filter((name) => !['actions', 'waitFor', 'location', 'mobile', 'maxAge', 'storeInCache'].includes(name)),
  extract: [
    ...['urls', 'prompt', 'schema', 'systemPrompt', 'allowExternalLinks', 'enableWebSearch', 'showSources'],
    ...['scrapeOptions', 'ignoreInvalidURLs', 'threatProtection'],
  ],
  agent: [
    ...['urls', 'prompt', 'schema', 'maxCredits', 'strictConstrainToURLs', 'model', 'effort', 'webhook'],
    ...['threatProtection', 'auditMetadata', 'threadId', 'mode'],
  ],
  browser: ['ttl', 'activityTtl', 'streamWebView', 'profile'],
};
