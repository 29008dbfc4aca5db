// Scores sentences with BM25, each as a small document: which query words it has, how rare they are, how close together,
// and whether it is prose at all.

import { eachWantedTerm, type QueryWord, queryWords } from '../words/terms.ts';
import { eachPhrase } from './find-phrase.ts';
import { eachSentence } from './sentences.ts';

interface Hit {
  word: number;
  start: number;
  end: number;
}

export interface Sentence {
  start: number;
  end: number;
  /** Number of terms. */
  length: number;
  hits: Hit[];
  phrases: number;
  /** 1 for prose, less for headings, rows of links and the like. Like the score, 0 without a hit. */
  prose: number;
  score: number;
}

export interface Weights {
  /** By query word: its inverse sentence frequency. */
  words: number[];
  total: number;
  averageLength: number;
  /** The words of the query that were looked for, by number. */
  wanted: readonly QueryWord[];
}

interface Span {
  start: number;
  end: number;
}

const MAX_WORDS = 64;
const MAX_PHRASES = 8;

const K1 = 1.2;
const B = 0.6;
/** Query words with at most this many characters between them are adjacent. */
const NEAR = 3;
const NEAR_WEIGHT = 0.2;
const COVERAGE_WEIGHT = 0.3;
const PHRASE_WEIGHT = 4;
/** Signs of text that is not prose: it has the words but says nothing. */
const FEW_TERMS = 4;
const SHORT_LINE = 100;
const MANY_SEPARATORS = 3;
const SEPARATOR = / [|·•›»→/] |\t/g;
const ENDED = /[.!?…。！？｡؟۔।॥։።។။]["'”’»)\]」』）]*$/u;

/** All sentences in order, or the given ones, outside of which the text has no words. Hits longer than `maxHit` are ignored. */
export function scoreSentences(
  text: string,
  language: string,
  words: readonly QueryWord[],
  phrases: readonly string[],
  maxHit: number,
  spans: readonly Span[] = spansOf(text),
): { sentences: Sentence[]; weights: Weights } {
  const sentences = spans.map(({ start, end }) => ({
    start,
    end,
    length: 0,
    hits: [],
    phrases: 0,
    prose: 0,
    score: 0,
  }));
  const searched = phrases.slice(0, MAX_PHRASES);
  const { forms, wanted } = formsOf(words, searched);
  markHits(text, language, forms, sentences, maxHit);
  markPhrases(text, searched, sentences);
  const weights = weightsOf(sentences, wanted);
  for (const sentence of sentences) {
    if (sentence.hits.length === 0) continue;
    sentence.prose = proseOf(text, sentence);
    sentence.score = scoreOf(sentence, weights) * sentence.prose;
  }
  return { sentences, weights };
}

/** Maps terms to the numbers of query words. Stop words count only if there are no others. */
function formsOf(
  words: readonly QueryWord[],
  phrases: readonly string[],
): { forms: Map<string, number>; wanted: QueryWord[] } {
  const all = [...words, ...phrases.flatMap((phrase) => queryWords(phrase))];
  const telling = all.filter(({ isStop }) => !isStop);
  const forms = new Map<string, number>();
  const wanted: QueryWord[] = [];
  for (const word of telling.length > 0 ? telling : all) {
    if (word.forms.every((form) => forms.has(form))) continue;
    for (const form of word.forms) if (!forms.has(form)) forms.set(form, wanted.length);
    wanted.push(word);
    if (wanted.length === MAX_WORDS) break;
  }
  return { forms, wanted };
}

function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  eachSentence(text, (start, end) => spans.push({ start, end }));
  return spans;
}

function markHits(
  text: string,
  language: string,
  forms: Map<string, number>,
  sentences: Sentence[],
  maxLength: number,
): void {
  let at = 0;
  eachWantedTerm(text, language, forms, (word, start, end) => {
    while (at < sentences.length - 1 && sentences[at]!.end <= start) at += 1;
    const sentence = sentences[at]!;
    sentence.length += 1;
    if (word >= 0 && end - start <= maxLength) sentence.hits.push({ word, start, end });
  });
}

function markPhrases(text: string, phrases: readonly string[], sentences: Sentence[]): void {
  if (sentences.length === 0) return;
  for (const phrase of phrases) {
    let at = 0;
    let last = -1;
    eachPhrase(text, phrase, (start) => {
      while (at < sentences.length - 1 && sentences[at]!.end <= start) at += 1;
      if (at !== last) sentences[at]!.phrases += 1;
      last = at;
    });
  }
}

function weightsOf(sentences: readonly Sentence[], wanted: readonly QueryWord[]): Weights {
  const counts: (number | undefined)[] = [];
  let terms = 0;
  for (const { hits, length } of sentences) {
    terms += length;
    if (hits.length === 0) continue;
    for (const word of new Set(hits.map((hit) => hit.word))) counts[word] = (counts[word] ?? 0) + 1;
  }
  const words = Array.from(counts, (count) =>
    count === undefined ? 0 : Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5)),
  );
  return {
    words,
    total: words.reduce((sum, weight) => sum + weight, 0),
    averageLength: Math.max(1, terms / Math.max(1, sentences.length)),
    wanted,
  };
}

function scoreOf(sentence: Sentence, weights: Weights): number {
  const counts = new Map<number, number>();
  let near = 0;
  let previous: Hit | undefined;
  for (const hit of sentence.hits) {
    const weight = weights.words[hit.word]!;
    if (
      !counts.has(hit.word) &&
      previous !== undefined &&
      previous.word !== hit.word &&
      hit.start - previous.end <= NEAR
    ) {
      near += Math.min(weight, weights.words[previous.word]!);
    }
    counts.set(hit.word, (counts.get(hit.word) ?? 0) + 1);
    previous = hit;
  }
  const norm = K1 * (1 - B + (B * sentence.length) / weights.averageLength);
  let score = 0;
  let covered = 0;
  for (const [word, count] of counts) {
    score += (weights.words[word]! * count * (K1 + 1)) / (count + norm);
    covered += weights.words[word]!;
  }
  score += NEAR_WEIGHT * near + PHRASE_WEIGHT * sentence.phrases;
  return score + COVERAGE_WEIGHT * covered * (covered / weights.total);
}

/** Judged by its end, its length and its separators. */
function proseOf(text: string, { start, end, length }: Sentence): number {
  const isEnded = ENDED.test(text.slice(Math.max(start, end - 6), end));
  let factor = isEnded ? 1 : end - start < SHORT_LINE ? 0.7 : 0.9;
  if (length < FEW_TERMS) factor *= 0.7;
  const separators = text.slice(start, Math.min(end, start + 1_000)).match(SEPARATOR)?.length ?? 0;
  return separators >= MANY_SEPARATORS ? factor * 0.6 : factor;
}
