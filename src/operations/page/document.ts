// Builds a Document: the requested content, the page's own metadata, and the facts of this scrape, which take precedence.
import type { DocumentMetadata } from '../../contracts/scrape/document.ts';
import type { ChargedItem, Explanation } from '../../contracts/scrape/explanation.ts';
import { hasHeaders } from '../../contracts/scrape/given-headers.ts';
import { statusText } from '../../net/http/status-text.ts';
import type { AttemptRecord, PageHeader, TransformResult } from '../../page/page.ts';
import type { ParsedFileFacts } from '../../page/parsed.ts';
import type { MadeFormat } from '../../page/understanding.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import { joinBytes } from '../../util/bytes/copy-bytes.ts';
import { iso } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import { continued } from '../../util/json/json-text.ts';
import { derivedCharges, scrapeCharges, totalOf } from '../team/credits.ts';
import { threatWarnings } from '../threats/open-threat-check.ts';
import { listedAttempts, proxyName, refusedNotes } from './attempts.ts';
import { mediaCredits } from './media.ts';
import { type MissingFormat, missingKeys, missingWarnings } from './missing-formats.ts';
import type { Page } from './page.ts';
import type { PageOptions } from './page-request.ts';

interface ScrapeContext {
  requestedUrl: string;
  /** As requested, with the formats that were missing from the start. */
  options: PageOptions;
  missing: MissingFormat[];
  warnings: string[];
  /** Milliseconds spent waiting for a free slot. */
  queuedMs: number;
  /** File name of an upload. */
  sourceFile?: string;
  /** Has judged the URLs of the page, and is paid with it. */
  threatCheck: ThreatCheck | undefined;
  /** The ID that the caller already knows. */
  scrapeId?: string;
  /** What is charged for it. */
  credits: number;
  now: number;
}

export interface DocumentFacts {
  id: string;
  /** Content of this scrape alone, in addition to the outcome: links to its files, null for missing formats. */
  ownContent?: string;
  metadata: DocumentMetadata;
  warning?: string;
}

/** All that a page costs, with everything that was made from it. `missing`: formats that were missing from the start. */
export const pageCharges = (
  { header, outcome, cacheState, missing, derived }: Page,
  { options, missing: missingFromStart, threatCheck }: Pick<ScrapeContext, 'options' | 'missing' | 'threatCheck'>,
): ChargedItem[] => [
  ...scrapeCharges({ page: header, ...outcome, fromCache: cacheState === 'hit', ...options }),
  { item: 'media', credits: mediaCredits(options.formats, [...missingFromStart, ...missing]) },
  ...(derived ? derivedCharges(options.formats, derived) : []),
  { item: 'threatScans', credits: threatCheck?.credits() ?? 0 },
];

export const pagePrice = (...priced: Parameters<typeof pageCharges>): number => totalOf(pageCharges(...priced));

/** Gives a page its ID, metadata and warnings; the same for single scrapes and for pages of jobs. */
export function documentFacts(
  { header, outcome, cacheState, attempts = [], ...reading }: Page,
  {
    requestedUrl,
    options,
    warnings,
    queuedMs,
    sourceFile,
    threatCheck,
    scrapeId,
    credits,
    now,
    ...context
  }: ScrapeContext,
): DocumentFacts {
  const id = scrapeId ?? uuidv7(now);
  const { verdict } = outcome;
  const missing = [...context.missing, ...reading.missing];
  const { derived } = reading;
  const ownContent = { ...reading.ownContent, ...derived?.content, ...missingKeys(missing) };
  const metadata = documentMetadata(header, outcome, {
    scrapeId: id,
    requestedUrl,
    creditsUsed: credits,
    cacheState,
    queuedMs,
    sourceFile,
    attempts,
    citations: derived?.citations,
  });
  const notes = [
    ...(derived?.warnings ?? []),
    ...missingWarnings(missing),
    ...warnings,
    ...threatWarnings(threatCheck),
    ...outcome.warnings,
    ...(verdict.kind === 'content' ? [] : [verdict.reason]),
    ...refusedNotes(attempts),
    ...unsentHeaders(options, header),
  ];
  return {
    id,
    ...(Object.keys(ownContent).length > 0 && { ownContent: JSON.stringify(ownContent) }),
    metadata,
    ...(notes.length > 0 && { warning: notes.join(' ') }),
  };
}

/** A site that answers 401 now would surprise the caller: http and https, or with and without www, are two origins. */
function unsentHeaders({ headers }: PageOptions, { requestedUrl, finalUrl }: PageHeader): string[] {
  const [requested, final] = [URL.parse(requestedUrl)?.origin, URL.parse(finalUrl)?.origin];
  if (!hasHeaders(headers) || requested === undefined || requested === final) return [];
  return [
    `The page redirects to ${final}, which did not get your \`headers\`. If it may have them, request it directly.`,
  ];
}

interface ScrapeFacts extends Pick<ScrapeContext, 'requestedUrl' | 'queuedMs' | 'sourceFile'> {
  scrapeId: string;
  creditsUsed: number;
  /** Undefined when the cache was not consulted. */
  cacheState?: 'hit' | 'miss';
  attempts: readonly AttemptRecord[];
  citations?: MadeFormat['citations'];
}

const isUnverified = ({ isVerified, engine }: PageHeader): boolean => isVerified !== true && engine !== 'upload';

/** Fields about the scrape. Meta tags of the same name are dropped, so that a page cannot forge them. */
const SCRAPE_FIELDS = [
  'error',
  'errorCode',
  'verdict',
  'quality',
  'siblings',
  'cacheState',
  'cachedAt',
  'contentType',
  'numPages',
  'totalPages',
  'sourceFile',
  'concurrencyQueueDurationMs',
  'attempts',
  'tlsVerified',
  'citations',
];

function documentMetadata(header: PageHeader, outcome: TransformResult, facts: ScrapeFacts): DocumentMetadata {
  const { verdict } = outcome;
  const fromPage = Object.fromEntries(
    Object.entries(outcome.metadata).filter(([name]) => !SCRAPE_FIELDS.includes(name)),
  );
  const error =
    verdict.kind !== 'content' ? verdict.reason : header.status >= 400 ? statusText(header.status) : undefined;
  return {
    ...fromPage,
    sourceURL: facts.requestedUrl,
    url: header.finalUrl,
    statusCode: header.status,
    ...(error && { error }),
    ...(verdict.kind !== 'content' && { verdict: verdict.kind }),
    ...(outcome.quality !== undefined && { quality: outcome.quality }),
    ...(outcome.siblings !== undefined && { siblings: outcome.siblings }),
    ...pageCounts(outcome.document),
    ...(facts.sourceFile !== undefined && { sourceFile: facts.sourceFile }),
    scrapeId: facts.scrapeId,
    ...(header.contentType && { contentType: header.contentType }),
    proxyUsed: proxyName(header.proxyClass),
    ...listedAttempts(facts.attempts),
    ...(isUnverified(header) && { tlsVerified: false as const }),
    ...(facts.cacheState && { cacheState: facts.cacheState }),
    ...(facts.cacheState === 'hit' && { cachedAt: iso(header.fetchedAt) }),
    ...(facts.citations && Object.keys(facts.citations).length > 0 && { citations: facts.citations }),
    creditsUsed: facts.creditsUsed,
    concurrencyLimited: facts.queuedMs > 0,
    ...(facts.queuedMs > 0 && { concurrencyQueueDurationMs: facts.queuedMs }),
  };
}

function pageCounts({ numPages, totalPages }: Partial<ParsedFileFacts> = {}) {
  return { ...(numPages !== undefined && { numPages }), ...(totalPages !== undefined && { totalPages }) };
}

/** All content of a scrape as JSON: what the transform has serialised, and what only this scrape has. */
export const wholeContent = async (content: Uint8Array, ownContent: string | undefined): Promise<Uint8Array> =>
  ownContent === undefined ? content : joinBytes(continued(content, ownContent));

/** The Document as JSON, in parts: the content is already serialised, the rest is appended. */
export const writeDocument = (content: Uint8Array, rest: DocumentRest): Uint8Array[] => {
  const { warning, metadata, explanation } = rest;
  return continued(content, JSON.stringify({ ...(warning && { warning }), metadata, explanation }));
};

/** What a Document has besides its content. */
export interface DocumentRest {
  metadata: object;
  warning?: string | undefined;
  explanation?: Explanation | undefined;
}
