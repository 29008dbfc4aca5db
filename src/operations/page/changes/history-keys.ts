// What belongs together in the history of a page.

import type { Format } from '../../../contracts/formats/formats.ts';
import { hasHeaders } from '../../../contracts/scrape/given-headers.ts';
import type { OptionsWith } from '../../../contracts/scrape/option-traits.ts';
import { redactionOptions } from '../../../contracts/scrape/redaction.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import { hashOf } from '../../../util/hash.ts';
import type { PageOptions } from '../page-request.ts';

export type ChangeTracking = Extract<Format, { type: 'changeTracking' }>;

export const changeTrackingOf = ({ formats }: Pick<PageOptions, 'formats'>): ChangeTracking | undefined =>
  formats.find((format): format is ChangeTracking => format.type === 'changeTracking');

type Tracked = Pick<PageOptions, 'formats' | 'redactPII'>;

/** Redacted text is only compared with text that was redacted in the same way: a diff would show what was hidden. */
const identityOf = (options: Tracked): unknown[] => [
  changeTrackingOf(options)?.tag ?? null,
  redactionOptions(options.redactPII) ?? null,
];

export const historyKey = (teamId: string, url: URL, options: Tracked): string =>
  hashOf('page', teamId, normaliseUrl(url), ...identityOf(options));

/** The same for all crawls of a team that start there: each looks again at what the ones before have found. */
export const crawlKey = (teamId: string, start: URL, options: Tracked): string =>
  hashOf('crawl', teamId, normaliseUrl(start), ...identityOf(options));

/** Options that shape the Markdown. Of those that may hold secrets, only whether they are set. */
export function shapingOptions(options: PageOptions): Record<string, string> {
  const { onlyMainContent, onlyCleanContent, includeTags, excludeTags, mobile, location, parsers } = options;
  const values: Record<OptionsWith<{ isShaping: true }>, unknown> = {
    ...{ onlyMainContent, onlyCleanContent, includeTags, excludeTags, mobile, location, parsers },
    actions: options.actions.length > 0,
    headers: hasHeaders(options.headers),
    profile: options.profile !== undefined,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hashOf(value).slice(0, HASH_DIGITS)]));
}

const HASH_DIGITS = 16;
