// The reader's options as those of a scrape.
import type { ReaderOptions } from './reader-fields.ts';

/** Enough to have a browser show the page. */
const SHOWN_MS = 1;

export function scrapeOptionsOf(options: ReaderOptions): Record<string, unknown> {
  const { parts, engine, timeout, noCache, cacheTolerance, locale, waitForSelector = [] } = options;
  const { withLinksSummary, withImagesSummary } = options;
  const has = (part: ReaderOptions['parts'][number]) => parts.includes(part);
  const headers = {
    ...(options.setCookie !== undefined && { cookie: options.setCookie.split(';', 1)[0] }),
    ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }),
    ...(options.referer !== undefined && { referer: options.referer }),
  };
  return {
    formats: [
      ...(has('content') || has('markdown') || has('text') ? ['markdown'] : []),
      ...(has('html') ? ['rawHtml'] : []),
      ...(has('screenshot') ? [{ type: 'screenshot' }] : []),
      ...(has('pageshot') ? [{ type: 'screenshot', fullPage: true }] : []),
      ...(asks(withLinksSummary) ? ['links'] : []),
      ...(asks(withImagesSummary) ? ['images'] : []),
    ],
    onlyMainContent: has('content'),
    includeTags: options.targetSelector,
    excludeTags: options.removeSelector,
    ...(waitForSelector.length > 0 && { actions: waitForSelector.map((selector) => ({ type: 'wait', selector })) }),
    maxAge: noCache === true ? 0 : Math.round(cacheTolerance * 1_000),
    ...(timeout !== undefined && { timeout: Math.round(timeout * 1_000) }),
    ...(engine === 'direct' && { fastMode: true }),
    ...(engine === 'browser' && { waitFor: SHOWN_MS }),
    ...(options.isPrivate && { storeInCache: false }),
    ...(locale !== undefined && { location: { languages: [locale] } }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

export const asks = (value: string | undefined): boolean => value === 'true' || value === 'all';
