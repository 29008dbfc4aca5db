// What a crawl needs from a page: all its links, which of them are the next page of a list, and its canonical URL.
// Nothing is masked, because a crawl also follows the navigation.
import type { Discovered, TextFingerprint, TransformRequest } from '../../contracts/page.ts';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import { carriesSecret } from '../../util/secrets-in-url.ts';
import { readLinkHeader } from './link-header.ts';

type Response = Pick<TransformRequest['page'], 'finalUrl' | 'headers'>;

const MAX_LINKS = 10_000;
const MAX_URL = 2_048;
/** Of all links together: a page of long ones would be copied from thread to thread for long. */
const MAX_CHARACTERS = 2_000_000;
/** Reserved out of MAX_LINKS, so that a page full of links still leads to its next page. */
const MAX_NEXT = 10;
const NEXT = /(?:^|\s)next(?:\s|$)/i;
const CANONICAL = /(?:^|\s)canonical(?:\s|$)/i;

export function discoverInPage(
  tree: HtmlTree,
  urls: PageUrls,
  response: Response,
  fingerprint: TextFingerprint,
): Discovered {
  const found = createLinkCollector();
  const hrefOf = tree.attributeReader('href');
  const relOf = tree.attributeReader('rel');
  const srcOf = tree.attributeReader('src');
  const targetOf = (node: number) => {
    const href = hrefOf(node)?.trim();
    // A link to the same page.
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
        found.link(urls.resolve(srcOf(node)));
        break;
      case TAG.img:
        found.image(srcOf(node));
        break;
    }
  }
  return found.finish(response, fingerprint);
}

/** For content other than HTML, whose links are known already. */
export function discoverInText(links: string[], response: Response, fingerprint: TextFingerprint): Discovered {
  const found = createLinkCollector();
  for (const link of links) found.link(link);
  return found.finish(response, fingerprint);
}

interface LinkCollector {
  /** For links other than "next". Checked first, because resolving a URL is the most expensive step. */
  hasRoom(): boolean;
  link(url: string | undefined, isNext?: boolean): void;
  /** Only checked for credentials. */
  image(source: string | undefined): void;
  /** The first valid one counts. */
  canonical(url: string | undefined): void;
  /** Adds the Link header last: the page itself takes precedence. */
  finish(response: Response, fingerprint: TextFingerprint): Discovered;
}

function createLinkCollector(): LinkCollector {
  const links = new Set<string>();
  const next = new Set<string>();
  let own: string | undefined;
  let hasSecretImage = false;
  let characters = 0;

  const hasRoom = () => links.size < MAX_LINKS - MAX_NEXT && characters < MAX_CHARACTERS;
  const link = (url: string | undefined, isNext = false) => {
    const address = addressOf(url);
    if (address === undefined) return;
    if (isNext && next.size < MAX_NEXT) next.add(address);
    if (links.has(address) || !(next.has(address) || hasRoom())) return;
    links.add(address);
    characters += address.length;
  };
  const canonical = (url: string | undefined) => {
    own ??= addressOf(url);
  };

  return {
    hasRoom,
    link,
    image(source) {
      hasSecretImage ||= source !== undefined && !source.startsWith('data:') && carriesSecret(source);
    },
    canonical,
    finish({ finalUrl, headers }, fingerprint) {
      for (const { target, rel } of headers.link === undefined ? [] : readLinkHeader(headers.link)) {
        const url = URL.parse(target, finalUrl)?.href;
        if (rel.includes('next')) link(url, true);
        if (rel.includes('canonical')) canonical(url);
      }
      const hasSecretUrls = hasSecretImage || [...links].some(carriesSecret);
      return {
        links: [...links],
        next: [...next],
        ...(own !== undefined && { canonical: own }),
        ...(hasSecretUrls && { hasSecretUrls }),
        fingerprint,
      };
    },
  };
}

/** The URL without its fragment; undefined if it is not http(s) or too long. */
function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || !(url.startsWith('https:') || url.startsWith('http:'))) return undefined;
  const fragment = url.indexOf('#');
  const address = fragment === -1 ? url : url.slice(0, fragment);
  return address.length > MAX_URL ? undefined : address;
}
