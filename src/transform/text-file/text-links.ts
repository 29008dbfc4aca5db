// Finds URLs in plain text.

const MAX_LINKS = 10_000;
const TRAILING = '.,;:!?';
const ADDRESS = /https?:\/\/[^\s"'<>\\)\]}]{1,2000}/g;

/** Without duplicates, in order of appearance. */
export function urlsInText(source: string): string[] {
  const found = new Set<string>();
  for (const [match] of source.matchAll(ADDRESS)) {
    const url = URL.parse(withoutTrailing(match));
    if (url) found.add(url.href);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}

/** Removes punctuation that ends the sentence rather than the URL. */
function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.includes(address[end - 1]!)) end -= 1;
  return address.slice(0, end);
}
