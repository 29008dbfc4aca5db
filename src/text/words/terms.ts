// Words as the index counts them (terms): stems in English, prefixes in other languages, n-grams in scripts without spaces
// or with attached particles. The script of a word decides first, then the language. The language of a query is unknown,
// so each of its words stands for all its forms.
import { lazy } from '../../util/lazy.ts';
import { HANGUL, IDEOGRAPH, UNSPACED } from './character-classes.ts';
import { foldArabic, foldBrahmic, foldCyrillic, foldHebrew, foldLatin } from './fold-letters.ts';
import { stemEnglish } from './stemmer.ts';
import { createStopTest } from './stop-words.ts';
import { ASCII, normalForm, scanWords } from './tokenizer.ts';
import { createVocabularySource, type Vocabulary } from './vocabulary.ts';

export interface QueryWord {
  text: string;
  /** The terms this word has in any language, without repeats, the likeliest first. */
  forms: string[];
  /** A stop word: it says little if there are other words. */
  isStop: boolean;
}

type Rule = (word: string) => string;
type OnTerm = (term: string, start: number, end: number) => void;

const MAX_CACHED_WORDS = 50_000;
const MAX_CACHED_LENGTH = 24;

/** How a language makes terms from Latin letters: from any word, and from plain ASCII words. */
interface LatinRule {
  of: Rule;
  plain: Rule;
}

const latinRule = (rule: Rule): LatinRule => ({
  of: cached((word) => rule(foldLatin(word))),
  plain: (word) => ownCopy(rule(word)),
});

const english = latinRule(stemEnglish);
const longCut = latinRule((word) => markedPrefix(word, 6, '\ue006'));
const shortCut = latinRule((word) => markedPrefix(word, 5, '\ue005'));
const cyrillic = cached((word) => cut(foldCyrillic(word), 5));
const brahmic = cached((word) => cut(foldBrahmic(word), 5));
/** Vietnamese: accents distinguish words, and words are short. Words without accents are treated as foreign. */
const vietnamese: LatinRule = {
  of: (word) => (isAscii(word) || longCut.of(word) === '' ? longCut.of(word) : ownCopy(withoutPairs(word))),
  plain: longCut.plain,
};

const LATIN_RULES = new Map<string, LatinRule>([
  ['', english],
  ['en', english],
  ['vi', vietnamese],
  ['tr', shortCut],
  ['az', shortCut],
]);
const EVERY_LATIN_RULE = [english, longCut, shortCut, vietnamese];

/** Ask again for every page: a full vocabulary is replaced. */
export const currentVocabulary = createVocabularySource();

export function eachTerm(text: string, language: string, visit: OnTerm): void {
  const latin = LATIN_RULES.get(language) ?? longCut;
  const own = currentVocabulary();
  const plain = own.plainWords(latin.plain);
  scanWords(
    text,
    (word, start, end, kind) => visitTerms(text, latin, word, start, end, kind, visit),
    (start, end, hash) => visit(own.terms[plain.get(text, start, end, hash)]!, start, end),
  );
}

/** Like eachTerm, with the numbers of the terms in a vocabulary. */
export function eachTermNumber(
  numbered: Vocabulary,
  text: string,
  language: string,
  visit: (number: number) => void,
): void {
  const latin = LATIN_RULES.get(language) ?? longCut;
  const plain = numbered.plainWords(latin.plain);
  const look: OnTerm = (term) => visit(numbered.numberOf(term));
  scanWords(
    text,
    (word, start, end, kind) => visitTerms(text, latin, word, start, end, kind, look),
    (start, end, hash) => visit(plain.get(text, start, end, hash)),
  );
}

/** Like eachTerm, with the number of each `wanted` term and -1 for all others. */
export function eachWantedTerm(
  text: string,
  language: string,
  wanted: ReadonlyMap<string, number>,
  visit: (number: number, start: number, end: number) => void,
): void {
  const latin = LATIN_RULES.get(language) ?? longCut;
  const own = currentVocabulary();
  const plain = own.plainWords(latin.plain);
  // A term starts like its word, so the first letter rules out most words.
  const isBeginning = new Uint8Array(128);
  for (const term of wanted.keys()) if (term.charCodeAt(0) < 128) isBeginning[term.charCodeAt(0)] = 1;
  const look: OnTerm = (term, start, end) => visit(wanted.get(term) ?? -1, start, end);
  scanWords(
    text,
    (word, start, end, kind) => visitTerms(text, latin, word, start, end, kind, look),
    (start, end, hash) => {
      if (isBeginning[text.charCodeAt(start) | 0x20] === 1)
        look(own.terms[plain.get(text, start, end, hash)]!, start, end);
      else visit(-1, start, end);
    },
  );
}

function visitTerms(
  text: string,
  { of }: LatinRule,
  word: string,
  start: number,
  end: number,
  kind: number,
  visit: OnTerm,
): void {
  if (kind === ASCII) {
    visit(of(word), start, end);
  } else if (isLatin(word)) {
    const term = of(word);
    if (term !== '') visit(term, start, end);
  } else eachOtherTerm(text, word, start, end, kind, visit);
}

/** In order and with repeats: word for word what eachTerm gives in any language. */
export function queryWords(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  const isStop = createStopTest(text);
  scanWords(text, (word, start, end, kind) => {
    if (kind === ASCII || isLatin(word)) {
      const forms = new Set(EVERY_LATIN_RULE.map(({ of }) => of(word)));
      forms.delete('');
      if (forms.size > 0) words.push({ text: word, forms: [...forms], isStop: isStop(word, start, end) });
      return;
    }
    eachOtherTerm(text, word, start, end, kind, (term, from, to) => {
      const whole = kind === IDEOGRAPH || kind === UNSPACED ? term : word;
      words.push({ text: term, forms: [term], isStop: isStop(whole, from, to) });
    });
  });
  return words;
}

function eachOtherTerm(text: string, word: string, start: number, end: number, kind: number, visit: OnTerm): void {
  const letter = firstLetter(word);
  if (kind === IDEOGRAPH) {
    eachIdeograph(word, start, end, visit);
  } else if (kind === UNSPACED) {
    eachSegment(text.slice(start, end), start, visit);
  } else if (kind === HANGUL) {
    eachGram(withoutPairs(word), 2, start, end, visit);
  } else if (letter >= 0x590 && letter <= 0x8ff) {
    const folded = withoutPairs(letter < 0x600 ? foldHebrew(word) : foldArabic(word));
    eachGram(folded, /^\d/.test(folded) ? folded.length : 4, start, end, visit);
  } else {
    const term = ruleOf(letter)(word);
    if (term !== '') visit(term, start, end);
  }
}

function ruleOf(letter: number): Rule {
  if (letter >= 0x400 && letter <= 0x52f) return cyrillic;
  return letter >= 0x900 && letter <= 0xdff ? brahmic : longCut.of;
}

/** Bigrams, and each Han character by itself, since one-character words are common. Single kana only if nothing is next to them. */
function eachIdeograph(word: string, start: number, end: number, visit: OnTerm): void {
  const isInPlace = word.length === end - start;
  for (let at = 0; at < word.length; at += 1) {
    if (isHalf(word, at)) continue;
    const from = isInPlace ? start + at : start;
    const hasNext = at + 1 < word.length && !isHalf(word, at + 1);
    const isAlone = !hasNext && (at === 0 || isHalf(word, at - 1));
    if (isAlone || !isKana(word.charCodeAt(at))) visit(word[at]!, from, isInPlace ? from + 1 : end);
    if (hasNext) visit(word.slice(at, at + 2), from, isInPlace ? from + 2 : end);
  }
}

const isKana = (code: number): boolean => (code >= 0x3040 && code <= 0x30ff) || (code >= 0x31f0 && code <= 0x31ff);

function eachGram(word: string, size: number, start: number, end: number, visit: OnTerm): void {
  if (word === '') return;
  const isInPlace = word.length === end - start;
  for (let at = 0; at === 0 || at + size <= word.length; at += 1) {
    if (isInPlace) visit(ownCopy(word.slice(at, at + size)), start + at, start + Math.min(at + size, word.length));
    else visit(ownCopy(word.slice(at, at + size)), start, end);
  }
}

const wordSegmenter = lazy(() => new Intl.Segmenter('th', { granularity: 'word' }));

function eachSegment(run: string, start: number, visit: OnTerm): void {
  for (const { segment, index, isWordLike } of wordSegmenter().segment(run)) {
    const term = isWordLike ? ownCopy(withoutPairs(normalForm(segment))) : '';
    if (term !== '') visit(term, start + index, start + index + segment.length);
  }
}

/** Whether a word is in Latin script, by its first letter. Digits and signs count as Latin. */
function isLatin(word: string): boolean {
  const letter = firstLetter(word);
  return (
    letter < 0x370 ||
    (letter >= 0x1e00 && letter <= 0x1eff) ||
    (letter >= 0xa720 && letter <= 0xab65 && !(letter >= 0xa800 && letter < 0xab30))
  );
}

/** The code of the first character that is not an ASCII digit, or of the last one. */
function firstLetter(word: string): number {
  let at = 0;
  while (at < word.length - 1 && word.charCodeAt(at) < 0x3a) at += 1;
  return word.charCodeAt(at);
}

/** Words with digits stay whole: their prefixes mean nothing. */
const cut = (word: string, length: number): string =>
  word.length <= length || /\d/.test(word) ? word : word.slice(0, length);

/** The prefix of a long word, marked as such: the Turkish form of `afternoon` must not match the English word `after`. */
const markedPrefix = (word: string, length: number, mark: string): string =>
  word.length < length || /\d/.test(word) ? word : word.slice(0, length) + mark;

const SIGNS: Record<string, string> = { '+': 'plus', '#': 'sharp', '.': 'dot' };

/** Terms have no signs (`c++` is `cplusplus`) and no surrogate pairs, which sort differently here and in SQLite. */
function cached(rule: Rule): Rule {
  const terms = new Map<string, string>();
  return (word) => {
    const known = terms.get(word);
    if (known !== undefined) return known;
    const term = ownCopy(rule(withoutPairs(withoutSigns(word))));
    if (word.length > MAX_CACHED_LENGTH) return term;
    if (terms.size >= MAX_CACHED_WORDS) terms.clear();
    terms.set(ownCopy(word), term);
    return term;
  };
}

const withoutSigns = (word: string): string =>
  /[+#.]/.test(word) ? word.replace(/[+#.]/g, (sign) => SIGNS[sign]!) : word;

const withoutPairs = (word: string): string => (isAscii(word) ? word : word.replace(/[\ud800-\udfff]+/g, ''));

const isHalf = (word: string, at: number): boolean => (word.charCodeAt(at) & 0xf800) === 0xd800;

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) >= 128) return false;
  return true;
}

/** A slice keeps its whole text in memory, and terms live long. */
const ownCopy = (part: string): string => (part.length < 13 ? part : ` ${part}`.slice(1));
