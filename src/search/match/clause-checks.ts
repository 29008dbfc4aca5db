// Checks each kind of clause against a result: it matches, it does not, or the result does not show it (undefined).
import type {
  FieldClause,
  FiletypeClause,
  SiteClause,
  SizeClause,
  TimeRange,
} from '../../contracts/search/search-query.ts';
import { containsPhrase } from '../../text/passages/find-phrase.ts';
import { extensionOf, isWithin } from '../../urls/categories.ts';
import { decode, type VisibleResult } from './visible-result.ts';

export type ClauseVerdict = boolean | undefined;

const DAY = 86_400_000;
// Extensions of server-side programs, whose output can be of any type.
const PROGRAMS = new Set(['php', 'asp', 'aspx', 'ashx', 'jsp', 'jspx', 'do', 'cgi', 'pl', 'cfm', 'axd']);
const CUT_OFF = /(?:…|\.\.\.)$/;
const INNER_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const WITHOUT_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Compares whole segments (`/docs` does not match `/docs-old`) and ignores case, which rarely matters in paths. */
export function isOnSite({ host, path }: VisibleResult, site: SiteClause): boolean {
  const beginning = decode(site.path).toLowerCase();
  return isWithin(host, site.host) && (path === beginning || path.startsWith(`${beginning}/`));
}

export function hasType(
  { url, image, candidate: { fileType } }: VisibleResult,
  { extension }: FiletypeClause,
): ClauseVerdict {
  const seen = image ? [extensionOf(image), extensionOf(url)] : [fileType ?? '', extensionOf(url)];
  if (seen.includes(extension)) return true;
  return seen.some(isTelling) ? false : undefined;
}

const isTelling = (extension: string): boolean => /[a-z]/.test(extension) && !PROGRAMS.has(extension);

/** Undefined if none matches for certain, but one may. */
export function anyOf(verdicts: readonly ClauseVerdict[]): ClauseVerdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

export function isInField(seen: VisibleResult, { kind, words }: FieldClause): ClauseVerdict {
  switch (kind) {
    case 'inurl':
      return isInAddress(seen, words.join(' '));
    case 'allinurl':
      return words.every((word) => isInAddress(seen, word));
    case 'intitle':
      return isInTitle(seen, words.join(' '));
    case 'allintitle': {
      const verdicts = words.map((word) => isInTitle(seen, word));
      if (verdicts.includes(false)) return false;
      return verdicts.includes(undefined) ? undefined : true;
    }
  }
}

function isInTitle({ candidate }: VisibleResult, phrase: string): ClauseVerdict {
  const title = candidate.title.trimEnd();
  if (containsPhrase(title, phrase)) return true;
  return CUT_OFF.test(title) ? undefined : false;
}

/** Words run together in URLs, so matching the start of a word is enough. */
function isInAddress({ address }: VisibleResult, phrase: string): boolean {
  return containsPhrase(address, phrase) || holdsBeginning(fold(address), fold(phrase));
}

function holdsBeginning(text: string, beginning: string): boolean {
  const isAnywhere = !INNER_CHARACTER.test(beginning[0] ?? '') || WITHOUT_SPACES.test(beginning);
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
    if (isAnywhere || at === 0 || !INNER_CHARACTER.test(text[at - 1]!)) return true;
  }
  return false;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** A snippet shows only a part of the page, so a missing phrase proves nothing unless the whole text is known. */
export function says({ candidate, address }: VisibleResult, phrase: string): ClauseVerdict {
  const { title, description, text } = candidate;
  if ([title, description, address, text ?? ''].some((part) => containsPhrase(part, phrase))) return true;
  return text === undefined ? undefined : false;
}

export function hasSize({ candidate }: VisibleResult, { kind, width, height }: SizeClause): ClauseVerdict {
  const { imageWidth, imageHeight } = candidate;
  if (imageWidth === undefined || imageHeight === undefined) return undefined;
  return kind === 'larger'
    ? imageWidth > width && imageHeight > height
    : imageWidth === width && imageHeight === height;
}

/** A relation cannot be checked, except that a site is not related to itself. */
export const isRelated = ({ host }: VisibleResult, to: string): ClauseVerdict =>
  isWithin(host, to) ? false : undefined;

/** A date at midnight stands for the whole day, except for the past hour, which it would always match. */
export function isInTimeRange(date: number, { from, until, preset }: TimeRange): boolean {
  const last = date % DAY === 0 && preset !== 'hour' ? date + DAY - 1 : date;
  return (from === undefined || last >= from) && (until === undefined || date < until);
}
