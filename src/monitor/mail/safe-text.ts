// Text of pages and callers on its way into mails, feeds and small web pages. All of it is hostile.

/** Control characters, and those that change the direction of a text or cannot be seen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** One line of bounded length. */
export function oneLine(text: string, maxLength: number): string {
  const plain = text
    .slice(0, maxLength * 4)
    .replace(/\s+/g, ' ')
    .replace(INVISIBLE, '')
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1).trimEnd()}…` : plain;
}

/** Several lines of bounded length. Addresses in them are broken up, because mail programs turn them into links. */
export function manyLines(text: string, maxLength: number): string {
  const isCut = text.length > maxLength;
  const plain = text
    .slice(0, maxLength)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').replace(INVISIBLE, ''))
    .join('\n');
  return withoutLinks(isCut ? `${plain}\n…` : plain);
}

/** A zero-width space in an address: it reads the same, and leads nowhere. */
export const withoutLinks = (text: string): string =>
  text.replace(/:\/\//g, ':\u200b//').replace(/\bwww\./gi, (start) => `${start}\u200b`);

/** For elements and quoted attributes, in HTML and XML. */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** The URL as it may stand in a link; undefined unless it leads to the web. */
export function webUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
