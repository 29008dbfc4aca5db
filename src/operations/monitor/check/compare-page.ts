// Compares one page that a check has read with the version that the target knows.

import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { CheckedPageDetails } from '../../../contracts/monitor/monitor-check.ts';
import type { Document } from '../../../contracts/scrape/document.ts';
import type { CheckedPage, KnownPage } from '../../../store/ports/runs/monitor-store.ts';
import type { VersionComparison, WatchedVersion } from '../../../understand/changes/compare-versions.ts';
import { judgeChanges } from '../../../understand/changes/judge-changes.ts';
import type { MakerTools } from '../../../understand/format-maker.ts';
import { readUrl } from '../../../urls/url.ts';
import { uuidv7 } from '../../../util/ids.ts';
import type { CheckContext } from './check-context.ts';
import type { PageTarget } from './child-job.ts';
import type { WatchedFormats } from './watched-formats.ts';

export interface ComparedPage {
  page: CheckedPage;
  version?: KnownPage & { targetId: string };
  /** Why no language model judged the change. */
  degraded?: string;
}

export const NO_DETAILS: CheckedPageDetails = { metadata: null, diff: null, snapshot: null, judgment: null };

/** Undefined for a broken link of a crawled site, which was never a page. */
export async function comparePage(
  context: CheckContext,
  target: PageTarget,
  formats: WatchedFormats,
  document: Document,
  tools: MakerTools,
): Promise<ComparedPage | undefined> {
  const { deps, request } = context;
  const { metadata } = document;
  const url = metadata.sourceURL;
  const now = deps.clock.now();
  const known = await deps.monitors.knownVersion(request.monitorId, target.id, url);
  const base = {
    id: uuidv7(now),
    targetId: target.id,
    url,
    ...(known?.scrapeId !== undefined && { previousScrapeId: known.scrapeId }),
    currentScrapeId: metadata.scrapeId,
    statusCode: metadata.statusCode,
    createdAt: now,
  };
  const details = { ...NO_DETAILS, metadata: shownMetadata(document) };
  const seen = { targetId: target.id, url, scrapeId: metadata.scrapeId, seenAt: now };
  const verdict = pageVerdict(document);
  if (verdict.state === 'error') return { page: { ...base, status: 'error', error: verdict.error, details } };
  if (verdict.state === 'gone') {
    if (known) {
      const status = known.isGone ? 'same' : 'removed';
      return { page: { ...base, status, details }, version: { ...seen, isGone: true } };
    }
    if (target.type === 'crawl' && !isStart(target.url, url)) return undefined;
    return { page: { ...base, status: 'error', error: 'The page does not exist.', details } };
  }
  const earlier = known && !known.isGone ? (known.version as WatchedVersion | undefined) : undefined;
  const data = formats.data && isObject(document.json) ? { by: formats.dataBy, value: document.json } : undefined;
  const read = { markdown: verdict.markdown, ...(data && { data }), readAt: now };
  const { goal, judgeEnabled } = request.definition;
  const compared = await unlessTooLong(
    tools.work.compareVersions(earlier, read, {
      by: formats,
      isJudged: judgeEnabled,
      ...(goal !== undefined && { goal }),
    }),
  );
  if ('problem' in compared) return { page: { ...base, status: 'error', error: compared.problem, details } };
  const judged = await judgeChanges(compared, goal, tools);
  const status = statusOf(earlier, compared);
  const snapshot = data ? { json: data.value as Record<string, unknown> } : null;
  return {
    page: {
      ...base,
      status,
      details: {
        ...details,
        ...{ diff: shownDiff(compared), snapshot, judgment: judged?.judgment ?? null },
        ...(compared.restless && { restless: compared.restless.lines }),
      },
    },
    // The version of an unchanged page stays: many small changes that count as none must not add up to a big one.
    version: { ...seen, isGone: false, ...((status !== 'same' || compared.hasLearnt) && { version: compared.toKeep }) },
    ...(judged?.degraded !== undefined && { degraded: judged.degraded }),
  };
}

const statusOf = (earlier: WatchedVersion | undefined, { isSame }: VersionComparison): 'new' | 'same' | 'changed' => {
  if (!earlier) return 'new';
  return isSame ? 'same' : 'changed';
};

/** A page that takes too much time or memory costs its own result only. */
async function unlessTooLong(comparing: Promise<VersionComparison>): Promise<VersionComparison | { problem: string }> {
  try {
    return await comparing;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SCRAPE_SITE_ERROR') throw error;
    return { problem: 'The page could not be compared: it needs too much time or memory.' };
  }
}

function isStart(given: string, url: string): boolean {
  const start = readUrl(given);
  return typeof start !== 'string' && start.href === url;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function shownDiff({ diff, values, isCut }: VersionComparison): CheckedPageDetails['diff'] {
  if (!diff && !values) return null;
  return { ...(diff && { text: diff.text }), json: values ?? { ...diff!.json }, ...(isCut && { cut: isCut }) };
}

function shownMetadata({ metadata }: Document): Record<string, unknown> {
  const { title, contentType, numPages, proxyUsed, creditsUsed } = metadata;
  const shown = { title: Array.isArray(title) ? title[0] : title, contentType, numPages, proxyUsed, creditsUsed };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

const GONE = new Set([404, 410]);

type PageVerdict = { state: 'content'; markdown: string } | { state: 'gone' } | { state: 'error'; error: string };

/** Whether a document is a version of the watched page, says that the page is gone, or neither. */
function pageVerdict({ metadata, markdown }: Pick<Document, 'metadata' | 'markdown'>): PageVerdict {
  const { statusCode, verdict } = metadata;
  if (statusCode === undefined) return { state: 'error', error: 'The stored content of the page is lost.' };
  if (GONE.has(statusCode) || verdict === 'soft-404') return { state: 'gone' };
  if (statusCode >= 400) return { state: 'error', error: `The site answered with the status ${statusCode}.` };
  if (verdict !== undefined) return { state: 'error', error: `What the site sent is not the page (${verdict}).` };
  if (!markdown || markdown.trim() === '') return { state: 'error', error: 'The page has no text.' };
  return { state: 'content', markdown };
}
