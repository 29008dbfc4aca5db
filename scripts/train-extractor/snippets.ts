// Which of the labelled snippets a text holds.

/** The share of the snippets that the text holds, regardless of case and line breaks; `ifNone` if there are none. */
export function snippetShare(text: string, snippets: readonly string[], ifNone: number): number {
  if (snippets.length === 0) return ifNone;
  const flat = flatten(text);
  return snippets.filter((snippet) => flat.includes(flatten(snippet))).length / snippets.length;
}

const flatten = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
