// The terms of a question, and how often each occurs in a text: in any case, with any English ending, as a whole word or
// as part of a compound (`getUserName`). Scripts without spaces are matched by pairs of characters.
import { HANGUL, IDEOGRAPH, UNSPACED } from '../../text/words/character-classes.ts';
import { stemEnglish } from '../../text/words/stemmer.ts';
import { createStopTest, stopWordLanguages } from '../../text/words/stop-words.ts';
import { isWordBorder, scanWords } from '../../text/words/tokenizer.ts';

export interface Term {
  word: string;
  stem: string;
  /** What all words with this stem start with. */
  probe: string;
  /** The script does not separate words with spaces. */
  isUnspaced: boolean;
  isStop: boolean;
}

const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const SIGNS = /[^\p{L}\p{M}\p{N}]+/gu;
/** The last letters of a stem that its words may replace: story and stories, hope and hoping, possible and possibility. */
const VARIABLE_ENDING = /(?<=.{2})(?:[eiy]|(?<=b)l)$/;

const PREFIX_LETTERS = 4;
const PREFIX_WEIGHT = 0.5;
/** Further occurrences say nothing new, and the author of a text may know the question. */
const MAX_LOOKS = 64;
const MAX_WORD = 64;

/** Each term once, in the order of the question. */
export function termsOf(question: string): Term[] {
  const terms = new Map<string, Term>();
  const isStop = createStopTest(question);
  const add = (word: string, stem: string, isStopWord: boolean, isUnspaced: boolean) => {
    if (stem === '' || terms.has(stem)) return;
    terms.set(stem, { word, stem, probe: stem.replace(VARIABLE_ENDING, ''), isUnspaced, isStop: isStopWord });
  };
  scanWords(question, (word, start, end, kind) => {
    if (kind === IDEOGRAPH || kind === HANGUL || kind === UNSPACED) {
      for (const pair of pairsOf(word)) add(pair, pair, isStop(word, start, end), true);
      return;
    }
    const whole = question.slice(start, end).replace(SIGNS, '');
    add(whole.toLowerCase(), stemEnglish(whole.toLowerCase()), isStop(word, start, end), false);
    const parts = whole.split(HUMP).map((part) => part.toLowerCase());
    for (const part of parts) add(part, stemEnglish(part), stopWordLanguages(part).includes('en'), false);
  });
  return [...terms.values()];
}

function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** A longer word that starts with the term counts half. `lower` is the text in lower case. */
export function countOccurrences(text: string, lower: string, term: Term): number {
  let count = 0;
  let at = lower.indexOf(term.probe);
  for (let looks = 0; at !== -1 && looks < MAX_LOOKS; looks += 1) {
    if (term.isUnspaced) count += 1;
    else if (isWordBorder(lower, at) || isHump(text, lower, at)) count += matchAt(text, lower, at, term);
    at = lower.indexOf(term.probe, at + 1);
  }
  return count;
}

function matchAt(text: string, lower: string, at: number, { word, stem }: Term): number {
  let end = at + 1;
  let partEnd = -1;
  for (; end < at + MAX_WORD && !isWordBorder(lower, end); end += 1) {
    if (partEnd === -1 && isHump(text, lower, end)) partEnd = end;
  }
  if (stemEnglish(lower.slice(at, end)) === stem) return 1;
  if (partEnd !== -1 && stemEnglish(lower.slice(at, partEnd)) === stem) return 1;
  const isPrefix = [stem, word].some((prefix) => prefix.length >= PREFIX_LETTERS && lower.startsWith(prefix, at));
  return isPrefix ? PREFIX_WEIGHT : 0;
}

/** Whether a part of a compound starts here, as in `getUserName` and `HTTPServer`. */
function isHump(text: string, lower: string, at: number): boolean {
  const isCapital = (index: number) => text[index] !== lower[index];
  // A few capitals have longer lower-case forms, after which the indexes differ.
  if (!isCapital(at) || text.length !== lower.length) return false;
  return !isCapital(at - 1) || (!isCapital(at + 1) && !isWordBorder(lower, at + 1));
}
