// Puts a Document together: the content that was asked for, the page's own metadata, and the facts of this scrape over it.
import type { DocumentMetadata } from '../../contracts/document.ts';
import type { PageHeader, PageOutcome } from '../../contracts/page.ts';
import type { ParsedFileFacts } from '../../contracts/parsed.ts';
import { statusText } from '../../net/http/status-text.ts';
import { iso } from '../../util/clock.ts';
import { continueObject } from '../../util/json-text.ts';

export interface ScrapeFacts {
  scrapeId: string;
  requestedUrl: string;
  creditsUsed: number;
  /** Undefined when the cache was not consulted. */
  cacheState?: 'hit' | 'miss';
  /** Milliseconds spent waiting for a free place. */
  queuedMs: number;
  /** Of an upload: the name of the file. */
  sourceFile?: string;
}

/** Names that speak about the scrape: a page's meta tags of the same name must not pass for them. */
const OWN_NAMES = [
  'error',
  'verdict',
  'quality',
  'cacheState',
  'cachedAt',
  'contentType',
  'numPages',
  'totalPages',
  'sourceFile',
  'concurrencyQueueDurationMs',
];

export function documentMetadata(header: PageHeader, outcome: PageOutcome, facts: ScrapeFacts): DocumentMetadata {
  const { verdict } = outcome;
  const ofPage = Object.fromEntries(Object.entries(outcome.metadata).filter(([name]) => !OWN_NAMES.includes(name)));
  const error =
    verdict.kind !== 'content' ? verdict.reason : header.status >= 400 ? statusText(header.status) : undefined;
  return {
    ...ofPage,
    sourceURL: facts.requestedUrl,
    url: header.finalUrl,
    statusCode: header.status,
    ...(error && { error }),
    ...(verdict.kind !== 'content' && { verdict: verdict.kind }),
    ...(outcome.quality !== undefined && { quality: outcome.quality }),
    ...pageCounts(outcome.document),
    ...(facts.sourceFile !== undefined && { sourceFile: facts.sourceFile }),
    scrapeId: facts.scrapeId,
    ...(header.contentType && { contentType: header.contentType }),
    proxyUsed: header.proxyClass === 'enhanced' ? 'stealth' : 'basic',
    ...(facts.cacheState && { cacheState: facts.cacheState }),
    ...(facts.cacheState === 'hit' && { cachedAt: iso(header.fetchedAt) }),
    creditsUsed: facts.creditsUsed,
    concurrencyLimited: facts.queuedMs > 0,
    ...(facts.queuedMs > 0 && { concurrencyQueueDurationMs: facts.queuedMs }),
  };
}

function pageCounts({ numPages, totalPages }: Partial<ParsedFileFacts> = {}) {
  return { ...(numPages !== undefined && { numPages }), ...(totalPages !== undefined && { totalPages }) };
}

/** The document as JSON: its content was written by the transform and is only continued. */
export const writeDocument = (content: Uint8Array, metadata: object, warning?: string): Uint8Array =>
  continueObject(content, JSON.stringify({ ...(warning && { warning }), metadata }));
