// Open Graph, Twitter cards and other meta tags, by their names in lower case. The canonical address counts as one.
import { ELEMENT, type HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import { isSafeName } from './plain-value.ts';

const MAX_TAGS = 300;
const MAX_CONTENT = 20_000;
const ADDRESS =
  /^(?:og:(?:url|image|video|audio)(?::url|:secure_url)?|twitter:image(?::src)?|msapplication-tileimage)$/;
/** Tags that pages repeat for a list. */
const LIST = /^(?:article:tag|article:author|book:tag|book:author|video:tag|keywords|citation_author)$/;

export function metaTags(tree: HtmlTree, urls: PageUrls): Record<string, string> {
  const found = new Map<string, string>();
  for (let node = 1; node < tree.size && found.size < MAX_TAGS; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    if (tree.tag[node] === TAG.link) addCanonical(found, tree, urls, node);
    if (tree.tag[node] !== TAG.meta) continue;
    const content = tree.attribute(node, 'content')?.trim().slice(0, MAX_CONTENT);
    if (!content) continue;
    // In the body, itemprop belongs to an item.
    const isInHead = tree.tag[tree.parent[node]!] === TAG.head;
    for (const kind of isInHead ? ['property', 'name', 'itemprop'] : ['property', 'name']) {
      const name = tree.attribute(node, kind)?.trim().toLowerCase();
      if (name !== undefined && isSafeName(name))
        add(found, name, ADDRESS.test(name) ? urls.resolve(content) : content);
    }
  }
  return Object.fromEntries(found);
}

function add(found: Map<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) return;
  const known = found.get(name);
  if (known === undefined) found.set(name, value);
  else if (LIST.test(name) && known.length < MAX_CONTENT && known !== value) found.set(name, `${known}, ${value}`);
}

function addCanonical(found: Map<string, string>, tree: HtmlTree, urls: PageUrls, node: number): void {
  if (tree.attribute(node, 'rel')?.trim().toLowerCase() !== 'canonical') return;
  add(found, 'canonical', urls.resolve(tree.attribute(node, 'href')?.trim()));
}
