// What a crawl wants to know of a page: where all of it leads, which of that is the next part of its list, and which
// address it calls its own. Nothing is masked: a crawl needs the navigation that readers of the content do not.
import type { Discovered, TextFingerprint, TransformRequest } from '../../contracts/page.ts';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import { readLinkHeader } from './link-header.ts';

type Response = Pick<TransformRequest['page'], 'finalUrl' | 'headers'>;

const MAX_LINKS = 10_000;
const MAX_URL = 2_048;
/** More would be no list. They have places of their own, so that a page full of links still leads on. */
const MAX_NEXT = 10;
const NEXT = /(?:^|\s)next(?:\s|$)/i;
const CANONICAL = /(?:^|\s)canonical(?:\s|$)/i;

export function discoverInPage(tree: HtmlTree, urls: PageUrls, response: Response, print: TextFingerprint): Discovered {
  const found = createFinds();
  const hrefOf = tree.attributeReader('href');
  const relOf = tree.attributeReader('rel');
  const targetOf = (node: number) => {
    const href = hrefOf(node)?.trim();
    // A jump inside the page leads nowhere else.
    return href?.startsWith('#') ? undefined : urls.resolve(href);
  };

  for (let node = 1; node < tree.size; node++) {
    switch (tree.tag[node]) {
      case TAG.template:
        node = tree.end[node]! - 1;
        break;
      case TAG.a:
      case TAG.area: {
        const isNext = NEXT.test(relOf(node) ?? '');
        if (isNext || found.hasRoom()) found.link(targetOf(node), isNext);
        break;
      }
      case TAG.link: {
        const rel = relOf(node) ?? '';
        if (NEXT.test(rel)) found.link(targetOf(node), true);
        if (CANONICAL.test(rel)) found.canonical(targetOf(node));
        break;
      }
      case TAG.frame:
        found.link(urls.resolve(tree.attribute(node, 'src')));
        break;
    }
  }
  return found.finish(response, print);
}

/** For documents that are not HTML, whose links were read already. */
export function discoverInText(links: string[], response: Response, print: TextFingerprint): Discovered {
  const found = createFinds();
  for (const link of links) found.link(link);
  return found.finish(response, print);
}

interface Finds {
  /** For links that are not next. Asked first, because reading an address costs more than all else. */
  hasRoom(): boolean;
  link(url: string | undefined, isNext?: boolean): void;
  /** The first usable one counts. */
  canonical(url: string | undefined): void;
  /** The header comes last: what the page itself says counts more. */
  finish(response: Response, print: TextFingerprint): Discovered;
}

function createFinds(): Finds {
  const links = new Set<string>();
  const next = new Set<string>();
  let own: string | undefined;

  const hasRoom = () => links.size < MAX_LINKS - MAX_NEXT;
  const link = (url: string | undefined, isNext = false) => {
    const address = addressOf(url);
    if (address === undefined) return;
    if (isNext && next.size < MAX_NEXT) next.add(address);
    if (next.has(address) || hasRoom()) links.add(address);
  };
  const canonical = (url: string | undefined) => {
    own ??= addressOf(url);
  };

  return {
    hasRoom,
    link,
    canonical,
    finish({ finalUrl, headers }, print) {
      for (const { target, rel } of headers.link === undefined ? [] : readLinkHeader(headers.link)) {
        const url = URL.parse(target, finalUrl)?.href;
        if (rel.includes('next')) link(url, true);
        if (rel.includes('canonical')) canonical(url);
      }
      return { links: [...links], next: [...next], ...(own !== undefined && { canonical: own }), fingerprint: print };
    },
  };
}

/** The address of a page: what stands behind "#" is a place on it, or a matter of its scripts. */
function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || !(url.startsWith('https:') || url.startsWith('http:'))) return undefined;
  const fragment = url.indexOf('#');
  const address = fragment === -1 ? url : url.slice(0, fragment);
  return address.length > MAX_URL ? undefined : address;
}
