// What a word may become while it is being typed: prefixes of terms, and terms whose words it may be on the way to.
import { foldArabic, foldBrahmic, foldCyrillic, foldHebrew, foldLatin } from '../../../text/words/fold-letters.ts';
import { stemEnglish } from '../../../text/words/stemmer.ts';
import { STEM_MARK } from '../../../text/words/word-rules.ts';

export interface Unfinished {
  /** Terms that begin with it may be meant; undefined if it is too short to tell. */
  prefix?: string;
  /** Terms of inflected words that begin with it: `runni` may become `running`, whose term is `run`. */
  stems: string[];
}

const SUFFIXES = ['ing', 'ings', 'ed', 'er', 'ers', 'es', 'ies', 'ly', 'ment', 'ments', 'ation', 'ations', 'ness'];
/** One letter begins too many words; one syllable or ideograph does not. */
const SHORTEST_PREFIX = 2;
const SHORTEST_INFLECTED = 4;
const LONGEST_ENDING = 4;
const PLAIN_LATIN = /^[a-z]+$/;

/** The word comes in lower case, as the tokenizer gives it. */
export function readUnfinished(word: string): Unfinished {
  const letters = foldedBy(word)(word);
  const isLatin = letters < '\u0370';
  const isInflectable = isLatin && letters.length >= SHORTEST_INFLECTED;
  const stems = [
    ...(isInflectable && PLAIN_LATIN.test(letters) ? inflectedStems(letters) : []),
    ...(isInflectable ? foreignStems(letters) : []),
  ];
  if (letters === '' || (isLatin && letters.length < SHORTEST_PREFIX)) return { stems };
  return { prefix: letters, stems };
}

function foldedBy(word: string): (word: string) => string {
  if (/\p{Script=Cyrillic}/u.test(word)) return foldCyrillic;
  if (/\p{Script=Arabic}/u.test(word)) return foldArabic;
  if (/\p{Script=Hebrew}/u.test(word)) return foldHebrew;
  return word < '\u0900' ? foldLatin : foldBrahmic;
}

/** Stems of other languages that an ending has begun to follow: `verwaltu` may become `Verwaltung`. */
const foreignStems = (letters: string): string[] =>
  Array.from({ length: LONGEST_ENDING }, (_, at) => letters.slice(0, letters.length - at - 1))
    .filter(({ length }) => length >= SHORTEST_INFLECTED)
    .map((stem) => stem + STEM_MARK);

/** The stems of the words that result when a suffix, begun or not, is completed. */
function inflectedStems(letters: string): string[] {
  const stems = new Set<string>();
  for (const suffix of SUFFIXES) {
    for (let typed = 1; typed < suffix.length; typed += 1) {
      if (letters.endsWith(suffix.slice(0, typed))) stems.add(stemEnglish(letters + suffix.slice(typed)));
    }
    // A doubled consonant belongs to the suffix that follows: `runn`.
    if (letters.at(-1) === letters.at(-2)) stems.add(stemEnglish(letters + suffix));
  }
  stems.delete(letters);
  return [...stems];
}
