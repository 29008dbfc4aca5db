// Commands that work with a new key against this server.
import { curlCommand, jsonBodyOptions } from '../../ui/text/curl.ts';
import type { KeyLimits } from './key-words.ts';

interface Sample {
  group: NonNullable<KeyLimits['operations']>[number];
  path: string;
  body: object;
}

const EXAMPLE = 'https://example.com';
/** A page of this server itself: the call works without a network. */
const MANUAL_PAGE = '/docs/use/start.md';
const SAMPLES: readonly Sample[] = [
  { group: 'scrape', path: '/v2/scrape', body: { url: MANUAL_PAGE } },
  { group: 'crawl', path: '/v2/crawl', body: { url: EXAMPLE, limit: 10 } },
  { group: 'batch-scrape', path: '/v2/batch/scrape', body: { urls: [EXAMPLE] } },
  { group: 'map', path: '/v2/map', body: { url: EXAMPLE } },
  { group: 'search', path: '/v2/search', body: { query: 'trawl net' } },
  { group: 'extract', path: '/v2/extract', body: { urls: [EXAMPLE], prompt: 'What is this page about?' } },
  { group: 'agent', path: '/v2/agent', body: { prompt: 'What is this page about?', urls: [EXAMPLE] } },
];

/** Asks who the key is: every key may, and nothing is fetched. */
export const checkCurl = (origin: string, key: string): string => curlCommand(`${origin}/v2/me`, key);

/** The first call of those that the key may make; undefined if none of them fits. */
export function firstCurl(
  origin: string,
  key: string,
  { operations = [], domains = [] }: KeyLimits,
): string | undefined {
  const sample = SAMPLES.find(({ group }) => operations.length === 0 || operations.includes(group));
  if (!sample) return undefined;
  const host = domains.find((domain) => !domain.startsWith('*'));
  const body = JSON.stringify(sample.body)
    .replaceAll(EXAMPLE, host === undefined ? EXAMPLE : `https://${host}`)
    .replaceAll(MANUAL_PAGE, host === undefined ? `${origin}${MANUAL_PAGE}` : `https://${host}`);
  return curlCommand(`${origin}${sample.path}`, key, jsonBodyOptions(body));
}
