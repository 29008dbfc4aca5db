// The index entry of an HTML page, made from the same tree and choice of content as its formats.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import type { IndexEntry } from '../../page/index-entry.ts';
import type { Discovered, PageMetadata } from '../../page/page.ts';
import { normaliseUrl } from '../../urls/url.ts';
import type { ChosenContent } from '../choose-content.ts';
import { entryLinks, pageAddress } from './anchor-texts.ts';
import { type DeclaredImage, entryImages, isImageUrl, MAX_ALT } from './entry-images.ts';
import { fileTypeOf } from './facts/file-type.ts';
import { mainStatement } from './facts/json-ld-statement.ts';
import { countriesOf, languageOf, ownAlternates } from './facts/locale.ts';
import { createMetaReader, type MetaReader } from './facts/meta-reader.ts';
import { isNews } from './facts/news.ts';
import { publishedAt } from './facts/published.ts';
import { readPixels } from './image-size.ts';
import type { IndexedPage } from './indexed-page.ts';
import { bodyText, MAX_BODY } from './text/body-text.ts';
import { clipAtWord, tidy } from './text/clip.ts';

export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 1_000;

export interface PageEntrySource {
  tree: HtmlTree;
  urls: PageUrls;
  /** Absent if the page was rescued as plain text, which is then in `text`. */
  chosen?: ChosenContent;
  text?: string;
  metadata: PageMetadata;
  discovered: Discovered;
  page: IndexedPage;
}

export function pageEntry(source: PageEntrySource): IndexEntry {
  const { tree, urls, chosen, metadata, discovered, page } = source;
  const url = normaliseUrl(new URL(page.finalUrl));
  const isOwn = createOwnTest(url, discovered.canonical);
  const meta = createMetaReader(metadata);
  const { body, headings } = textsOf(source);
  const title = tidy(meta('title') ?? '', MAX_TITLE);
  const description = tidy(meta('description', 'og:description', 'twitter:description') ?? '', MAX_DESCRIPTION);
  const statement = mainStatement(tree, isOwn);
  const types = statement?.types ?? [];
  const published = publishedAt({
    ...{ tree, meta, url, now: page.fetchedAt },
    mask: chosen?.mask,
    stated: statement?.published,
  });
  const named = namedPicture(meta, urls, statement?.image);
  const declared = [meta('language'), meta('og:locale'), page.headers['content-language']];
  return {
    url,
    title,
    description,
    headings,
    body,
    language: languageOf([title, description, body], declared),
    countries: countriesOf([meta('language'), meta('og:locale'), ...ownAlternates(tree, urls, isOwn)]),
    ...(published !== undefined && { publishedAt: published }),
    fetchedAt: page.fetchedAt,
    fileType: fileTypeOf('html', url),
    isNews: isNews({ tree, meta, url, types, publishedAt: published }),
    quality: Math.round((chosen?.quality ?? 0) * 100) / 100,
    links: chosen ? entryLinks(tree, chosen.mask, urls, url) : [],
    images: chosen ? entryImages(tree, chosen.mask, urls, named) : [],
    ...(named && { imageUrl: named.url }),
    simhash: discovered.fingerprint.simhash,
  };
}

/** Recognises URLs of this page, ignoring a trailing slash. */
function createOwnTest(url: string, canonical: string | undefined): (other: string) => boolean {
  const bare = (address: string | undefined) => pageAddress(address)?.replace(/\/$/, '');
  const own = new Set([bare(url), bare(canonical)]);
  return (other) => own.has(bare(other) ?? '');
}

function textsOf({ tree, chosen, text }: PageEntrySource): { body: string; headings: string } {
  const replacement = chosen ? chosen.replacementText : (text ?? '');
  if (chosen && replacement === undefined) return bodyText(tree, chosen.mask);
  // The headings of the page do not belong to this text.
  return { body: clipAtWord(tidyLines(replacement ?? ''), MAX_BODY), headings: '' };
}

const tidyLines = (text: string): string =>
  text
    .slice(0, MAX_BODY * 2)
    .split('\n')
    .map((line) => tidy(line, MAX_BODY))
    .filter((line) => line !== '')
    .join('\n');

function namedPicture(meta: MetaReader, urls: PageUrls, stated: string | undefined): DeclaredImage | undefined {
  const open = urls.resolve(meta('og:image:secure_url', 'og:image', 'og:image:url')?.trim());
  const others = [meta('twitter:image', 'twitter:image:src')?.trim(), stated?.trim()];
  const url = isImageUrl(open) ? open : others.map((other) => urls.resolve(other)).find(isImageUrl);
  if (url === undefined) return undefined;
  const alt = tidy(meta('og:image:alt', 'twitter:image:alt') ?? '', MAX_ALT);
  return url === open
    ? { url, alt, width: readPixels(meta('og:image:width')), height: readPixels(meta('og:image:height')) }
    : { url, alt };
}
