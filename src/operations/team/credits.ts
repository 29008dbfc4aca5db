// What operations cost. No request is refused for lack of credits, but clients and teams want to see the numbers.
import { type ErrorCode, ServiceError } from '../../contracts/errors.ts';
import type { Format, FormatType } from '../../contracts/formats.ts';
import type { PageHeader, Verdict } from '../../contracts/page.ts';
import type { ParsedFileFacts } from '../../contracts/parsed.ts';
import type { MadeFormat } from '../../contracts/understanding.ts';
import { refusalOf } from '../../fetch/refusal.ts';
import type { ThreatJudge } from '../../policy/threats/threat-judge.ts';

/** All other failures are free. */
const FAILURE_CREDITS: Partial<Record<ErrorCode, number>> = {
  SCRAPE_DNS_RESOLUTION_ERROR: 1,
  SCRAPE_LOCKDOWN_CACHE_MISS: 1,
};
const LOCKDOWN_HIT_CREDITS = 5;
const PAGE_CREDITS = 1;
const ENHANCED_CREDITS = 5;
const ZERO_RETENTION_CREDITS = 1;
/** For each page of a PDF, and once for anything else. */
const REDACTION_CREDITS = 4;

interface Priced {
  page: Pick<PageHeader, 'proxyClass' | 'status' | 'headers'>;
  verdict: Verdict;
  document?: ParsedFileFacts;
  fromCache: boolean;
  lockdown: boolean;
  zeroDataRetention: boolean;
  redactPII: unknown;
}

export function scrapeCredits(priced: Priced): number {
  const { page, verdict, document, fromCache, lockdown, zeroDataRetention, redactPII } = priced;
  // A login wall, empty shell or the like is not billed as the page.
  if (verdict.kind !== 'content') return 0;
  const pages = document?.kind === 'pdf' ? Math.max(1, document.numPages ?? 1) : 1;
  const redaction = redactPII === false ? 0 : pages * REDACTION_CREDITS;
  if (lockdown) return LOCKDOWN_HIT_CREDITS + redaction;
  // Enhanced attempts that the site refused like all others are not charged for.
  const isEnhanced = page.proxyClass === 'enhanced' && refusalOf(page) === undefined;
  const base = isEnhanced && !fromCache ? ENHANCED_CREDITS : PAGE_CREDITS;
  // The base price includes the first page.
  return base + (pages - 1) * PAGE_CREDITS + redaction + (zeroDataRetention ? ZERO_RETENTION_CREDITS : 0);
}

const ANSWER_CREDITS = 4;
/** A page with extracted data costs five in total. */
const EXTRACTION_CREDITS = 4;

/** What formats cost that were made from the page, in addition to the page itself. One that is missing is free. */
export function derivedCredits(formats: readonly Format[], { content, credits = 0 }: MadeFormat): number {
  const wants = (...types: FormatType[]) => formats.some(({ type }) => types.includes(type));
  const tracksFields = formats.some((format) => format.type === 'changeTracking' && format.modes.includes('json'));
  const isExtracted = ('json' in content && wants('json')) || ('changeTracking' in content && tracksFields);
  const isAnswered = 'answer' in content && wants('question', 'query');
  return (
    credits +
    (isExtracted ? EXTRACTION_CREDITS : 0) +
    (isAnswered ? ANSWER_CREDITS : 0) +
    ('highlights' in content ? ANSWER_CREDITS : 0)
  );
}

/** Credits for every ten results begun. An anonymous search costs the same as any other. */
const SEARCH_PRICES = { search: 2, traceless: 10 };

/** Without scrapes of the results, which are billed separately. */
export const searchCredits = (results: number, { isTraceless }: { isTraceless: boolean }): number =>
  Math.ceil(results / 10) * (isTraceless ? SEARCH_PRICES.traceless : SEARCH_PRICES.search);

/** `judge` has asked about URLs, which costs its fee whatever came of it. */
export const failureCredits = (error: unknown, judge?: Pick<ThreatJudge, 'credits'>): number =>
  (error instanceof ServiceError ? (FAILURE_CREDITS[error.code] ?? 0) : 0) + (judge?.credits() ?? 0);

/** Credits a minute; a session in which a prompt ran costs more as a whole. */
const SESSION_PRICES = { plain: 2, prompted: 7 };

/** Billed by the second, but at least one minute. */
export const sessionCredits = (durationMs: number, { isPrompted }: { isPrompted: boolean }): number =>
  Math.ceil((Math.max(60_000, durationMs) / 60_000) * (isPrompted ? SESSION_PRICES.prompted : SESSION_PRICES.plain));
