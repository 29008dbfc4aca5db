// Each kind of clause held against a result. Three answers: it holds, it does not, or it cannot be seen.
import type { FieldClause, FiletypeClause, SiteClause, SizeClause, TimeRange } from '../../contracts/search-query.ts';
import { containsPhrase } from '../../text/find-phrase.ts';
import { extensionOf, isWithin } from '../../util/categories.ts';
import { decode, type VisibleResult } from './visible-result.ts';

export type Verdict = boolean | undefined;

const DAY = 86_400_000;
// Addresses of programs: what they answer with has any type.
const PROGRAMS = new Set(['php', 'asp', 'aspx', 'ashx', 'jsp', 'jspx', 'do', 'cgi', 'pl', 'cfm', 'axd']);
const CUT_OFF = /(?:…|\.\.\.)$/;
const INNER_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const WITHOUT_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** By whole segments: `/docs` is not the beginning of `/docs-old`. Upper case in paths is rarely meant, and forgotten. */
export function isOnSite({ host, path }: VisibleResult, site: SiteClause): boolean {
  const beginning = decode(site.path).toLowerCase();
  return isWithin(host, site.host) && (path === beginning || path.startsWith(`${beginning}/`));
}

export function hasType(
  { url, image, candidate: { fileType } }: VisibleResult,
  { extension }: FiletypeClause,
): Verdict {
  const seen = image ? [extensionOf(image), extensionOf(url)] : [fileType ?? '', extensionOf(url)];
  if (seen.includes(extension)) return true;
  return seen.some(isTelling) ? false : undefined;
}

const isTelling = (extension: string): boolean => /[a-z]/.test(extension) && !PROGRAMS.has(extension);

/** With several types, those that cannot be seen may be the right one. */
export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

export function isInField(seen: VisibleResult, { kind, words }: FieldClause): Verdict {
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

function isInTitle({ candidate }: VisibleResult, phrase: string): Verdict {
  const title = candidate.title.trimEnd();
  if (containsPhrase(title, phrase)) return true;
  return CUT_OFF.test(title) ? undefined : false;
}

/** Words run together in addresses, so their beginnings count. */
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

/** A snippet shows only a part of the page; what it does not show may stand elsewhere. */
export function says({ candidate, address }: VisibleResult, phrase: string): Verdict {
  const { title, description, text } = candidate;
  if ([title, description, address, text ?? ''].some((part) => containsPhrase(part, phrase))) return true;
  return text === undefined ? undefined : false;
}

export function hasSize({ candidate }: VisibleResult, { kind, width, height }: SizeClause): Verdict {
  const { imageWidth, imageHeight } = candidate;
  if (imageWidth === undefined || imageHeight === undefined) return undefined;
  return kind === 'larger'
    ? imageWidth > width && imageHeight > height
    : imageWidth === width && imageHeight === height;
}

/** The relation itself cannot be seen, only that nothing is related to itself. */
export const isRelated = ({ host }: VisibleResult, to: string): Verdict => (isWithin(host, to) ? false : undefined);

/** A date at midnight stands for the whole day, in which the past hour would be lost. */
export function isInTimeRange(date: number, { from, until, preset }: TimeRange): boolean {
  const last = date % DAY === 0 && preset !== 'hour' ? date + DAY - 1 : date;
  return (from === undefined || last >= from) && (until === undefined || date < until);
}
