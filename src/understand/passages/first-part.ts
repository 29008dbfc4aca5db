// The part of a long page that is looked at, and what a caller is told about the rest.

/** Finding passages in more text than this takes seconds. */
const LONGEST_TEXT = 1_000_000;

export function firstPart(markdown: string): { text: string; isCut: boolean } {
  if (markdown.length <= LONGEST_TEXT) return { text: markdown, isCut: false };
  const line = markdown.lastIndexOf('\n', LONGEST_TEXT);
  return { text: markdown.slice(0, line > 0 ? line : LONGEST_TEXT), isCut: true };
}

export const cutWarnings = (format: string, isCut: boolean): string[] =>
  isCut ? [`\`${format}\` was made from the first part of the page: the whole page is too long.`] : [];

export const noText = (format: string): string => `\`${format}\` is missing. The page has no text.`;
