// The URLs of a map: each once, in the order they were found, with title and description where known.
import type { MapLink } from '../../contracts/crawl/map.ts';
import { urlKey, withoutFragment } from '../../crawl/frontier/url-key.ts';
import type { Page } from '../page/page.ts';

export type LinkInfo = Omit<MapLink, 'url'>;

export interface MapList {
  readonly size: number;
  readonly isFull: boolean;
  /** Returns true if the URL is new. Known titles and descriptions are kept. */
  add(url: URL, about?: LinkInfo): boolean;
  /** Removes a URL that does not exist, and keeps it from being added again. */
  remove(url: URL): void;
  links(): MapLink[];
}

const MAX_TEXT = 1_000;

export function createMapList(limit: number, ignoreQuery: boolean): MapList {
  const rules = { similar: true, ignoreQuery };
  const links = new Map<string, MapLink>();
  const removed = new Set<string>();
  /** Whether the URL is listed without its query, and so stands for many pages. */
  const isCut = (url: URL) => ignoreQuery && url.search !== '';

  return {
    get size() {
      return links.size;
    },
    get isFull() {
      return links.size >= limit;
    },
    add(url, about = {}) {
      const key = urlKey(url, rules);
      const known = links.get(key);
      // The title of one page does not describe all pages that share the URL without its query.
      const facts = isCut(url) ? {} : shortened(about);
      if (known) {
        Object.assign(known, { ...facts, ...known });
        return false;
      }
      if (links.size >= limit || removed.has(key)) return false;
      const address = withoutFragment(url);
      links.set(key, { url: ignoreQuery ? address.split('?', 1)[0]! : address, ...facts });
      return true;
    },
    remove(url) {
      if (isCut(url)) return;
      const key = urlKey(url, rules);
      if (links.delete(key)) removed.add(key);
    },
    links: () => [...links.values()],
  };
}

/** Title and description of a page; none for errors and for pages that are not content. */
export function describePage({ header, outcome }: Pick<Page, 'header' | 'outcome'>): LinkInfo {
  if (header.status >= 400 || outcome.verdict.kind !== 'content') return {};
  const { title, description } = outcome.metadata;
  return { ...(title && { title: textOf(title) }), ...(description && { description: textOf(description) }) };
}

const textOf = (value: string | string[]): string => (Array.isArray(value) ? value.join(', ') : value);

const shortened = ({ title, description }: LinkInfo): LinkInfo => ({
  ...(title && { title: cut(title) }),
  ...(description && { description: cut(description) }),
});

/** Does not cut a surrogate pair in half. */
const cut = (text: string): string => text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
