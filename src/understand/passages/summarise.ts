// The sentences that say best what a page is about: near its start, with the words that the page and its title repeat, and
// not saying the same twice. Verbatim, in the order of the page.
import { guessLanguage } from '../../text/words/language.ts';
import { stopWordLanguages } from '../../text/words/stop-words.ts';
import { eachTerm } from '../../text/words/terms.ts';
import type { PassageSpan } from './find-passages.ts';
import { markdownUnits, type Unit } from './markdown-units.ts';

const MOST_SENTENCES = 5;
/** The summary has one sentence for this many of the page. */
const SENTENCES_PER_SENTENCE = 3;
const LONGEST_SUMMARY = 1_200;
const LONGEST_SENTENCE = 500;
const FEWEST_TERMS = 3;
/** Sentences after these are not read: what a page is about stands before. */
const READ_SENTENCES = 400;
const TITLE_WEIGHT = 1;
const LEAD_WEIGHT = 2.5;
/** The weight of the lead is halved after this many sentences. */
const LEAD_HALF = 4;
const OPENING_BONUS = 0.25;
/** With fewer sentences than this, it is chance which words are repeated. */
const FEW_SENTENCES = 8;
const REPEATED = 0.6;

const ENDED = /[.!?…。！？｡؟۔।॥։።។။]["'”’»)\]」』）*_\u0001]*$/u;
/** What sites say about themselves and to visitors, in whatever is left of it on the page. */
const HOUSEKEEPING =
  /\b(?:cookies?|newsletter|subscribe|sign (?:up|in)|log ?in|all rights reserved|privacy policy|terms of (?:use|service)|enable javascript|javascript is (?:disabled|required)|share this|follow us|click here|read more|advertisement|datenschutz\w*|alle rechte vorbehalten|abonnieren|politique de confidentialité|tous droits réservés|s[’']abonner|política de privacidad|todos los derechos|suscríb\w*)|©|隐私政策|版权所有|プライバシーポリシー/iu;

interface Candidate extends Unit {
  terms: Set<string>;
  isOpening: boolean;
  score: number;
}

export interface SummarisedPage {
  title?: string;
  language?: string;
}

export function summarySentences(markdown: string, page: SummarisedPage): PassageSpan[] {
  const { plain, units } = markdownUnits(markdown);
  const language = page.language?.slice(0, 2) ?? guessLanguage(plain);
  const title = termsOf(page.title ?? '', language);
  const candidates = candidatesOf(plain, units, language, title);
  weigh(candidates, title);
  const wanted = Math.min(MOST_SENTENCES, Math.max(1, Math.round(candidates.length / SENTENCES_PER_SENTENCE)));
  return choose(candidates, Math.max(wanted, Math.min(2, candidates.length)))
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => ({ start, end }));
}

/** Whole sentences; if the page has none, whatever has enough words; if these are all links, as on a front page, those. */
function candidatesOf(plain: string, units: readonly Unit[], language: string, title: Set<string>): Candidate[] {
  const isAboutIt = [...title].some((term) => HOUSEKEEPING.test(term));
  const all: Candidate[] = [];
  for (const [at, unit] of units.entries()) {
    if (all.length === READ_SENTENCES) break;
    if (unit.isLabel || unit.kind === 'code' || unit.kind === 'heading') continue;
    const text = plain.slice(unit.start, unit.end);
    if (text.length > LONGEST_SENTENCE || (!isAboutIt && HOUSEKEEPING.test(text))) continue;
    const terms = termsOf(text, language);
    if (terms.size < FEWEST_TERMS) continue;
    all.push({ ...unit, terms, isOpening: units[at - 1]?.block !== unit.block, score: 0 });
  }
  const said = all.filter(({ isLinks }) => !isLinks);
  const ended = said.filter((one) => one.kind === 'sentence' && ENDED.test(plain.slice(one.start, one.end)));
  return [ended, said, all].find(({ length }) => length > 0) ?? [];
}

function termsOf(text: string, language: string): Set<string> {
  const terms = new Set<string>();
  eachTerm(text, language, (term, start, end) => {
    if (stopWordLanguages(text.slice(start, end).toLowerCase()).length === 0) terms.add(term);
  });
  return terms;
}

function weigh(candidates: readonly Candidate[], title: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  // A word that only one sentence has is a detail.
  const centrality = candidates.map(({ terms }) => {
    let sum = 0;
    for (const term of terms) sum += Math.log(counts.get(term)!);
    return sum / Math.sqrt(terms.size);
  });
  const most = Math.max(...centrality, 1e-9);
  const trust = candidates.length / (candidates.length + FEW_SENTENCES);
  for (const [at, one] of candidates.entries()) {
    const lead = LEAD_WEIGHT / (1 + at / LEAD_HALF);
    const named = [...title].filter((term) => one.terms.has(term)).length / Math.max(1, title.size);
    one.score = (trust * centrality[at]!) / most + lead + TITLE_WEIGHT * named + (one.isOpening ? OPENING_BONUS : 0);
  }
}

function choose(candidates: readonly Candidate[], wanted: number): Candidate[] {
  const chosen: Candidate[] = [];
  let length = 0;
  for (const one of candidates.toSorted((a, b) => b.score - a.score)) {
    if (chosen.length === wanted) break;
    if (length + one.end - one.start > LONGEST_SUMMARY && chosen.length > 0) continue;
    if (chosen.some((other) => overlap(one.terms, other.terms) > REPEATED)) continue;
    chosen.push(one);
    length += one.end - one.start;
  }
  return chosen;
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const term of one) if (other.has(term)) both += 1;
  return both / Math.min(one.size, other.size);
}
