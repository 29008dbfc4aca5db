// Which of the labelled snippets a text contains.

/** The share of the snippets that the text contains, ignoring case and line breaks; `ifNone` without snippets. */
export function snippetShare(text: string, snippets: readonly string[], ifNone: number): number {
  if (snippets.length === 0) return ifNone;
  const flat = flatten(text);
  return snippets.filter((snippet) => flat.includes(flatten(snippet))).length / snippets.length;
}

const flatten = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
