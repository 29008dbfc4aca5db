// How likely a candidate is the value of a field: a logistic regression over what is known of it. scripts/fit-values fits
// the weights, with readers that never saw the kind of page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reading } from '../../../../encoders/reader/reading.ts';
import { stemEnglish } from '../../../../text/words/stemmer.ts';
import { lazy } from '../../../../util/lazy.ts';
import { folded } from '../../../data/item-values.ts';
import { labelBefore, type PageReadable } from '../../../reading/page-reading.ts';
import { nameWords } from '../field-names.ts';
import type { RequestedField } from '../ranked.ts';
import { SOURCES } from '../scope.ts';
import type { Candidate } from './candidates.ts';
import { kindFit, kindOfField } from './value-kind.ts';

export type Facts = Readonly<Record<string, number>>;

interface Weights {
  /** For fields that the reader has looked for. */
  read: Facts;
  unread: Facts;
}

const FILE = join(import.meta.dirname, '../../../../../data/value-weights.json');
const weights = lazy(() => JSON.parse(readFileSync(FILE, 'utf8')) as Weights);

export interface JudgedQuestion {
  asked: RequestedField;
  page: PageReadable;
  language: string | undefined;
  reading: Reading | undefined;
}

/** One probability for each candidate. */
export function scoreValues(candidates: readonly Candidate[], question: JudgedQuestion): number[] {
  const table = weights()[question.reading ? 'read' : 'unread'];
  return factsOf(candidates, question).map((facts) => probability(facts, table));
}

export function probability(facts: Facts, table: Facts): number {
  let sum = 0;
  for (const [name, value] of Object.entries(facts)) sum += value * (table[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The numbers that speak for and against each candidate, most between 0 and 1. */
export function factsOf(candidates: readonly Candidate[], { asked, page, language, reading }: JudgedQuestion): Facts[] {
  const kind = kindOfField(asked.field, asked.name);
  const wanted = nameWords(`${asked.name.words.join(' ')} ${asked.field.words}`).map(stemEnglish);
  const isIdentity = IDENTITY.some((concept) => asked.name.concepts.has(concept));
  const matches = candidates.map(({ match }) => match).sort((a, b) => b - a);
  const read = candidates.filter(({ score }) => score !== undefined).sort((a, b) => b.score! - a.score!);
  return candidates.map((candidate, rank): Facts => {
    const { text, match, from, times, places, value } = candidate;
    const fit = kindFit(kind, typeof value === 'number' ? text : String(value), language);
    const length = String(value).length;
    const [place] = places;
    const label = place ? nameWords(labelBefore(page.text, place.start)).map(stemEnglish) : [];
    const rival = matches[0] === match ? (matches[1] ?? 0) : matches[0]!;
    return {
      one: 1,
      match,
      isFirst: Number(rank === 0 && match > 0),
      matchLead: match > 0 ? match - rival : 0,
      ...Object.fromEntries(SOURCES.map((source) => [source, Number(from.has(source))])),
      sources: Math.max(0, from.size - 1) / 2,
      times: Math.log1p(times) / 3,
      label: share(wanted, label),
      isLabelled: Number(label.length > 0 && label.every((word) => wanted.includes(word))),
      fit,
      kindFit: kind === 'text' ? 0 : fit,
      short: 1 / (1 + length / 30),
      long: Number(length > 100),
      isMachineWritten: Number(MACHINE_TIME.test(text)),
      isAbsent: Number(places.length === 0),
      isTemplate: Number(isIdentity && [text, String(value)].some((each) => page.repeated.has(folded(each)))),
      early: place ? 1 - place.start / page.text.length : 0,
      often: Math.log1p(places.length) / 2,
      ...(reading && readFacts(candidate, read, rank, reading)),
    };
  });
}

/** What tells the pages of a site apart. Its other values, such as a team or a cuisine, may well be the same on most of them. */
const IDENTITY = ['name', 'price'];

/** `read`: the candidates that the reader has scored, the best first. */
function readFacts(
  candidate: Candidate,
  read: readonly Candidate[],
  rank: number,
  { read: runs, windows }: Reading,
): Facts {
  const { score, match } = candidate;
  if (score === undefined) return { isUnscored: 1 };
  const best = read[0]!;
  const isBest = candidate === best;
  const rival = read.find((other) => other !== candidate && !overlaps(candidate, other))?.score ?? score - 10;
  const isProposal = match === 0;
  return {
    score: clip(score / 10),
    scoreLead: clip((score - rival) / 10),
    isBest: Number(isBest),
    isNearBest: Number(!isBest && best.score! - score < NEAR),
    behindBest: clip((best.score! - score) / 10),
    isPartOfBest: Number(!isBest && overlaps(candidate, best)),
    agreed: Number(isBest && rank === 0 && !isProposal),
    isProposal: Number(isProposal),
    proposalScore: isProposal ? clip(score / 10) : 0,
    proposalLead: isProposal ? clip((score - rival) / 10) : 0,
    partlyRead: windows === 0 ? 0 : 1 - runs / windows,
  };
}

/** Scores that differ by less mean the same. */
const NEAR = 2;
/** As programs write it: such a date is no part of a sentence. */
const MACHINE_TIME = /^\d{4}-\d\d-\d\d(?:T|$)/;

const clip = (value: number): number => Math.max(-2, Math.min(2, value));

const share = (wanted: readonly string[], label: readonly string[]): number =>
  label.length === 0 ? 0 : label.filter((word) => wanted.includes(word)).length / label.length;

const overlaps = (a: Candidate, b: Candidate): boolean =>
  a.places.some((one) => b.places.some((other) => one.start < other.end && other.start < one.end));
