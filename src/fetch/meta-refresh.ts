// Redirects in the page itself, <meta http-equiv="refresh">, as a browser with scripting enabled follows them.
import { parseHtml } from '../markup/html/parse-html.ts';
import { TAG } from '../markup/html/tags.ts';
import { readLocation } from '../net/redirects.ts';

// With a longer delay, the page shows something first: then it is the content, not a redirect.
const LONGEST_DELAY_SECONDS = 5;
const SEARCHED_BYTES = 65_536;

/** Where the page redirects to, if it does. */
export function metaRefreshTarget(bytes: Uint8Array, base: URL): URL | undefined {
  // Read as UTF-8: markup is ASCII in all common encodings except UTF-16, and URLs are ASCII or UTF-8.
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SEARCHED_BYTES)).toString('utf8');
  if (!/http-equiv\s*=\s*["']?refresh/i.test(head)) return undefined;
  return refreshTarget(firstRefresh(head), base);
}

/** Parses the value of a Refresh header or meta tag: "0; url=/next". */
export function refreshTarget(content: string | undefined, base: URL): URL | undefined {
  const match = content?.match(/^\s*(\d+)(?:\.\d*)?(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(["']?)([\s\S]+)$/i);
  if (!match || Number(match[1]) > LONGEST_DELAY_SECONDS) return undefined;
  const [, , quote, rest] = match;
  const target = quote === '' ? rest! : rest!.split(quote!)[0]!;
  if (!URL.canParse(target.trim(), base.href)) return undefined;
  const url = readLocation(target.trim(), base);
  // A page that refreshes itself updates its content; that is not a redirect.
  return url.href.split('#')[0] === base.href.split('#')[0] ? undefined : url;
}

function firstRefresh(head: string): string | undefined {
  const tree = parseHtml(head);
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node];
    if (tag === TAG.noscript || tag === TAG.template) node = tree.end[node]! - 1;
    else if (tag === TAG.meta && tree.attribute(node, 'http-equiv')?.trim().toLowerCase() === 'refresh') {
      const content = tree.attribute(node, 'content');
      if (content !== undefined) return content;
    }
  }
  return undefined;
}
