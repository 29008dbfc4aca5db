// Pages and results for the conformance suites, and how a suite opens the adapter under test.
import type { TestContext } from 'node:test';
import type { Fetched, PageContent, PageVariant, TextFingerprint, TransformResult } from '../../src/page/page.ts';
import { createPageSharing, SHARED } from '../../src/page/page-owner.ts';
import type { NewPage, NewResult, PageQuery, PageToStore } from '../../src/store/ports/pages/page-store.ts';
import type { ScrapeRecord } from '../../src/store/ports/pages/scrape-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import type { Charge } from '../../src/store/ports/teams/ledger.ts';
import { sha256 } from '../../src/util/hash.ts';

/** What teams see that share their pages. */
export const VIEWER = createPageSharing({ isolatesTeams: false }).viewerOf('team');

/** Opens an empty store that is closed and removed after the test. */
export type OpenStore = (
  t: TestContext,
  options?: { cacheMaxBytes?: number; filesMaxBytes?: number },
) => Promise<Store>;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The start of an hour, so that usage counted by the hour is predictable. */
export const START = Date.UTC(2026, 0, 5, 12);

export const samplePage = (text: string, fetchedAt: number = START): Fetched => ({
  requestedUrl: 'http://site.test/',
  finalUrl: 'http://site.test/home',
  status: 200,
  headers: { 'content-type': 'text/html', etag: '"1"' },
  contentType: 'text/html',
  bytes: new TextEncoder().encode(text),
  fetchedAt,
  engine: 'http',
  proxyClass: 'basic',
});

export const DESKTOP: PageVariant = {
  mobile: false,
  location: { country: 'US', languages: ['en-US'] },
  waitFor: 0,
  blockAds: true,
  proxy: 'basic',
};

export const written = (content: PageContent): Uint8Array => new TextEncoder().encode(JSON.stringify(content));

/** The Markdown of an outcome, whose content is JSON text. */
export const markdownOf = (outcome: TransformResult | undefined): string | undefined =>
  outcome && (JSON.parse(new TextDecoder().decode(outcome.content)) as PageContent).markdown;

export const sampleOutcome = (markdown: string): TransformResult => ({
  content: written({ markdown, links: ['http://site.test/ü'] }),
  metadata: { title: 'A title', keywords: ['a', 'b'] },
  verdict: { kind: 'content', reason: '' },
  warnings: [],
  discovered: { links: ['http://site.test/ü'], next: [], fingerprint: sampleFingerprint(markdown) },
});

/** Fingerprints that are equal for equal texts and far apart for different ones. */
export function sampleFingerprint(text: string): TextFingerprint {
  const digits = sha256(text);
  return { exact: digits.slice(0, 16), gist: digits.slice(16, 32), simhash: digits.slice(32, 48) };
}

export const sampleResult = (markdown: string, now: number = START, transformKey = 'markdown'): NewResult => ({
  transformKey,
  outcome: sampleOutcome(markdown),
  now,
});

/** A page with its first result, to be stored under this key. */
export const pageToStore = (
  key: string,
  url: string,
  fetched: Fetched,
  expiresAt: number | null,
  result: NewResult,
): Extract<PageToStore, { page: NewPage }> => ({
  page: { key, owner: SHARED, url, variant: DESKTOP, rank: 0, fetched, expiresAt },
  result,
});

export const queryFor = (key: string, query: Partial<PageQuery> = {}): PageQuery => ({
  key,
  viewer: VIEWER,
  transformKey: 'markdown',
  verifiedOnly: false,
  from: 0,
  until: START + 1000 * DAY,
  now: START,
  ...query,
});

export const sampleScrape = (
  teamId: string,
  toStore: PageToStore,
  scrape: Partial<ScrapeRecord> = {},
): ScrapeRecord => ({
  id: 'scrape-1',
  teamId,
  url: 'http://site.test/',
  options: { formats: [{ type: 'markdown' }] },
  metadata: { statusCode: 200, scrapeId: 'scrape-1' },
  toStore,
  createdAt: START,
  expiresAt: START + DAY,
  ...scrape,
});

export const sampleCharge = (teamId: string, charge: Partial<Charge> = {}): Charge => ({
  teamId,
  operation: 'scrape',
  credits: 1,
  now: START,
  ...charge,
});

/** Credits that the team has used since this hour began. */
export async function creditsSince({ ledger }: Pick<Store, 'ledger'>, teamId: string, since: number): Promise<number> {
  const bins = await ledger.usage(teamId, { from: since, until: START + 1000 * DAY, binMs: HOUR });
  return bins.reduce((sum, { credits }) => sum + credits, 0);
}

/** Incompressible bytes, the same for the same seed. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}
