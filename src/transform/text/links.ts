// The links of texts without markup, and of Markdown, which is read well enough to find where it leads.

const MAX_LINKS = 10_000;
const TRAILING = '.,;:!?';
const ADDRESS = /https?:\/\/[^\s"'<>\\)\]}]{1,2000}/g;
// In the order of the alternatives: a picture, which leads nowhere; a link; a definition; an address as it stands.
const MARKDOWN = new RegExp(
  [
    String.raw`!\[[^[\]]{0,1000}\]\([^()]{0,2000}\)`,
    String.raw`\]\(\s{0,9}<?(?<link>(?:[^\s<>()]|\([^\s<>()]{0,200}\)){1,2000})`,
    String.raw`^ {0,3}\[[^[\]]{1,200}\]:[ \t]{0,9}<?(?<definition>[^\s<>]{1,2000})`,
    `(?<address>${ADDRESS.source})`,
  ].join('|'),
  'gm',
);

/** Addresses that stand in the text, absolute and each once. */
export function addressesIn(source: string): string[] {
  const found = new Set<string>();
  for (const [match] of source.matchAll(ADDRESS)) {
    const url = URL.parse(withoutTrailing(match));
    if (url) found.add(url.href);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}

/** Like the links of a page: absolute, each once, no jumps inside the document. */
export function markdownLinks(source: string, base: string): string[] {
  const found = new Set<string>();
  for (const { groups } of source.matchAll(MARKDOWN)) {
    const { link, definition, address } = groups ?? {};
    const target = link ?? definition ?? (address === undefined ? '' : withoutTrailing(address));
    const url = target === '' || target.startsWith('#') ? null : URL.parse(target, base);
    if (url && /^(?:https?|mailto):$/.test(url.protocol)) found.add(url.href);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}

/** Without what ends the sentence rather than the address. */
function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.includes(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}
