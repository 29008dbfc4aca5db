// What a crawl needs from a page: all its links, which of them are the next page of a list, and its canonical URL.
// Nothing is masked, because a crawl also follows the navigation.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { TAG } from '../../markup/html/tags.ts';
import type { Discovered, TextFingerprint, TransformRequest } from '../../page/page.ts';
import { carriesSecret } from '../../urls/secrets-in-url.ts';
import { readLinkHeader } from './link-header.ts';

type Response = Pick<TransformRequest['page'], 'finalUrl' | 'headers'>;

const MAX_LINKS = 10_000;
const MAX_URL = 2_048;
/** Limit for all links together: copying many long ones from thread to thread takes time. */
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
  const found = new LinkCollector();
  const href = tree.attributeNumber('href');
  const rel = tree.attributeNumber('rel');
  const src = tree.attributeNumber('src');

  for (let node = 1; node < tree.size; node++) {
    switch (tree.tag[node]) {
      case TAG.template:
        node = tree.end[node]! - 1;
        break;
      case TAG.a:
      case TAG.area: {
        const isNext = NEXT.test(tree.attributeAt(node, rel) ?? '');
        if (isNext || found.hasRoom()) found.link(targetOf(tree.attributeAt(node, href), urls), isNext);
        break;
      }
      case TAG.link: {
        const kinds = tree.attributeAt(node, rel) ?? '';
        if (NEXT.test(kinds)) found.link(targetOf(tree.attributeAt(node, href), urls), true);
        if (CANONICAL.test(kinds)) found.canonical(targetOf(tree.attributeAt(node, href), urls));
        break;
      }
      case TAG.frame:
        found.link(urls.resolve(tree.attributeAt(node, src)));
        break;
      case TAG.img:
        found.image(tree.attributeAt(node, src));
        break;
    }
  }
  return found.finish(response, fingerprint);
}

function targetOf(href: string | undefined, urls: PageUrls): string | undefined {
  const target = href?.trim();
  // A link to the same page.
  return target?.startsWith('#') ? undefined : urls.resolve(target);
}

/** For content other than HTML, whose links are known already. */
export function discoverInText(links: string[], response: Response, fingerprint: TextFingerprint): Discovered {
  const found = new LinkCollector();
  for (const link of links) found.link(link);
  return found.finish(response, fingerprint);
}

class LinkCollector {
  readonly #links = new Set<string>();
  readonly #next = new Set<string>();
  #canonical: string | undefined;
  #hasSecretImage = false;
  #characters = 0;

  /** For links other than "next". Checked first, because resolving a URL is the most expensive step. */
  hasRoom(): boolean {
    return this.#links.size < MAX_LINKS - MAX_NEXT && this.#characters < MAX_CHARACTERS;
  }

  link(url: string | undefined, isNext = false): void {
    const address = addressOf(url);
    if (address === undefined) return;
    if (isNext && this.#next.size < MAX_NEXT) this.#next.add(address);
    if (this.#links.has(address) || !(this.#next.has(address) || this.hasRoom())) return;
    this.#links.add(address);
    this.#characters += address.length;
  }

  /** Only checked for credentials. */
  image(source: string | undefined): void {
    this.#hasSecretImage ||= source !== undefined && !source.startsWith('data:') && carriesSecret(source);
  }

  /** The first valid one counts. */
  canonical(url: string | undefined): void {
    this.#canonical ??= addressOf(url);
  }

  /** Adds the Link header last: the page itself takes precedence. */
  finish({ finalUrl, headers }: Response, fingerprint: TextFingerprint): Discovered {
    for (const { target, rel } of headers.link === undefined ? [] : readLinkHeader(headers.link)) {
      const url = URL.parse(target, finalUrl)?.href;
      if (rel.includes('next')) this.link(url, true);
      if (rel.includes('canonical')) this.canonical(url);
    }
    const links = [...this.#links];
    const hasSecretUrls = this.#hasSecretImage || links.some(carriesSecret);
    return {
      links,
      next: [...this.#next],
      ...(this.#canonical !== undefined && { canonical: this.#canonical }),
      ...(hasSecretUrls && { hasSecretUrls }),
      fingerprint,
    };
  }
}

/** The URL without its fragment; undefined if it is not http(s) or too long. */
function addressOf(url: string | undefined): string | undefined {
  if (url === undefined || !(url.startsWith('https:') || url.startsWith('http:'))) return undefined;
  const fragment = url.indexOf('#');
  const address = fragment === -1 ? url : url.slice(0, fragment);
  return address.length > MAX_URL ? undefined : address;
}
