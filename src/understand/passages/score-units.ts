// Scores the units of a page for a question: their own words by BM25, and those of the heading, label or table header above
// them, which say what they are about.

import { type Sentence, scoreSentences, type Weights } from '../../text/passages/sentence-scores.ts';
import { guessLanguage } from '../../text/words/language.ts';
import { queryWords } from '../../text/words/terms.ts';
import { fieldName } from '../json/fill/field-names.ts';
import { type AskedFor, askedFor, hasKind } from './answer-kind.ts';
import { type MarkdownUnits, markdownUnits, type Unit } from './markdown-units.ts';

export interface ScoredUnit extends Unit {
  /** Position among the units. */
  at: number;
  /** Comparable within one page. 0 if the unit cannot be an answer. */
  score: number;
  /** Which share of what was asked the unit and its labels name, 0 to 1. Comparable between pages. */
  coverage: number;
  /** Position of the question on the page that this unit answers, if the question fits better than the unit itself. */
  question?: number;
}

const MAX_HIT = 300;
/** How much of its score a label passes on to what stands below it. */
const LABEL_SHARE = 0.8;
const HEADING_SHARE = 0.6;
const HEADER_SHARE = 0.6;
/** The further below, the less it is about that. */
const LABEL_FADE = 0.75;
const HEADING_FADE = 0.93;
/** Words of the title name the page, not what is asked about it. */
const TITLE_WEIGHT = 0.05;
const WRONG_KIND = 0.75;
const RIGHT_KIND = 1.15;
/** Units that are not sentences but say something in few words. */
const FACT_FACTOR = 0.9;
const LINKS_FACTOR = 0.5;
/** A label so far above says nothing about a unit any more. */
const FAINT = 0.1;
/** A word that is nowhere on the page counts like one that is there this often: pages use other words than questions. */
const MISSING_COUNT = 1;

interface Context {
  heading: Label | undefined;
  label: Label | undefined;
  header: Label | undefined;
}

interface Label {
  sentence: Sentence;
  at: number;
}

export function scoreUnits(
  markdown: string,
  question: string,
  page: { title?: string; language?: string },
): { scored: ScoredUnit[]; source: MarkdownUnits } {
  const source = markdownUnits(markdown);
  const { plain, units } = source;
  const language = page.language?.slice(0, 2) ?? guessLanguage(plain);
  const { sentences, weights } = scoreSentences(plain, language, queryWords(question), [], MAX_HIT, units);
  const asked = askedFor(question);
  const cover = createCoverage(weights, titleWords(units, sentences, page.title, question), asked, units.length);
  const sameMeaning = createMeanings(weights.wanted);
  const context: Context = { heading: undefined, label: undefined, header: undefined };
  const scored = units.map((unit, at) => {
    const sentence = sentences[at]!;
    const above = labelsAbove(unit, context, units[at - 1]);
    enterLabel(context, unit, { sentence, at });
    if (unit.isLabel) return { ...unit, at, score: 0, coverage: 0 };
    const parts = above.map(({ label, share, fade }) => ({ label, weight: share * fade ** (at - label.at - 1) }));
    const inherited = parts.reduce((sum, { label, weight }) => sum + label.sentence.score * weight, 0);
    const own = ownScore(sentence, unit);
    const question = above.find(({ label }) => units[label.at]!.isQuestion && label.sentence.score >= own)?.label.at;
    const meant = sameMeaning(
      plain,
      unit,
      above.map(({ label }) => units[label.at]!),
    );
    const isRightKind = asked === undefined || hasKind(plain.slice(unit.start, unit.end), asked.kind);
    const fit = asked === undefined ? 1 : isRightKind ? RIGHT_KIND : WRONG_KIND;
    return {
      ...unit,
      at,
      score: (own + inherited + meant.length * MEANT_SCORE) * fit,
      ...(question !== undefined && { question }),
      coverage: cover(
        sentence,
        parts.filter(({ weight }) => weight > FAINT).map(({ label }) => label.sentence),
        { isRightKind, meant },
      ),
    };
  });
  return { scored, source };
}

/** Lists, rows and code have no full stops; that does not make them worse answers. */
function ownScore({ score, prose }: Sentence, { kind, isLinks }: Unit): number {
  if (score === 0) return 0;
  const own = kind === 'sentence' ? score : (score / prose) * Math.max(prose, FACT_FACTOR);
  return isLinks ? own * LINKS_FACTOR : own;
}

function labelsAbove(
  unit: Unit,
  { heading, label, header }: Context,
  before: Unit | undefined,
): { label: Label; share: number; fade: number }[] {
  return [
    ...(heading ? [{ label: heading, share: HEADING_SHARE, fade: HEADING_FADE }] : []),
    ...(label ? [{ label, share: LABEL_SHARE, fade: LABEL_FADE }] : []),
    ...(header && unit.kind === 'row' && before?.kind === 'row'
      ? [{ label: header, share: HEADER_SHARE, fade: 1 }]
      : []),
  ];
}

function enterLabel(context: Context, unit: Unit, own: Label): void {
  if (unit.kind !== 'row') context.header = undefined;
  if (!unit.isLabel) return;
  if (unit.kind === 'heading') {
    context.heading = own;
    context.label = undefined;
  } else if (unit.kind === 'row') context.header = own;
  else context.label = own;
}

/** The words of the question that the title has: by number, as in the hits. */
function titleWords(
  units: readonly Unit[],
  sentences: readonly Sentence[],
  title: string | undefined,
  question: string,
): ReadonlySet<number> {
  const first = units.findIndex(({ kind }) => kind === 'heading');
  const inHeading = first === -1 || first > 3 ? [] : sentences[first]!.hits.map(({ word }) => word);
  if (title === undefined) return new Set(inHeading);
  const { sentences: own } = scoreSentences(title, '', queryWords(question), [], MAX_HIT, [
    { start: 0, end: title.length },
  ]);
  return new Set([...inHeading, ...own[0]!.hits.map(({ word }) => word)]);
}

interface Fit {
  isRightKind: boolean;
  /** Words of the question, by number, that a label says in another word. */
  meant: readonly number[];
}

/** Which words of the question the label of a value says in another word: "Vergütung" for "Gehalt", "price" for "cost". */
function createMeanings(wanted: Weights['wanted']) {
  const asked = wanted.map(({ text }) => conceptOf(text));
  if (asked.every((concept) => concept === undefined)) return () => [];
  return (plain: string, { start, end }: Unit, above: readonly Unit[]): number[] => {
    const own = LABELLED.exec(plain.slice(start, Math.min(end, start + MAX_LABEL)))?.[1];
    const labels = [
      ...(own === undefined ? [] : [own]),
      ...above.slice(-1).map((unit) => plain.slice(unit.start, unit.end)),
    ];
    const said = new Set(labels.filter(({ length }) => length <= MAX_LABEL).map(conceptOf));
    return asked.flatMap((concept, word) => (concept !== undefined && said.has(concept) ? [word] : []));
  };
}

const MAX_LABEL = 60;
/** Markup ends a label like a colon: cells, bold words. */
const LABELLED = /^[\s|\u0001]*([^:：|\n\u0001]{2,50}?)\s*[:：|\u0001]/u;
/** About what a rare word counts. */
const MEANT_SCORE = 2;

/** What a word means as the name of a value, if that is clear. */
function conceptOf(text: string): string | undefined {
  const [best] = [...fieldName(text).concepts].toSorted(([, a], [, b]) => b - a);
  return best && best[1] >= 0.93 ? best[0] : undefined;
}

/** The share of the question that is named, by the weights of its words. The kind of answer asked for counts like a word. */
function createCoverage(
  { words, wanted }: Weights,
  inTitle: ReadonlySet<number>,
  asked: AskedFor | undefined,
  count: number,
) {
  const missingWeight = Math.max(0, Math.log(1 + (count - MISSING_COUNT + 0.5) / (MISSING_COUNT + 0.5)));
  const kindWeight = asked === undefined ? 0 : missingWeight;
  const weights = wanted.map(({ text }, word) => {
    if (asked?.words.includes(text)) return 0;
    return (words[word] || missingWeight) * (inTitle.has(word) ? TITLE_WEIGHT : 1);
  });
  const all = weights.reduce((sum, weight) => sum + weight, kindWeight);
  return (sentence: Sentence, labels: readonly Sentence[], { isRightKind, meant }: Fit): number => {
    const found = new Set([...meant, ...[sentence, ...labels].flatMap(({ hits }) => hits.map(({ word }) => word))]);
    for (const word of inTitle) found.add(word);
    let sum = isRightKind ? kindWeight : 0;
    for (const word of found) sum += weights[word]!;
    return all === 0 ? 0 : sum / all;
  };
}
