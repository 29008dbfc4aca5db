// What operations have cost, by the list of prices.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import { keyOf } from '../../contracts/formats/format-traits.ts';
import { type Format, NOT_STATED } from '../../contracts/formats/formats.ts';
import { PRICES, priceOf } from '../../contracts/prices.ts';
import type { Document } from '../../contracts/scrape/document.ts';
import type { ChargedItem } from '../../contracts/scrape/explanation.ts';
import { refusalOf } from '../../fetch/refusal.ts';
import type { PageHeader, Verdict } from '../../page/page.ts';
import type { ParsedFileFacts } from '../../page/parsed.ts';
import type { MadeFormat } from '../../page/understanding.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';

/** All other failures are free. */
const FAILURE_CHARGES: Partial<Record<ErrorCode, ChargedItem>> = {
  SCRAPE_DNS_RESOLUTION_ERROR: { item: 'unknownHost', credits: PRICES.unknownHost },
  SCRAPE_LOCKDOWN_CACHE_MISS: { item: 'lockdownMiss', credits: PRICES.lockdownMiss },
};

/** What was charged, and what for. */
export interface Cost {
  credits: number;
  charges: readonly ChargedItem[];
}

export const totalOf = (charges: readonly ChargedItem[]): number =>
  charges.reduce((sum, { credits }) => sum + credits, 0);

interface Priced {
  page: Pick<PageHeader, 'proxyClass' | 'status' | 'headers'>;
  verdict: Verdict;
  document?: ParsedFileFacts;
  fromCache: boolean;
  lockdown: boolean;
  zeroDataRetention: boolean;
  redactPII: unknown;
}

export function scrapeCharges(priced: Priced): ChargedItem[] {
  const { page, verdict, document, fromCache, lockdown, zeroDataRetention, redactPII } = priced;
  // A login wall, empty shell or the like is not billed as the page.
  if (verdict.kind !== 'content') return [];
  const pages = document?.kind === 'pdf' ? Math.max(1, document.numPages ?? 1) : 1;
  const redaction: ChargedItem = { item: 'redaction', credits: redactPII === false ? 0 : pages * PRICES.redaction };
  if (lockdown) return [{ item: 'lockdownHit', credits: PRICES.lockdownHit }, redaction];
  // Enhanced attempts that the site refused like all others are not charged for.
  const isEnhanced = page.proxyClass === 'enhanced' && refusalOf(page) === undefined;
  const item = isEnhanced && !fromCache ? 'enhancedPage' : 'page';
  return [
    { item, credits: PRICES[item] },
    // The price of the page includes the first one.
    { item: 'furtherPdfPages', credits: (pages - 1) * PRICES.furtherPdfPage },
    redaction,
    { item: 'zeroDataRetention', credits: zeroDataRetention ? PRICES.zeroDataRetention : 0 },
  ];
}

/** What formats cost that were made from the page, in addition to the page itself. One that is missing is free. */
export function derivedCharges(formats: readonly Format[], { content, credits = 0 }: MadeFormat): ChargedItem[] {
  const made = new Set(formats.filter(({ type }) => keyOf(type) in content).map(priceOf));
  if (!isAnswered(content)) made.delete('answer');
  const items = ['extraction', 'answer', 'highlights'] as const;
  return [{ item: 'models', credits }, ...items.map((item) => ({ item, credits: made.has(item) ? PRICES[item] : 0 }))];
}

/** That the page does not state it is worth nothing; of several answers, one is worth all. */
const isAnswered = ({ answer, answers = [] }: Partial<Document>): boolean =>
  [answer, ...answers.map((each) => each.answer)].some((text) => text !== undefined && text !== NOT_STATED);

/** `threatCheck` has asked about URLs, which costs its fee whatever came of it. */
export function failureCharges(error: unknown, threatCheck?: Pick<ThreatCheck, 'credits'>): ChargedItem[] {
  const charge = error instanceof ServiceError ? FAILURE_CHARGES[error.code] : undefined;
  return [...(charge ? [charge] : []), { item: 'threatScans', credits: threatCheck?.credits() ?? 0 }];
}

export const failureCredits = (error: unknown, threatCheck?: Pick<ThreatCheck, 'credits'>): number =>
  totalOf(failureCharges(error, threatCheck));

/** Billed by the second, but at least one minute. */
export const sessionCredits = (durationMs: number, { isPrompted }: { isPrompted: boolean }): number =>
  Math.ceil(
    (Math.max(60_000, durationMs) / 60_000) * (isPrompted ? PRICES.promptedBrowserMinute : PRICES.browserMinute),
  );
