// The title of a page as lists show it.

/** A title can be as long as a page. */
const MAX_TITLE = 500;

/** A page can have several. */
export const shownTitle = (title: unknown): string =>
  String(Array.isArray(title) ? (title[0] ?? '') : title).slice(0, MAX_TITLE);
