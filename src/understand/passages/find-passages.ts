// The passages of a page that answer a question or fit a query: verbatim, in the order of the page.
import { guessLanguage } from '../../text/words/language.ts';
import { flatRanges } from '../reading/readable-text.ts';
import { MARKUP } from './plain-line.ts';
import { type ScoredUnit, scoreUnits } from './score-units.ts';

export interface PassageSpan {
  start: number;
  end: number;
}

export interface PassageRequest {
  question: string;
  title?: string;
  language?: string;
}

interface Limits {
  units: number;
  /** Units with less than this share of the best score are left out. */
  share: number;
  characters: number;
}

/** More is not read by the reader, as of a page for `json`. */
const MAX_READABLE = 100_000;
const ANSWER: Limits = { units: 3, share: 0.7, characters: 700 };
const HIGHLIGHTS: Limits = { units: 8, share: 0.4, characters: 2_500 };
/**
 * Half of what is asked must be named. Set on labelled questions (`npm run bench -- understand`), where a wrong "not stated"
 * counts like a wrong sentence.
 */
const MIN_COVERAGE = 0.49;

/** Best first, for measuring. */
export const rankUnits = (markdown: string, { question, ...page }: PassageRequest): ScoredUnit[] =>
  ranked(scoreUnits(markdown, question, page).scored);

const ranked = (scored: readonly ScoredUnit[]): ScoredUnit[] =>
  scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);

export interface AnswerPassages {
  /** Empty if the page does not seem to answer the question. */
  spans: PassageSpan[];
  /** Which share of what was asked the best unit and its labels name, 0 to 1. */
  coverage: number;
  /** The beginning of the Markdown, without its marks but with their room. */
  text: string;
  language: string;
  /** The sentences, items and rows in it that can be answers: start and end of each, one after the other. */
  units: Int32Array;
  /** Which share of what was asked each of them names, with its labels. */
  coverages: number[];
}

/** By the words of the question, and what a reader can read. */
export function answerPassages(markdown: string, request: PassageRequest): AnswerPassages {
  const { question, ...page } = request;
  const { scored, source } = scoreUnits(markdown, question, page);
  const all = ranked(scored);
  const [best] = all;
  const isAnswered = best !== undefined && best.coverage >= MIN_COVERAGE;
  const chosen = isAnswered && best.question !== undefined ? answerBelow(scored, best.question) : choose(all, ANSWER);
  return {
    spans: isAnswered ? inPageOrder(chosen) : [],
    coverage: best?.coverage ?? 0,
    coverages: scored.flatMap(({ isLabel, end, coverage }) => (!isLabel && end <= MAX_READABLE ? [coverage] : [])),
    text: source.plain.slice(0, MAX_READABLE).replaceAll(MARKUP, ' '),
    language: guessLanguage(source.plain, page.language),
    units: flatRanges(scored.filter(({ isLabel, end }) => !isLabel && end <= MAX_READABLE)),
  };
}

/** What follows a question on the page, up to the next label. */
function answerBelow(scored: readonly ScoredUnit[], question: number): ScoredUnit[] {
  const below = scored.slice(question + 1, question + 1 + ANSWER.units);
  const end = below.findIndex(({ isLabel }) => isLabel);
  return end === -1 ? below : below.slice(0, end);
}

/** Empty if no word of the query is on the page. */
export const highlightPassages = (markdown: string, request: PassageRequest): PassageSpan[] =>
  inPageOrder(choose(rankUnits(markdown, request), HIGHLIGHTS));

function choose(ranked: readonly ScoredUnit[], { units, share, characters }: Limits): ScoredUnit[] {
  const chosen: ScoredUnit[] = [];
  const least = (ranked[0]?.score ?? 0) * share;
  let length = 0;
  for (const unit of ranked) {
    if (chosen.length === units || unit.score < least) break;
    length += unit.end - unit.start;
    if (length > characters && chosen.length > 0) break;
    chosen.push(unit);
  }
  return chosen;
}

const inPageOrder = (units: readonly ScoredUnit[]): PassageSpan[] =>
  units.toSorted((a, b) => a.start - b.start).map(({ start, end }) => ({ start, end }));
