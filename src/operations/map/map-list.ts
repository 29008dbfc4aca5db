// The addresses of a map: each once, in the order in which they were found, with what is known about them.
import type { MapLink } from '../../contracts/map.ts';
import { urlKey, withoutFragment } from '../../crawl/frontier/url-key.ts';
import type { Reading } from '../page/read-page.ts';

export type LinkInfo = Omit<MapLink, 'url'>;

export interface MapList {
  readonly size: number;
  readonly isFull: boolean;
  /** True when the address is new. What was known about it stays. */
  add(url: URL, about?: LinkInfo): boolean;
  /** There is nothing at this address: it goes, and does not come back. */
  remove(url: URL): void;
  links(): MapLink[];
}

const MAX_TEXT = 1_000;

export function createMapList(limit: number, ignoreQuery: boolean): MapList {
  const rules = { similar: true, ignoreQuery };
  const links = new Map<string, MapLink>();
  const removed = new Set<string>();
  /** It is listed without its query, as one address for many pages. */
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
      // What a page of a list says of itself does not hold for the list.
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

/** What a page says about its address. An error and what stands in the place of a page say nothing. */
export function describePage({ header, outcome }: Pick<Reading, 'header' | 'outcome'>): LinkInfo {
  if (header.status >= 400 || outcome.verdict.kind !== 'content') return {};
  const { title, description } = outcome.metadata;
  return { ...(title && { title: textOf(title) }), ...(description && { description: textOf(description) }) };
}

const textOf = (value: string | string[]): string => (Array.isArray(value) ? value.join(', ') : value);

const shortened = ({ title, description }: LinkInfo): LinkInfo => ({
  ...(title && { title: cut(title) }),
  ...(description && { description: cut(description) }),
});

/** A character of two halves is not cut between them. */
const cut = (text: string): string => text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '');
