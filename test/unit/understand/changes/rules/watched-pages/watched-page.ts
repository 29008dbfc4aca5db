// A watched page, and edits of it that are noise or matter.

/** Replaces one text of the page by another one. */
export type Edit = readonly [from: string, to: string];

export interface WatchedPage {
  markdown: string;
  noise: readonly Edit[];
  real: readonly Edit[];
}

export function edited(markdown: string, [from, to]: Edit): string {
  if (!markdown.includes(from)) throw new Error(`The page does not contain "${from}".`);
  return markdown.replaceAll(from, to);
}
