// What the model takes for a place is often a code or a label: it was trained on addresses, which are full of numbers.
import type { Span } from './label-spans.ts';

const EDGES = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;
/** `Oslo`, or a script without capitals. */
const PLACE_WORD = /\p{Lu}[\p{Ll}\p{M}]|\p{Lo}/u;
/** `OSLO, NORWAY`. Shorter ones are mostly abbreviations of other things: IBAN, SKU. */
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}{5,}(?![\p{L}\p{N}])/u;
const ABBREVIATED = new Set(['USA', 'US', 'U.S', 'UK', 'U.K', 'UAE', 'EU', 'NYC', 'DDR', 'UdSSR']);

/** The beginning of a line, a table cell or a sentence. */
const BEGINNING = /(?:^|[\n|.!?:>"«„“(])[\s*_#>|-]*$/u;
const LOOK_BACK = 40;
/** Any word has a capital letter there, so the model has to be surer. */
const MIN_SCORE_AT_BEGINNING = 0.7;

interface Strictness {
  /** Rather too many findings than too few. */
  isEager: boolean;
}

/** The spans without punctuation at their ends, and without places that are not written like one. */
export function plausibleSpans(text: string, spans: readonly Span[], { isEager }: Strictness): Span[] {
  return spans.flatMap((span) => {
    const trimmed = trim(text, span);
    if (trimmed.start >= trimmed.end) return [];
    if (span.type !== 'LOCATION') return [trimmed];
    const isLikely = isEager || span.score >= MIN_SCORE_AT_BEGINNING || !isBeginning(text, trimmed.start);
    return isLikely && isPlace(text.slice(trimmed.start, trimmed.end)) ? [trimmed] : [];
  });
}

const isPlace = (name: string): boolean => PLACE_WORD.test(name) || CAPITALS.test(name) || ABBREVIATED.has(name);

const isBeginning = (text: string, start: number): boolean =>
  BEGINNING.test(text.slice(Math.max(0, start - LOOK_BACK), start));

function trim(text: string, span: Span): Span {
  let { start, end } = span;
  for (const { index, 0: edge } of text.slice(start, end).matchAll(EDGES)) {
    if (index === 0) start += edge.length;
    else end -= edge.length;
  }
  return { ...span, start, end };
}
