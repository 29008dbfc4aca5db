// Finds the passage (snippet) of a text that answers a query best: the sentence with the highest score and its neighbours,
// perhaps joined with a second sentence that has missing words. Passages are verbatim.

import { eachWantedTerm, type QueryWord } from '../words/terms.ts';
import { isWordBorder } from '../words/tokenizer.ts';
import { type Sentence, scoreSentences, type Weights } from './sentence-scores.ts';
import { isSpace } from './sentences.ts';

export interface PassageQuery {
  words: readonly QueryWord[];
  phrases: readonly string[];
}

interface Span {
  start: number;
  end: number;
}

const MAX_TEXT = 150_000;
/** For passages of a document of its own, where the end counts as much as the start. */
const LONG_TEXT = 600_000;
/** In scripts without spaces, characters say more and take longer to scan. */
const MAX_UNSPACED_TEXT = 50_000;
const SAMPLE = 1_000;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const MAX_LENGTH = 300;
const MAX_SENTENCES = 3;
const MANY_SENTENCES = 8;
const MAX_GAP = 100;
/** Keeps rows of links and short headings from becoming the second part. */
const MIN_PROSE = 0.6;
const JOINT = ' … ';
const LINE_BREAK = /[\n\r\v\f\u2028\u2029]/;

/** Undefined if the text has no word of the query. */
export function bestPassage(
  text: string,
  language: string,
  query: PassageQuery,
  maxLength = MAX_LENGTH,
): string | undefined {
  const scanned = scannedPart(text);
  const { sentences, weights } = scoreSentences(scanned, language, query.words, query.phrases, maxLength);
  let best: Sentence | undefined;
  for (const sentence of sentences) {
    if (sentence.hits.length > 0 && (best === undefined || sentence.score > best.score)) best = sentence;
  }
  return best === undefined ? undefined : passageAround(scanned, sentences, best, weights, maxLength);
}

interface Passage {
  text: string;
  /** Comparable within one text. */
  score: number;
}

/** The best passages for the query, best first. They do not overlap. Fewer, if no more sentences have its words. */
export function bestPassages(
  text: string,
  language: string,
  query: PassageQuery,
  count: number,
  maxLength: number,
): Passage[] {
  const scanned = scannedPart(text, LONG_TEXT);
  const { sentences, weights } = scoreSentences(scanned, language, query.words, query.phrases, maxLength);
  const ranked = sentences.filter(({ hits }) => hits.length > 0).toSorted((a, b) => b.score - a.score);
  const indexes = new Map(sentences.map((sentence, index) => [sentence, index]));
  const taken = new Set<Sentence>();
  const passages: Passage[] = [];
  for (const best of ranked) {
    if (passages.length === count) break;
    if (taken.has(best)) continue;
    const index = indexes.get(best)!;
    const range = { first: index, last: index };
    let span: Span = { start: best.start, end: best.end };
    if (best.end - best.start > maxLength) span = clipped(scanned, best, weights, maxLength);
    else widen(scanned, sentences, range, span, maxLength, (sentence) => !taken.has(sentence), MANY_SENTENCES);
    for (const sentence of sentences.slice(range.first, range.last + 1)) taken.add(sentence);
    passages.push({ text: slice(scanned, span), score: best.score });
  }
  return passages;
}

function scannedPart(text: string, longest = MAX_TEXT): string {
  const isUnspaced = (text.slice(0, SAMPLE).match(UNSPACED)?.length ?? 0) > SAMPLE / 4;
  let end = Math.min(text.length, isUnspaced ? MAX_UNSPACED_TEXT : longest);
  for (let steps = 0; steps < MAX_GAP && !isWordBorder(text, end); steps += 1) end -= 1;
  return text.slice(0, end);
}

function passageAround(
  text: string,
  sentences: Sentence[],
  best: Sentence,
  weights: Weights,
  maxLength: number,
): string {
  if (best.end - best.start > maxLength) return slice(text, clipped(text, best, weights, maxLength));
  const covered = new Set(best.hits.map(({ word }) => word));
  const gainOf = ({ hits }: Sentence) => {
    const missing = new Set(hits.map(({ word }) => word).filter((word) => !covered.has(word)));
    return [...missing].reduce((sum, word) => sum + weights.words[word]!, 0);
  };
  const span = { start: best.start, end: best.end };
  const index = sentences.indexOf(best);
  const range = { first: index, last: index };
  widen(text, sentences, range, span, maxLength, (sentence) => {
    const isWanted = gainOf(sentence) > 0;
    if (isWanted) for (const { word } of sentence.hits) covered.add(word);
    return isWanted;
  });
  const second = bestOther(sentences, range, maxLength - (span.end - span.start) - JOINT.length, gainOf);
  if (second !== undefined) {
    const parts = second.start < span.start ? [second, span] : [span, second];
    return parts.map((part) => slice(text, part)).join(JOINT);
  }
  widen(text, sentences, range, span, maxLength, () => true);
  return slice(text, span);
}

/** Adds neighbours on the same line, following ones first, while they fit and are wanted. */
function widen(
  text: string,
  sentences: readonly Sentence[],
  range: { first: number; last: number },
  span: Span,
  maxLength: number,
  isWanted: (sentence: Sentence) => boolean,
  maxSentences = MAX_SENTENCES,
): void {
  const fits = (start: number, end: number, from: number, to: number) =>
    end - start <= maxLength && range.last - range.first + 1 < maxSentences && isSameLine(text, from, to);
  for (let next = sentences[range.last + 1]; next !== undefined; next = sentences[range.last + 1]) {
    if (!fits(span.start, next.end, span.end, next.start) || !isWanted(next)) break;
    span.end = next.end;
    range.last += 1;
  }
  for (let before = sentences[range.first - 1]; before !== undefined; before = sentences[range.first - 1]) {
    if (!fits(before.start, span.end, before.end, span.start) || !isWanted(before)) break;
    span.start = before.start;
    range.first -= 1;
  }
}

const isSameLine = (text: string, from: number, to: number): boolean =>
  to - from <= MAX_GAP && !LINE_BREAK.test(text.slice(from, to));

/** The sentence outside the range that adds the most missing words; ties go to the higher score. */
function bestOther(
  sentences: readonly Sentence[],
  range: { first: number; last: number },
  room: number,
  gainOf: (sentence: Sentence) => number,
): Sentence | undefined {
  let best: { sentence: Sentence; gain: number } | undefined;
  for (const [index, sentence] of sentences.entries()) {
    if (sentence.hits.length === 0 || sentence.end - sentence.start > room) continue;
    if (sentence.prose < MIN_PROSE || (index >= range.first && index <= range.last)) continue;
    const gain = gainOf(sentence);
    const isBetter =
      best === undefined || gain > best.gain || (gain === best.gain && sentence.score > best.sentence.score);
    if (gain > 0 && isBetter) best = { sentence, gain };
  }
  return best?.sentence;
}

/** The most telling part of a sentence that is too long, cut at word boundaries. */
function clipped(text: string, sentence: Sentence, weights: Weights, maxLength: number): Span {
  const { hits } = sentence;
  const counts = new Map<number, number>();
  let [first, value, bestFirst, bestLast, bestValue] = [0, 0, 0, 0, -1];
  for (const [last, hit] of hits.entries()) {
    const count = counts.get(hit.word) ?? 0;
    counts.set(hit.word, count + 1);
    if (count === 0) value += weights.words[hit.word]!;
    for (; hit.end - hits[first]!.start > maxLength; first += 1) {
      const { word } = hits[first]!;
      counts.set(word, counts.get(word)! - 1);
      if (counts.get(word) === 0) value -= weights.words[word]!;
    }
    if (value > bestValue + 1e-9) [bestFirst, bestLast, bestValue] = [first, last, value];
  }
  const [from, to] = [hits[bestFirst]!.start, hits[bestLast]!.end];
  const slack = maxLength - (to - from);
  let start = Math.max(sentence.start, Math.min(from - Math.floor(slack / 3), sentence.end - maxLength));
  while (start < from && !isWordBorder(text, start)) start += 1;
  let end = Math.min(sentence.end, start + maxLength);
  while (end > to && !isWordBorder(text, end)) end -= 1;
  while (start < from && isSpace(text, start)) start += 1;
  while (end > to && isSpace(text, end - 1)) end -= 1;
  return { start, end };
}

const slice = (text: string, { start, end }: Span): string => text.slice(start, end);

/** Shorter texts are headings, names or lone words. */
const FEW_LETTERS = 25;
const SYMBOLS = /[{}()[\]<>=;$|\\_#*/+~^&@`]/g;
const MANY_SYMBOLS = 0.1;

/**
 * Whether a passage must not replace a description: it has fewer words of the query, or is a line of code or a lone word
 * while the description is not.
 */
export function saysLess(passage: string, description: string, words: readonly QueryWord[]): boolean {
  if (description.trim() === '') return false;
  return coverage(passage, words) < coverage(description, words) || (isFragment(passage) && !isFragment(description));
}

function isFragment(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const symbols = text.match(SYMBOLS)?.length ?? 0;
  return letters < FEW_LETTERS || symbols > (letters + symbols) * MANY_SYMBOLS;
}

/** How many of the words a text has. Stop words count only if there are no others. */
function coverage(text: string, words: readonly QueryWord[]): number {
  const telling = words.filter(({ isStop }) => !isStop);
  const forms = new Map<string, number>();
  for (const [word, { forms: own }] of (telling.length > 0 ? telling : words).entries()) {
    for (const form of own) if (!forms.has(form)) forms.set(form, word);
  }
  const found = new Set<number>();
  eachWantedTerm(text, '', forms, (word) => {
    if (word >= 0) found.add(word);
  });
  return found.size;
}
