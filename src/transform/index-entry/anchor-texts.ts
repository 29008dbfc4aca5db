// The links of an index entry with their anchor texts: links of the content first, then navigation; other pages only.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import type { EntryLink } from '../../page/index-entry.ts';
import { labelOf, tidy } from './text/clip.ts';

export const MAX_LINKS = 300;
/** Navigation repeats on every page of a site, so a few links suffice. */
const MAX_FRAME_LINKS = 50;
export const MAX_LINK_TEXT = 120;
export const MAX_URL = 2_048;

export function entryLinks(tree: HtmlTree, mask: Mask, urls: PageUrls, own: string): EntryLink[] {
  const list = new EntryLinks(own);
  const href = tree.attributeNumber('href');
  const frame: number[] = [];
  for (let node = 1; node < tree.size && list.hasRoom(); node++) {
    const tag = tree.tag[node]!;
    if (tag === TAG.template) node = tree.end[node]! - 1;
    if (tag !== TAG.a && tag !== TAG.area) continue;
    if (mask[node] === KEPT) addLink(list, tree, urls, node, href);
    else if (frame.length < MAX_FRAME_LINKS) frame.push(node);
  }
  for (const node of frame) if (list.hasRoom()) addLink(list, tree, urls, node, href);
  return list.links();
}

function addLink(list: EntryLinks, tree: HtmlTree, urls: PageUrls, node: number, href: number): void {
  const target = tree.attributeAt(node, href)?.trim();
  // A link to the same page.
  if (!target || target[0] === '#') return;
  const address = list.wanted(urls.resolve(target));
  if (address !== undefined) list.add(address, linkText(tree, node));
}

function linkText(tree: HtmlTree, link: number): string {
  const label = labelOf(tree, link, MAX_LINK_TEXT);
  if (label !== '') return label;
  for (let node = link + 1; node < Math.min(tree.end[link]!, link + 50); node++) {
    const alt = tree.tag[node] === TAG.img ? tidy(tree.attribute(node, 'alt') ?? '', MAX_LINK_TEXT) : '';
    if (alt !== '') return alt;
  }
  const said = ['title', 'aria-label', 'alt'].map((name) => tree.attribute(link, name)).find(Boolean);
  return tidy(said ?? '', MAX_LINK_TEXT);
}

/** Links to `own`, the page itself, are left out. */
export class EntryLinks {
  readonly #own: string;
  readonly #texts = new Map<string, string>();

  constructor(own: string) {
    this.#own = own;
  }

  hasRoom(): boolean {
    return this.#texts.size < MAX_LINKS;
  }

  /** The address to add; undefined if it has a text already: an image often has the same target as the words below it. */
  wanted(url: string | undefined): string | undefined {
    const address = pageAddress(url);
    return address === undefined || address === this.#own || this.#texts.get(address) ? undefined : address;
  }

  add(address: string, text: string): void {
    this.#texts.set(address, text);
  }

  links(): EntryLink[] {
    return Array.from(this.#texts, ([url, text]) => ({ url, text }));
  }
}

/** The URL without its fragment; undefined if it is not http(s) or too long. */
export function pageAddress(url: string | undefined): string | undefined {
  if (url === undefined || !(url.startsWith('https:') || url.startsWith('http:'))) return undefined;
  const fragment = url.indexOf('#');
  const address = fragment === -1 ? url : url.slice(0, fragment);
  return address.length > MAX_URL ? undefined : address;
}
