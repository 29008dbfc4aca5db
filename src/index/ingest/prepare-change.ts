// Reads and analyses one change: everything about a page that does not depend on other pages.
import type { PageOwner } from '../../page/page-owner.ts';
import { extensionOf } from '../../urls/categories.ts';
import type { IndexChange } from '../page-index.ts';
import { toStoredLinks } from '../pages/link-graph.ts';
import { flagsWithDepth, IS_FRONT_PAGE, IS_NEWS } from '../pages/page-facts.ts';
import { type IndexedPageRecord, packContent } from '../pages/page-rows.ts';
import { countryOfHost, hostOf, isFrontPage } from '../pages/url-features.ts';
import { pageKey } from '../pages/url-key.ts';
import { localeName } from '../ranking/ranking-signals.ts';
import type { PageAnalyser, PageAnalysis } from './analyse-page.ts';
import { readEntry } from './read-entry.ts';

/** Doc id and anchor texts are added when the page is written. */
export interface PreparedPage {
  page: IndexedPageRecord;
  analysis: PageAnalysis;
}

export interface PreparedChange {
  owner: PageOwner;
  url: string;
  key: number;
  /** Absent when the page is to be removed. */
  prepared?: PreparedPage;
  /** The entry could not be read. */
  isSkipped: boolean;
}

export function prepareChange(given: IndexChange, analyser: PageAnalyser): PreparedChange {
  const { owner, url, entry } = given;
  const change = { owner, url, key: pageKey(owner, url), isSkipped: false };
  if (!entry) return change;
  try {
    return { ...change, prepared: preparePage(readPage(given, entry), analyser) };
  } catch {
    return { ...change, isSkipped: true };
  }
}

function readPage({ owner, url, isVerified, firstSeenAt }: IndexChange, bytes: Uint8Array): IndexedPageRecord {
  const entry = readEntry(bytes);
  const address = new URL(url);
  const host = hostOf(address.hostname);
  const { title, description, headings, body, language, images } = entry;
  const links = toStoredLinks(owner, entry.links);
  const flags = (entry.isNews ? IS_NEWS : 0) | (isFrontPage(address) ? IS_FRONT_PAGE : 0);
  return {
    facts: {
      id: 0,
      owner,
      key: pageKey(owner, url),
      host,
      date: entry.publishedAt ?? firstSeenAt,
      locale: localeName(countryOfHost(host), entry.countries, language),
      type: fileTypeName(entry.fileType, extensionOf(address)),
      flags: flagsWithDepth(flags, address.pathname.split('/').length - 2),
      verified: isVerified ? 1 : 0,
      quality: Math.round(entry.quality * 255),
      images: images.length,
      inlinks: 0,
      anchors: 0,
    },
    texts: {
      id: 0,
      url,
      title,
      description,
      image: entry.imageUrl ?? null,
      published: entry.publishedAt === undefined ? 0 : 1,
      language,
      simhash: entry.simhash,
      length: body.length,
    },
    content: { headings, body },
    packed: packContent({ headings, body }, links),
    images,
    links,
  };
}

/** The fetched type, followed by the extension of the URL if that differs. `filetype:` matches both. */
const fileTypeName = (fileType: string, extension: string): string =>
  extension === '' || extension === fileType ? fileType : `${fileType},${extension}`;

export function preparePage(page: IndexedPageRecord, analyser: PageAnalyser): PreparedPage {
  const { texts, content, images } = page;
  return { page, analysis: analyser.analyse({ ...texts, ...content, images }) };
}

/** Unreadable entries are ignored. If a page changed several times, only the last change counts. */
export function newestOfEach<T extends PreparedChange>(changes: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const change of changes) {
    if (change.isSkipped) continue;
    const name = `${change.owner} ${change.url}`;
    newest.delete(name);
    newest.set(name, change);
  }
  return [...newest.values()];
}
