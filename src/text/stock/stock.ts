// Whether something can be bought now, as shops say it in many languages. The phrases are in data/stock-phrases.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';
import { createPhraseFinder, type FoundPhrase, foldForPhrases } from '../words/phrase-table.ts';

const FILE = join(import.meta.dirname, '../../../data/stock-phrases.json');

const OUT = ['soldOut', 'unavailable', 'backOrder', 'preOrder'] as const;
const IN = ['limited', 'inStock'] as const;
/**
 * `available`: words that also mean something else in longer texts. `gone`: words that say it only alone. `unless`: words
 * that make it a condition or the past. `label`: what stands before it. `time`: by when.
 */
type Kind =
  | (typeof OUT)[number]
  | (typeof IN)[number]
  | 'available'
  | 'gone'
  | 'not'
  | 'unless'
  | 'label'
  | 'time'
  | 'buy';
type Phrases = Partial<Record<Kind, string[]>>;

export interface Stock {
  inStock: boolean;
  /** The statement as it was written. */
  text: string;
  /** How many words it has beside its phrase: the fewer, the surer. */
  otherWords: number;
}

const MAX_TEXT = 300;
const MAX_SHOWN = 100;
const MAX_OTHER_WORDS = 6;
const MAX_BESIDE_AVAILABLE = 1;
/** Words between "not" and what it denies. */
const MAX_BETWEEN = 3;
const MAX_BUTTON = 60;
const CLAUSE_END = /[\n|•·;!?()[\]（）【】。！？、]+|[.,…](?=\s|$)|\s[–—-]\s/u;
const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu;
const LETTERS_A_WORD = 3;

const table = lazy(() => {
  const { terms, languages } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    terms: Record<'in' | 'out', string[]>;
    languages: Record<string, Phrases>;
  };
  const all = (kind: Kind): string[] => Object.values(languages).flatMap((phrases) => phrases[kind] ?? []);
  const kinds: Kind[] = [...OUT, ...IN, 'available', 'gone', 'not', 'unless', 'label', 'time'];
  const termsOf = (which: 'in' | 'out', inStock: boolean) =>
    terms[which].map((term) => [termKey(term), inStock] as const);
  return {
    terms: new Map([...termsOf('in', true), ...termsOf('out', false)]),
    find: createPhraseFinder<Kind>(Object.fromEntries(kinds.map((kind) => [kind, all(kind)]))),
    findBuy: createPhraseFinder<'buy'>({ buy: all('buy') }),
  };
});

const termKey = (term: string): string => term.replace(/[\s_-]/g, '').toLowerCase();

/** A term of schema.org, or a text that says it; undefined if the text says nothing about it. */
export function readStock(text: string): Stock | undefined {
  const said = text.replace(/\s+/g, ' ').trim();
  if (said === '' || said.length > MAX_TEXT) return undefined;
  const term = table().terms.get(termKey(said.replace(/^https?:\/\/(?:www\.)?schema\.org\//i, '')));
  if (term !== undefined) return { inStock: term, text: said, otherWords: 0 };
  let best: Stock | undefined;
  for (const clause of text.split(CLAUSE_END)) {
    const read = clause.trim() === '' ? undefined : readClause(clause);
    if (read && isSurer(read, best)) best = { ...read, text: said.length <= MAX_SHOWN ? said : clause.trim() };
  }
  return best;
}

/** Between two statements the plainer one counts, and between two plain ones the one that says no. */
export const isSurer = (stock: Omit<Stock, 'text'>, than: Omit<Stock, 'text'> | undefined): boolean =>
  than === undefined ||
  stock.otherWords < than.otherWords ||
  (stock.otherWords === than.otherWords && !stock.inStock && than.inStock);

function readClause(clause: string): Omit<Stock, 'text'> | undefined {
  const folded = foldForPhrases(clause);
  const found = table().find(folded);
  const first = (kinds: readonly Kind[]) => found.find(({ kind }) => kinds.includes(kind));
  if (found.length === 0 || first(['unless'])) return undefined;
  const otherWords = countOthers(folded, found);
  if (otherWords > MAX_OTHER_WORDS) return undefined;
  if (first(OUT)) return { inStock: false, otherWords };
  const said = first(IN) ?? first(['available']);
  if (said) {
    const isDenied = isZero(folded) || found.some((each) => each.kind === 'not' && isNear(folded, each, said));
    const isVague = said.kind === 'available' && otherWords > MAX_BESIDE_AVAILABLE;
    return isDenied || !isVague ? { inStock: !isDenied, otherWords } : undefined;
  }
  if (otherWords > 0) return undefined;
  if (first(['gone'])) return { inStock: false, otherWords };
  // "Stock: 12", "Stock: 0".
  return first(['label']) && /\d/.test(folded) ? { inStock: !isZero(folded), otherWords } : undefined;
}

const isZero = (folded: string): boolean => /(?<![\d.,])0(?![\d.,])/.test(folded);

function isNear(folded: string, { start, end }: FoundPhrase<Kind>, said: FoundPhrase<Kind>): boolean {
  const between = start < said.start ? folded.slice(end, said.start) : folded.slice(said.end, start);
  return countWords(between) <= MAX_BETWEEN;
}

/** Words beside the phrases, numbers not counted. */
function countOthers(folded: string, found: readonly FoundPhrase<Kind>[]): number {
  let rest = '';
  let from = 0;
  for (const { start, end } of found) {
    rest += `${folded.slice(from, start)} `;
    from = end;
  }
  return countWords((rest + folded.slice(from)).replace(/\d+/g, ' '));
}

function countWords(text: string): number {
  const letters = text.match(UNSPACED)?.length ?? 0;
  return (text.replace(UNSPACED, ' ').match(WORD)?.length ?? 0) + Math.ceil(letters / LETTERS_A_WORD);
}

/** "Availability", "Auf Lager": a text beside which the stock is said. */
export function isStockLabel(text: string): boolean {
  const folded = foldForPhrases(text).replace(/ ?:$/, '');
  const [first] = table().find(folded);
  return first?.start === 0 && first.end === folded.length && (first.kind === 'label' || first.kind === 'inStock');
}

/** Does a button or link say that it puts the thing into the cart? "Buy tickets" does not. */
export function isWayToBuy(text: string): boolean {
  const folded = foldForPhrases(text.slice(0, MAX_BUTTON + 1));
  if (folded.length > MAX_BUTTON) return false;
  const [first] = table().findBuy(folded);
  if (first?.start !== 0) return false;
  // A single word such as "buy" must be all there is.
  const isWord = !folded.slice(0, first.end).includes(' ') && !UNSPACED_WORD.test(folded.slice(0, first.end));
  return !isWord || countWords(folded.slice(first.end)) === 0;
}

const UNSPACED_WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
