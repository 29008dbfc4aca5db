// Which URLs an agent may read: those of the caller, those that a search or a map returned, and links of pages that it has
// read. A URL that the model has put together itself could carry data to the author of a page, so it is refused.
import { normaliseUrl, readUrl } from '../../urls/url.ts';

export interface KnownUrls {
  /** Bounded: further URLs are not known. */
  add(urls: Iterable<string>): void;
  /** The URLs and host names in a text of the caller. */
  addText(text: string): void;
  /** The URL to read, or undefined if nobody has named it. */
  find(url: string): string | undefined;
}

const MAX_URLS = 50_000;
const MAX_FOLDERS = 200_000;
/** Folders of a URL that count as known with it: its site and what leads to it. */
const MAX_DEPTH = 8;
const IN_TEXT = /(?:https?:\/\/)?(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}(?::\d{1,5})?(?:[/?#][^\s<>"'`)\]}]*)?/giu;
const MAX_IN_TEXT = 200;

export function createKnownUrls(): KnownUrls {
  const urls = new Map<string, string>();
  const folders = new Set<string>();

  const add = (text: string): void => {
    const url = readUrl(text);
    if (typeof url === 'string' || urls.size >= MAX_URLS) return;
    const key = keyOf(url);
    if (!urls.has(key)) urls.set(key, normaliseUrl(url));
    for (const folder of foldersOf(url)) if (folders.size < MAX_FOLDERS) folders.add(folder);
  };

  return {
    add(given) {
      for (const url of given) add(url);
    },
    addText(text) {
      for (const url of urlsIn(text)) add(url);
    },
    find(text) {
      const url = readUrl(text);
      if (typeof url === 'string') return undefined;
      const known = urls.get(keyOf(url));
      if (known !== undefined) return known;
      return url.search === '' && folders.has(keyOf(url)) ? normaliseUrl(url) : undefined;
    },
  };
}

/** The URLs and host names in a text. */
export const urlsIn = (text: string): string[] =>
  (text.match(IN_TEXT) ?? []).slice(0, MAX_IN_TEXT).map((url) => url.replace(/[.,;:!?]+$/, ''));

/** Scheme, fragment and a slash at the end make no difference. */
const keyOf = (url: URL): string => `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}`;

function foldersOf(url: URL): string[] {
  const parts = url.pathname.split('/').slice(1, -1).slice(0, MAX_DEPTH);
  return [url.host, ...parts.map((_, at) => `${url.host}/${parts.slice(0, at + 1).join('/')}`)];
}
