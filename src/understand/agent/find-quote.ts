// Finds a quotation in the Markdown of a page. Models copy words exactly, but not line breaks and marks of emphasis.

interface Place {
  start: number;
  end: number;
}

const MIN_LETTERS = 3;
const MAX_QUOTE = 1_000;
const MAX_WORDS = 150;
/** What may stand between two words besides spaces: marks of Markdown. */
const GAP = '[\\s*_`>|#~\\\\]+';
const EDGES = /^[\s"'“”„«»‘’`*_…]+|[\s"'“”„«»‘’`*_…]+$/g;

/** Undefined if the page does not say it. */
export function findQuote(markdown: string, quote: string): Place | undefined {
  const wanted = quote.slice(0, MAX_QUOTE).replaceAll(EDGES, '');
  if (wanted.replaceAll(/[^\p{L}\p{N}]/gu, '').length < MIN_LETTERS) return undefined;
  const start = markdown.indexOf(wanted);
  if (start >= 0) return { start, end: start + wanted.length };
  const words = wanted.split(new RegExp(GAP)).filter((word) => word !== '');
  if (words.length < 2 || words.length > MAX_WORDS) return undefined;
  const match = new RegExp(words.map(escaped).join(GAP)).exec(markdown);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
