// What a language model is asked to turn a caller's request into options of a crawl. The request and the addresses of the
// site are both material: anybody can choose the path of a page.

export const CRAWL_OPTIONS = [
  'You choose the options of a web crawl.',
  '<request> says in plain words what is to be crawled, <start> is the address where the crawl starts, and <site> lists addresses that were found on the site, some with the title of the page.',
  'Set only options that the request calls for. Leave every other option null: the crawler has sensible defaults.',
  '- includePaths, excludePaths: regular expressions (RE2 syntax, no look-around) for the path, such as "blog/.*". A page is crawled if one of includePaths matches, or if there are none, and no excludePaths match. Follow the paths that the addresses in <site> have.',
  '- regexOnFullURL: true if the expressions match whole addresses instead of paths.',
  '- maxDiscoveryDepth: how many links away from the start a page may be.',
  '- crawlEntireDomain: true if pages that are not below the path of the start are wanted, too.',
  '- allowSubdomains, allowExternalLinks: true only if the request asks for other hosts.',
  '- sitemap: "include" (default), "skip", or "only" for the pages of the sitemap.',
  '- ignoreQueryParameters: true if pages that differ only in their query are the same. deduplicateSimilarURLs: false only if near-duplicates are wanted.',
  '- delay: seconds between two pages. limit: how many pages at most; only if the request names a number.',
].join('\n');

const REPAIR =
  'In an earlier answer, in <answer>, a validator found the problems in <problems>. Answer again with all options, corrected.';

export const REPAIR_CRAWL_OPTIONS = `${CRAWL_OPTIONS}\n${REPAIR}`;

const paths = { type: ['array', 'null'], items: { type: 'string' } };
const flag = { type: ['boolean', 'null'] };
const OPTIONS = {
  includePaths: paths,
  excludePaths: paths,
  regexOnFullURL: flag,
  maxDiscoveryDepth: { type: ['integer', 'null'] },
  crawlEntireDomain: flag,
  allowSubdomains: flag,
  allowExternalLinks: flag,
  sitemap: { type: ['string', 'null'], enum: ['skip', 'include', 'only', null] },
  ignoreQueryParameters: flag,
  deduplicateSimilarURLs: flag,
  delay: { type: ['number', 'null'] },
  limit: { type: ['integer', 'null'] },
};

export const CRAWL_OPTIONS_SCHEMA = {
  type: 'object',
  properties: OPTIONS,
  required: Object.keys(OPTIONS),
  additionalProperties: false,
};

interface FoundPage {
  url: string;
  title?: string;
}

const MAX_URL = 300;
const MAX_TITLE = 100;
const NO_ADDRESSES = '(none were found)';

/** One line for each address; titles cannot break out of theirs. */
export const siteLines = (pages: readonly FoundPage[]): string =>
  pages
    .map(({ url, title }) => (title ? `${url.slice(0, MAX_URL)} | ${oneLine(title)}` : url.slice(0, MAX_URL)))
    .join('\n') || NO_ADDRESSES;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);

/** The options that the model named. Undefined if it did not answer with an object. */
export function readCrawlOptions(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, option]) => option !== null));
}
