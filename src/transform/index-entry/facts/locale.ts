// Which language a page is in and which countries it says it is for.

import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { guessLanguage } from '../../../text/language.ts';

const MAX_COUNTRIES = 20;
const MAX_ALTERNATES = 500;
/** Enough to tell a language by; more costs time on every page. */
const SAMPLE = 600;
const REGION = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?![a-z0-9])/i;

let regionNames: Intl.DisplayNames | undefined;
/** What the platform said before: it takes its time, and there are only so many pairs of letters. */
const known = new Map<string, boolean>();

/** A common slip is en-EN. */
function isCountry(code: string): boolean {
  regionNames ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const answer = known.get(code) ?? (code !== 'ZZ' && regionNames.of(code) !== undefined);
  known.set(code, answer);
  return answer;
}

/** Of several declarations, the first that is one. */
export function languageOf(texts: string[], declarations: (string | undefined)[]): string {
  const declared = declarations.find((tag) => tag !== undefined && /^\s*[a-z]{2}/i.test(tag))?.trim();
  return guessLanguage(texts.join('\n').slice(0, SAMPLE), declared);
}

export function countriesOf(tags: Iterable<string | undefined>): string[] {
  const found = new Set<string>();
  for (const tag of tags) {
    const region = REGION.exec(tag?.trim() ?? '')?.[1]?.toUpperCase();
    const country = region === 'UK' ? 'GB' : region;
    if (country !== undefined && isCountry(country)) found.add(country);
    if (found.size === MAX_COUNTRIES) break;
  }
  return [...found];
}

/** The tags under which the page lists itself among its translations. */
export function* ownAlternates(tree: HtmlTree, urls: PageUrls, isOwn: (url: string) => boolean): Generator<string> {
  const hreflangOf = tree.attributeReader('hreflang');
  let seen = 0;
  for (let node = 1; node < tree.size && seen < MAX_ALTERNATES; node++) {
    const hreflang = tree.tag[node] === TAG.link ? hreflangOf(node) : undefined;
    if (hreflang === undefined) continue;
    seen += 1;
    const url = urls.resolve(tree.attribute(node, 'href')?.trim());
    if (url !== undefined && isOwn(url)) yield hreflang;
  }
}
