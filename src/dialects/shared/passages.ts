// The passages of a page that fit a query, which come as one text with empty lines between them.

/** Undefined if there are none. */
export function firstPassages(highlights: string | undefined, count: number): string[] | undefined {
  const passages = (highlights ?? '').split(/\n{2,}/).filter((passage) => passage.trim() !== '');
  return passages.length > 0 ? passages.slice(0, count) : undefined;
}
