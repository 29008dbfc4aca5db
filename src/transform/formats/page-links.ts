// The `links` format: URLs of the links in the kept content, without duplicates, in document order.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { KEPT, type Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';

// A link without a scheme is relative to the file, which has no address.
const LISTED = /^(?:https?:|mailto:|(?![a-z][a-z0-9+.-]*:))/i;

export function pageLinks(tree: HtmlTree, mask: Mask, urls: PageUrls): string[] {
  const found = new Set<string>();
  for (let node = 1; node < tree.size; node++) {
    if (mask[node] !== KEPT || (tree.tag[node] !== TAG.a && tree.tag[node] !== TAG.area)) continue;
    const href = tree.attribute(node, 'href')?.trim();
    // A link to the same page.
    if (href === undefined || href.startsWith('#')) continue;
    const url = urls.resolve(href);
    if (url !== undefined && LISTED.test(url)) found.add(url);
  }
  return [...found];
}
