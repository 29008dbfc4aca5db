// How one word becomes a term, by script and language: stems where there is a stemmer that was found better, else prefixes.
import { foldBrahmic, foldCyrillic, foldLatin } from './fold-letters.ts';
import { stemEnglish } from './stemmer.ts';
import { createStemmer, STEMMED_LATIN, type StemmedLanguage } from './stemmers.ts';

export type WordRule = (word: string) => string;

/** Scripts that put spaces between words and attach nothing to them. */
export type Script = 'latin' | 'greek' | 'cyrillic' | 'brahmic' | 'other';

/** How a language makes terms of the words of each script. `plain`: of plain ASCII words. */
export type WordRules = Record<Script | 'plain', WordRule>;

const MAX_CACHED_WORDS = 20_000;
const MAX_CACHED_LENGTH = 24;
/** Ends a stem of another language than English, which must not match an English word: French `pars` and English `par`. */
export const STEM_MARK = '\ue007';

type LatinRules = Pick<WordRules, 'latin' | 'plain'>;

const latinRules = (rule: WordRule): LatinRules => ({
  latin: cached((word) => rule(foldLatin(word))),
  plain: (word) => ownCopy(rule(word)),
});

const english = latinRules(stemEnglish);
const longCut = latinRules((word) => markedPrefix(word, 6, '\ue006'));
/** Vietnamese: accents distinguish words, and words are short. Words without accents are treated as foreign. */
const vietnamese: LatinRules = {
  latin: (word) => (isAscii(word) || longCut.latin(word) === '' ? longCut.latin(word) : ownCopy(withoutPairs(word))),
  plain: longCut.plain,
};
const cyrillic = cached((word) => cut(foldCyrillic(word), 5));
const brahmic = cached((word) => cut(foldBrahmic(word), 5));

const stemmed = new Map(STEMMED_LATIN.map((language) => [language, stemmedLatin(language)]));
const russian = stemmedRule('ru', foldCyrillic, asItIs);
const greek = stemmedRule('el', asItIs, foldLatin);

const OTHERS: WordRules = { ...longCut, greek: longCut.latin, cyrillic, brahmic, other: longCut.latin };
const BY_LANGUAGE = new Map<string, WordRules>([
  ['', { ...OTHERS, ...english }],
  ['en', { ...OTHERS, ...english }],
  ['vi', { ...OTHERS, ...vietnamese }],
  ['ru', { ...OTHERS, cyrillic: russian }],
  ['el', { ...OTHERS, greek }],
  ...[...stemmed].map(([language, rules]): [string, WordRules] => [language, { ...OTHERS, ...rules }]),
  ...['nb', 'nn'].map((language): [string, WordRules] => [language, { ...OTHERS, ...stemmed.get('no')! }]),
]);

export const rulesOf = (language: string): WordRules => BY_LANGUAGE.get(language) ?? OTHERS;

/** One language for each way to make terms. */
export const TERM_LANGUAGES: readonly string[] = ['en', ...STEMMED_LATIN, 'pl', 'vi', 'ru', 'el'];

/** What a word may become in any language, the likeliest first. */
export const EVERY_RULE: Record<Script, readonly WordRule[]> = {
  latin: [english, ...stemmed.values(), longCut, vietnamese].map(({ latin }) => latin),
  greek: [greek, longCut.latin],
  cyrillic: [russian, cyrillic],
  brahmic: [brahmic],
  other: [longCut.latin],
};

function stemmedRule(language: StemmedLanguage, foldBefore: WordRule, foldAfter: WordRule): WordRule {
  const stem = createStemmer(language);
  return cached((given) => {
    const word = foldBefore(given);
    if (hasDigit(word)) return foldAfter(word);
    const folded = foldAfter(stem(word));
    return folded === '' ? '' : folded + STEM_MARK;
  });
}

/** Accents belong to the endings that a stemmer knows, so they go afterwards. */
function stemmedLatin(language: StemmedLanguage): LatinRules {
  const stem = createStemmer(language);
  return {
    latin: stemmedRule(language, asItIs, foldLatin),
    plain: (word) => ownCopy(hasDigit(word) ? word : stem(word) + STEM_MARK),
  };
}

function asItIs(word: string): string {
  return word;
}

const hasDigit = (word: string): boolean => /\d/.test(word);

/** Words with digits stay whole: their prefixes mean nothing. */
const cut = (word: string, length: number): string =>
  word.length <= length || hasDigit(word) ? word : word.slice(0, length);

/** The prefix of a long word, marked as such: the form of `afternoon` must not match the English word `after`. */
const markedPrefix = (word: string, length: number, mark: string): string =>
  word.length < length || hasDigit(word) ? word : word.slice(0, length) + mark;

const SIGNS: Record<string, string> = { '+': 'plus', '#': 'sharp', '.': 'dot' };

/** Terms have no signs (`c++` is `cplusplus`) and no surrogate pairs, which sort differently here and in SQLite. */
function cached(rule: WordRule): WordRule {
  const terms = new Map<string, string>();
  return (word) => {
    const known = terms.get(word);
    if (known !== undefined) return known;
    const plain = withoutPairs(withoutSigns(word));
    const term = plain === '' ? '' : ownCopy(rule(plain));
    if (word.length > MAX_CACHED_LENGTH) return term;
    if (terms.size >= MAX_CACHED_WORDS) terms.clear();
    terms.set(ownCopy(word), term);
    return term;
  };
}

const withoutSigns = (word: string): string =>
  /[+#.]/.test(word) ? word.replace(/[+#.]/g, (sign) => SIGNS[sign]!) : word;

export const withoutPairs = (word: string): string => (isAscii(word) ? word : word.replace(/[\ud800-\udfff]+/g, ''));

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) >= 128) return false;
  return true;
}

/** A slice keeps its whole text in memory, and terms live long. */
export const ownCopy = (part: string): string => (part.length < 13 ? part : ` ${part}`.slice(1));
