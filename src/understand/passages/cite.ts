// Answers that are made of passages, and where these stand.
import type { Citation, MadeFormat, PageText } from '../../page/understanding.ts';
import type { PassageSpan } from './find-passages.ts';

const BETWEEN = '\n\n';

/** Between sentences of a line, and between items or rows that follow each other. */
const GAP = /^(?:[ \t]*|[ \t|]*\n[ \t>|]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t])?)$/;
const LONGEST_GAP = 60;

/** The passages as one text, under this key, each with its citation. */
export function quoted(key: string, source: PageText, found: readonly PassageSpan[]): Omit<MadeFormat, 'warnings'> {
  const spans = joinNeighbours(source.markdown, found);
  const text = spans.map(({ start, end }) => source.markdown.slice(start, end)).join(BETWEEN);
  return { content: { [key]: text }, citations: citationsOf(key, source, spans) };
}

/** Passages that follow each other become one. */
function joinNeighbours(markdown: string, spans: readonly PassageSpan[]): PassageSpan[] {
  const joined: PassageSpan[] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    const isNext = last && start - last.end <= LONGEST_GAP && GAP.test(markdown.slice(last.end, start));
    if (isNext) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

/** By path: the key itself, or `key[0]`, `key[1]` ... if there are several. */
export function citationsOf(
  key: string,
  { url, markdown }: PageText,
  spans: readonly PassageSpan[],
): Record<string, Citation> {
  const cited = spans.map(({ start, end }) => ({ url, text: markdown.slice(start, end), start, end }));
  if (cited.length === 1) return { [key]: cited[0]! };
  return Object.fromEntries(cited.map((citation, at) => [`${key}[${at}]`, citation]));
}
