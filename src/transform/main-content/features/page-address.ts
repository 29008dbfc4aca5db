// The address whose path describes a page: its own, or the one that the page states where its own says nothing, as for
// mirrors on an IP address, local previews and uploads.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';

// An IPv4 or IPv6 address, a local name, or the address that an upload gets.
const UNKNOWN_HOST = /^[\d.]+$|^\[|(?:^|\.)(?:localhost|invalid)$/;

/** Null if nothing is known: the path of a mirror that counts its pages is none of the site. */
export function pageAddress(tree: HtmlTree, url: string): URL | null {
  const own = URL.parse(url);
  if (own && !UNKNOWN_HOST.test(own.hostname)) return own;
  return statedAddress(tree) ?? (own && /\p{L}/u.test(own.pathname) ? own : null);
}

/** The canonical link, else `og:url`. A relative one has only the unknown host to be relative to. */
function statedAddress(tree: HtmlTree): URL | null {
  let openGraph: URL | null = null;
  for (let node = 1; node < tree.size && tree.tag[node] !== TAG.body; node++) {
    const tag = tree.tag[node];
    if (tag === TAG.link && /(?:^|\s)canonical(?:\s|$)/i.test(tree.attribute(node, 'rel') ?? '')) {
      const canonical = URL.parse(tree.attribute(node, 'href') ?? '');
      if (canonical) return canonical;
    } else if (tag === TAG.meta && tree.attribute(node, 'property') === 'og:url') {
      openGraph ??= URL.parse(tree.attribute(node, 'content') ?? '');
    }
  }
  return openGraph;
}
