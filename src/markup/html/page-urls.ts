// Resolves the addresses in a page against <base href> or its URL, and finds the real source of lazy-loaded images.

import { ELEMENT, type HtmlTree } from './html-tree.ts';
import { TAG } from './tags.ts';

/** An uploaded file has no address. It gets one that cannot exist (RFC 2606), and relative addresses stay as written. */
const NOWHERE = 'https://upload.invalid/';

export const fileAddress = (name: string): string => NOWHERE + encodeURIComponent(name);

/** As `URL.parse`, except for addresses relative to a file without one. */
export function resolveUrl(value: string, base: string): string | undefined {
  const url = URL.parse(value, base)?.href;
  return url?.startsWith(NOWHERE) ? value.trim() : url;
}

const SCRIPT = /^\s*(?:javascript|vbscript|about|blob):/i;
// Attributes of common lazy loaders, those with several candidates first.
const SETS = ['srcset', 'data-srcset', 'data-lazy-srcset', 'data-original-set'];
const LAZY_SOURCES = [
  'data-src',
  'data-lazy-src',
  'data-original',
  'data-lazy',
  'data-url',
  'data-image',
  'data-hi-res-src',
  'data-full-src',
  'data-lazyload',
  'data-echo',
  'data-flickity-lazyload',
];
const MAX_URL = 16_384;
// Addresses the URL parser would not change. On pages full of links it is the most expensive step.
const PATH = /\/(?!\/)(?:(?!\/\.|%2e)[\w\-~!$&()*+,;=:@%/?#.])*$/i.source;
const PLAIN_PATH = new RegExp(`^${PATH}`, 'i');
const PLAIN = new RegExp(`^https?://(?:[a-z](?:[a-z0-9-]{0,60}[a-z0-9])?\\.){1,8}[a-z]{2,20}${PATH}`);

export const createPageUrls = (tree: HtmlTree, pageUrl: string): PageUrls => new PageUrls(tree, baseOf(tree, pageUrl));

export class PageUrls {
  /** The base for relative addresses; empty for a file without an address. */
  readonly base: string;
  readonly #tree: HtmlTree;
  readonly #ownBase: string;
  /** Empty for a file without an address. */
  readonly #origin: string;
  readonly #known = new Map<string, string | undefined>();

  constructor(tree: HtmlTree, base: string) {
    const isNowhere = base.startsWith(NOWHERE);
    this.base = isNowhere ? '' : base;
    this.#tree = tree;
    this.#ownBase = base;
    this.#origin = isNowhere ? '' : new URL(base).origin;
  }

  /** The absolute address; undefined for scripts and for broken or empty values. */
  resolve(value: string | undefined): string | undefined {
    if (value === undefined || value === '') return undefined;
    const known = this.#known.get(value);
    if (known !== undefined || this.#known.has(value)) return known;
    const resolved = this.#resolveQuickly(value) ?? absolute(value, this.#ownBase);
    this.#known.set(value, resolved);
    return resolved;
  }

  /** The source of an img after lazy loading: the largest candidate of its srcset or picture, else the lazy source, else src. */
  imageSource(node: number): string | undefined {
    return (
      this.#firstOf(node, SETS, largestCandidate) ??
      this.resolve(pictureCandidate(this.#tree, node)) ??
      this.#firstOf(node, LAZY_SOURCES, unlessJson) ??
      this.resolve(this.#tree.attribute(node, 'src'))
    );
  }

  #resolveQuickly(value: string): string | undefined {
    if (PLAIN_PATH.test(value)) return this.#origin + value;
    return PLAIN.test(value) ? value : undefined;
  }

  #firstOf(node: number, names: string[], read: (value: string) => string | undefined): string | undefined {
    for (const name of names) {
      const value = this.#tree.attribute(node, name);
      const found = value === undefined ? undefined : this.resolve(read(value));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function absolute(value: string, base: string): string | undefined {
  if (SCRIPT.test(value)) return undefined;
  // A data URI may be megabytes long and needs no resolving.
  if (/^\s*data:/i.test(value)) return value.trim();
  if (value.length > MAX_URL) return undefined;
  return resolveUrl(value, base);
}

function baseOf(tree: HtmlTree, pageUrl: string): string {
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] === TAG.base && tree.kind[node] === ELEMENT) {
      const href = tree.attribute(node, 'href');
      const base = href === undefined ? null : URL.parse(href, pageUrl);
      // Only the first base with an href counts, and it must be http or https.
      if (base?.protocol === 'http:' || base?.protocol === 'https:') return base.href;
      if (href !== undefined) return pageUrl;
    }
  }
  return pageUrl;
}

const unlessJson = (value: string) => (/^\s*[[{]/.test(value) ? undefined : value);

/** The candidate with the largest width or density, without `data:` placeholders. */
export function largestCandidate(srcset: string): string | undefined {
  let best: string | undefined;
  let bestSize = -1;
  for (const [url, descriptor] of candidates(srcset)) {
    const size = Number.parseFloat(descriptor) || 1;
    if (size <= bestSize || url.startsWith('data:')) continue;
    [best, bestSize] = [url, size];
  }
  return best;
}

const CANDIDATE = /[\s,]*([^\s,]\S*)/y;

/** As in the specification: an address may contain commas, but not end with one. */
function* candidates(srcset: string): Generator<[url: string, descriptor: string]> {
  let at = 0;
  while (at < srcset.length) {
    CANDIDATE.lastIndex = at;
    const url = CANDIDATE.exec(srcset)?.[1];
    if (url === undefined) return;
    at = CANDIDATE.lastIndex;
    if (url.endsWith(',')) {
      yield [url.replace(/,{1,9}$/, ''), ''];
      continue;
    }
    const comma = srcset.indexOf(',', at);
    const end = comma === -1 ? srcset.length : comma;
    yield [url, srcset.slice(at, end).trim()];
    at = end + 1;
  }
}

/** The best candidate of the <source> elements before the img. */
function pictureCandidate(tree: HtmlTree, node: number): string | undefined {
  const picture = tree.parent[node]!;
  if (tree.tag[picture] !== TAG.picture) return undefined;
  for (let child = picture + 1; child < node; child = tree.end[child]!) {
    if (tree.tag[child] !== TAG.source) continue;
    const set = tree.attribute(child, 'srcset') ?? tree.attribute(child, 'data-srcset');
    const candidate = set === undefined ? undefined : largestCandidate(set);
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}
