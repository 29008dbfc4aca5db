// The words of a text, without anything that a search engine could read as an operator.

export function plainWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][^\s|()":：]*/gu) ?? [];
  return words.map((word) => (word === 'OR' || word === 'AND' ? word.toLowerCase() : word));
}
