// The links of an index entry with their anchor texts: links of the content first, then navigation; other pages only.
import type { EntryLink } from '../../contracts/index-entry.ts';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import { labelOf, tidy } from './text/clip.ts';

export const MAX_LINKS = 300;
/** Navigation repeats on every page of a site, so a few links suffice. */
const MAX_FRAME_LINKS = 50;
export const MAX_LINK_TEXT = 120;
export const MAX_URL = 2_048;

export function entryLinks(tree: HtmlTree, mask: Mask, urls: PageUrls, own: string): EntryLink[] {
  const list = createEntryLinks(own);
  const hrefOf = tree.attributeReader('href');
  const add = (node: number) => {
    const href = hrefOf(node)?.trim();
    // A link to the same page.
    if (href && href[0] !== '#') list.add(urls.resolve(href), () => linkText(tree, node));
  };
  const frame: number[] = [];
  for (let node = 1; node < tree.size && list.hasRoom(); node++) {
    const tag = tree.tag[node]!;
    if (tag === TAG.template) node = tree.end[node]! - 1;
    if (tag !== TAG.a && tag !== TAG.area) continue;
    if (mask[node] === KEPT) add(node);
    else if (frame.length < MAX_FRAME_LINKS) frame.push(node);
  }
  for (const node of frame) if (list.hasRoom()) add(node);
  return list.links();
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

export interface EntryLinks {
  hasRoom(): boolean;
  /** `text` is called only if the URL has no text yet: an image often has the same target as the words below it. */
  add(url: string | undefined, text: () => string): void;
  links(): EntryLink[];
}

/** Links to `own`, the page itself, are left out. */
export function createEntryLinks(own: string): EntryLinks {
  const texts = new Map<string, string>();
  return {
    hasRoom: () => texts.size < MAX_LINKS,
    add(url, text) {
      const address = pageAddress(url);
      if (address === undefined || address === own || texts.get(address)) return;
      texts.set(address, text());
    },
    links: () => Array.from(texts, ([url, text]) => ({ url, text })),
  };
}

/** The URL without its fragment; undefined if it is not http(s) or too long. */
export function pageAddress(url: string | undefined): string | undefined {
  if (url === undefined || !(url.startsWith('https:') || url.startsWith('http:'))) return undefined;
  const fragment = url.indexOf('#');
  const address = fragment === -1 ? url : url.slice(0, fragment);
  return address.length > MAX_URL ? undefined : address;
}
