// The language of a page and the countries it declares to be for.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { guessLanguage } from '../../../text/words/language.ts';
import { lazy } from '../../../util/lazy.ts';

const MAX_COUNTRIES = 20;
const MAX_ALTERNATES = 500;
/** Enough to detect the language; more would cost time on every page. */
const SAMPLE = 600;
const REGION = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?![a-z0-9])/i;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** All codes that the platform has a name for. A tag with another region is a mistake, such as en-EN. */
const countryCodes = lazy((): ReadonlySet<string> => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const pairs = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return new Set(pairs.filter((code) => code !== 'ZZ' && names.of(code) !== undefined));
});

/** The first well-formed declaration counts. */
export function languageOf(texts: string[], declarations: (string | undefined)[]): string {
  const declared = declarations.find((tag) => tag !== undefined && /^\s*[a-z]{2}/i.test(tag))?.trim();
  return guessLanguage(texts.join('\n').slice(0, SAMPLE), declared);
}

export function countriesOf(tags: Iterable<string | undefined>): string[] {
  const found = new Set<string>();
  for (const tag of tags) {
    const region = REGION.exec(tag?.trim() ?? '')?.[1]?.toUpperCase();
    const country = region === 'UK' ? 'GB' : region;
    if (country !== undefined && countryCodes().has(country)) found.add(country);
    if (found.size === MAX_COUNTRIES) break;
  }
  return [...found];
}

/** The hreflang tags under which the page lists itself among its translations. */
export function* ownAlternates(tree: HtmlTree, urls: PageUrls, isOwn: (url: string) => boolean): Generator<string> {
  const name = tree.attributeNumber('hreflang');
  let seen = 0;
  for (let node = 1; node < tree.size && seen < MAX_ALTERNATES; node++) {
    const hreflang = tree.tag[node] === TAG.link ? tree.attributeAt(node, name) : undefined;
    if (hreflang === undefined) continue;
    seen += 1;
    const url = urls.resolve(tree.attribute(node, 'href')?.trim());
    if (url !== undefined && isOwn(url)) yield hreflang;
  }
}
