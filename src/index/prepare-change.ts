// One change, read and analysed: everything about a page that needs no look at other pages.
import { extensionOf } from '../util/categories.ts';
import { countryOfHost, hostOf, isHome, linkKey } from './addresses.ts';
import { type Analysis, analyse } from './analyse.ts';
import { packContent, type StoredDocument } from './documents.ts';
import { flagsWithDepth, IS_HOME, IS_NEWS } from './facts.ts';
import { keptLinks } from './links.ts';
import type { IndexChange } from './page-index.ts';
import { readEntry } from './read-entry.ts';
import { localeName } from './signals.ts';

/** Numbers, and what links say, are given when it is written. */
export interface ReadyDocument {
  document: StoredDocument;
  analysis: Analysis;
}

export interface PreparedChange {
  url: string;
  key: number;
  /** Undefined: the page is to be forgotten. */
  ready?: ReadyDocument;
  /** Nothing could be made of the entry. */
  isSkipped: boolean;
}

export function prepareChange({ url, entry, firstSeenAt }: IndexChange): PreparedChange {
  const change = { url, key: linkKey(url), isSkipped: false };
  if (!entry) return change;
  try {
    return { ...change, ready: ready(url, firstSeenAt, entry) };
  } catch {
    return { ...change, isSkipped: true };
  }
}

function ready(url: string, firstSeenAt: number, bytes: Uint8Array): ReadyDocument {
  const entry = readEntry(bytes);
  const place = new URL(url);
  const host = hostOf(place.hostname);
  const { title, description, headings, body, language, images } = entry;
  const links = keptLinks(entry.links);
  const flags = (entry.isNews ? IS_NEWS : 0) | (isHome(place) ? IS_HOME : 0);
  const document: StoredDocument = {
    facts: {
      id: 0,
      key: linkKey(url),
      host,
      date: entry.publishedAt ?? firstSeenAt,
      locale: localeName(countryOfHost(host), entry.countries, language),
      type: typeName(entry.fileType, extensionOf(place)),
      flags: flagsWithDepth(flags, place.pathname.split('/').length - 2),
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
  return { document, analysis: analyse({ url, title, description, headings, body, language, images }) };
}

/** What was fetched, and what its address promises where that is something else: both answer to `filetype:`. */
const typeName = (fileType: string, extension: string): string =>
  extension === '' || extension === fileType ? fileType : `${fileType},${extension}`;

export function readyAgain(document: StoredDocument): ReadyDocument {
  const { texts, content, images } = document;
  return { document, analysis: analyse({ ...texts, ...content, images }) };
}
