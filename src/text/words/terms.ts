// Words as the index counts them (terms): stems or prefixes, n-grams in scripts without spaces or with attached particles.
// The script of a word decides first, then the language. The language of a query is unknown, so each of its words stands
// for all its forms.
import { lazy } from '../../util/lazy.ts';
import { HANGUL, IDEOGRAPH, PLAIN, UNSPACED } from './character-classes.ts';
import { foldArabic, foldHebrew } from './fold-letters.ts';
import { createJoinFinder, joinedPair } from './joined-words.ts';
import { createStopTest } from './stop-words.ts';
import { ASCII, normalForm, scanWords } from './tokenizer.ts';
import { createVocabularySource, type Vocabulary } from './vocabulary.ts';
import { EVERY_RULE, ownCopy, rulesOf, type Script, type WordRules, withoutPairs } from './word-rules.ts';

export interface QueryWord {
  text: string;
  /** The terms this word has in any language, without repeats, the likeliest first. */
  forms: string[];
  /** A stop word: it says little if there are other words. */
  isStop: boolean;
}

type OnTerm = (term: string, start: number, end: number) => void;

/** Ask again for every page: a full vocabulary is replaced. */
export const currentVocabulary = createVocabularySource();

export function eachTerm(text: string, language: string, visit: OnTerm): void {
  const rules = rulesOf(language);
  const own = currentVocabulary();
  const plain = own.plainWords(rules.plain);
  scanWords(
    text,
    (word, start, end, kind) => visitTerms(text, rules, word, start, end, kind, visit),
    (start, end, hash) => visit(own.terms[plain.get(text, start, end, hash)]!, start, end),
  );
}

/** Like eachTerm, with the numbers of the terms in a vocabulary. Gives words that were written in parts to `visitJoined`. */
export function eachTermNumber(
  numbered: Vocabulary,
  text: string,
  language: string,
  visit: (number: number) => void,
  visitJoined: (number: number) => void,
): void {
  const rules = rulesOf(language);
  const plain = numbered.plainWords(rules.plain);
  const joined = createJoinFinder(text);
  const join = (start: number, end: number) => {
    const word = joined(start, end);
    if (word !== undefined) visitJoined(numbered.numberOf(rules.latin(word)));
  };
  const look: OnTerm = (term) => visit(numbered.numberOf(term));
  scanWords(
    text,
    (word, start, end, kind) => {
      visitTerms(text, rules, word, start, end, kind, look);
      if (isLatinWord(word, kind)) join(start, end);
    },
    (start, end, hash) => {
      visit(plain.get(text, start, end, hash));
      join(start, end);
    },
  );
}

/** Like eachTerm, with the number of each `wanted` term and -1 for all others. Words that were written in parts follow these. */
export function eachWantedTerm(
  text: string,
  language: string,
  wanted: ReadonlyMap<string, number>,
  visit: (number: number, start: number, end: number) => void,
): void {
  const rules = rulesOf(language);
  const own = currentVocabulary();
  const plain = own.plainWords(rules.plain);
  const joined = createJoinFinder(text);
  // A term starts like its word, so the first letter rules out most words.
  const isBeginning = new Uint8Array(128);
  for (const term of wanted.keys()) if (term.charCodeAt(0) < 128) isBeginning[term.charCodeAt(0)] = 1;
  const look: OnTerm = (term, start, end) => visit(wanted.get(term) ?? -1, start, end);
  const join = (start: number, end: number) => {
    const word = joined(start, end);
    const number = word === undefined ? undefined : wanted.get(rules.latin(word));
    if (number !== undefined) visit(number, end - word!.length - 1, end);
  };
  scanWords(
    text,
    (word, start, end, kind) => {
      visitTerms(text, rules, word, start, end, kind, look);
      if (isLatinWord(word, kind)) join(start, end);
    },
    (start, end, hash) => {
      if (isBeginning[text.charCodeAt(start) | 0x20] === 1)
        look(own.terms[plain.get(text, start, end, hash)]!, start, end);
      else visit(-1, start, end);
      join(start, end);
    },
  );
}

function visitTerms(
  text: string,
  rules: WordRules,
  word: string,
  start: number,
  end: number,
  kind: number,
  visit: OnTerm,
): void {
  const script = scriptOf(word, kind);
  if (script === undefined) {
    eachPart(text, word, start, end, kind, visit);
    return;
  }
  const term = rules[script](word);
  if (term !== '') visit(term, start, end);
}

/** In order and with repeats: word for word what eachTerm gives in any language. */
export function queryWords(text: string): QueryWord[] {
  const words: QueryWord[] = [];
  const isStop = createStopTest(text);
  scanWords(text, (word, start, end, kind) => {
    const script = scriptOf(word, kind);
    if (script !== undefined) {
      const forms = formsOf(word, script);
      if (forms.length > 0) words.push({ text: word, forms, isStop: isStop(word, start, end) });
      return;
    }
    eachPart(text, word, start, end, kind, (term, from, to) => {
      const whole = kind === IDEOGRAPH || kind === UNSPACED ? term : word;
      words.push({ text: term, forms: [term], isStop: isStop(whole, from, to) });
    });
  });
  return words;
}

/** The terms of two words of a query, if others write them as one. */
export function joinedForms(left: QueryWord, right: QueryWord): string[] {
  const areLatin = [left, right].every(({ text }) => isLatin(firstLetter(text)));
  return areLatin ? joinedPair(left.text, right.text).flatMap((joined) => formsOf(joined, 'latin')) : [];
}

function formsOf(word: string, script: Script): string[] {
  const forms = new Set(EVERY_RULE[script].map((rule) => rule(word)));
  forms.delete('');
  return [...forms];
}

const isLatinWord = (word: string, kind: number): boolean =>
  kind === ASCII || (kind === PLAIN && isLatin(firstLetter(word)));

/** Undefined if words of the script are cut into parts. Digits and signs count as Latin. */
function scriptOf(word: string, kind: number): Script | undefined {
  if (kind === ASCII) return 'latin';
  if (kind !== PLAIN) return undefined;
  const letter = firstLetter(word);
  if (isLatin(letter)) return 'latin';
  if (letter >= 0x590 && letter <= 0x8ff) return undefined;
  if (letter <= 0x3ff || (letter >= 0x1f00 && letter <= 0x1fff)) return 'greek';
  if (letter >= 0x400 && letter <= 0x52f) return 'cyrillic';
  return letter >= 0x900 && letter <= 0xdff ? 'brahmic' : 'other';
}

/** Words of scripts without spaces, or with attached particles. */
function eachPart(text: string, word: string, start: number, end: number, kind: number, visit: OnTerm): void {
  if (kind === IDEOGRAPH) {
    eachIdeograph(word, start, end, visit);
  } else if (kind === UNSPACED) {
    eachSegment(text.slice(start, end), start, visit);
  } else if (kind === HANGUL) {
    eachGram(withoutPairs(word), 2, start, end, visit);
  } else {
    const folded = withoutPairs(firstLetter(word) < 0x600 ? foldHebrew(word) : foldArabic(word));
    eachGram(folded, /^\d/.test(folded) ? folded.length : 4, start, end, visit);
  }
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

const isLatin = (letter: number): boolean =>
  letter < 0x370 ||
  (letter >= 0x1e00 && letter <= 0x1eff) ||
  (letter >= 0xa720 && letter <= 0xab65 && !(letter >= 0xa800 && letter < 0xab30));

/** The code of the first character that is not an ASCII digit, or of the last one. */
function firstLetter(word: string): number {
  let at = 0;
  while (at < word.length - 1 && word.charCodeAt(at) < 0x3a) at += 1;
  return word.charCodeAt(at);
}

const isHalf = (word: string, at: number): boolean => (word.charCodeAt(at) & 0xf800) === 0xd800;
