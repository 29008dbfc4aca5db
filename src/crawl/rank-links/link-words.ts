// Words of questions, and how often they are in a text: whatever their case and English ending, whole or as the part of a
// word that is written in one, and in languages without spaces by pairs of characters.

export interface Term {
  /** The word without its ending. */
  stem: string;
  /** What each of its forms begins with. */
  probe: string;
  /** No space tells where it begins. */
  isUnspaced: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const IN_WORD = /[\p{L}\p{M}\p{N}]/u;
const SCRIPTS = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
const UNSPACED = new RegExp(`[${SCRIPTS}]`, 'u');
const UNSPACED_OR_NOT = new RegExp(`[${SCRIPTS}]+|[^${SCRIPTS}]+`, 'gu');
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const PLAIN = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

const PREFIX_LETTERS = 4;
const PREFIX_WEIGHT = 0.5;
/** More of the same says nothing more, and whoever writes a text may know the question. */
const MAX_LOOKS = 64;
const MAX_WORD = 64;

/** Each term once, in the order of the question. */
export function termsOf(question: string): Term[] {
  const words = Array.from(question.matchAll(WORD), ([word]) => word).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word.toLowerCase());
    const parts = word.split(HUMP);
    return (parts.length > 1 ? [word, ...parts] : parts).map((part) => stemOf(part.toLowerCase()));
  });
  return Array.from(new Set(words), (stem) => ({
    stem,
    probe: stem.length > 2 && stem.endsWith('y') ? stem.slice(0, -1) : stem,
    isUnspaced: UNSPACED.test(stem),
  }));
}

function pairsOf(text: string): string[] {
  return (text.match(UNSPACED_OR_NOT) ?? []).flatMap((run) => {
    const characters = Array.from(run);
    if (!UNSPACED.test(run) || characters.length < 3) return [run];
    return characters.slice(1).map((character, index) => characters[index]! + character);
  });
}

/** How often the term is in the text; a longer word that begins with it counts half. `lower` is the text in lower case. */
export function countOccurrences(text: string, lower: string, { stem, probe, isUnspaced }: Term): number {
  let times = 0;
  let at = lower.indexOf(probe);
  for (let looks = 0; at !== -1 && looks < MAX_LOOKS; looks += 1) {
    if (isUnspaced) times += 1;
    else if (isBeginning(text, lower, at)) times += fit(text, lower, at, stem);
    at = lower.indexOf(probe, at + 1);
  }
  return times;
}

function fit(text: string, lower: string, at: number, stem: string): number {
  let end = at + 1;
  let partEnd = -1;
  for (; end < at + MAX_WORD && isInWord(lower, end); end += 1) {
    if (partEnd === -1 && isHump(text, lower, end)) partEnd = end;
  }
  if (stemOf(lower.slice(at, end)) === stem) return 1;
  if (partEnd !== -1 && stemOf(lower.slice(at, partEnd)) === stem) return 1;
  return stem.length >= PREFIX_LETTERS && lower.startsWith(stem, at) ? PREFIX_WEIGHT : 0;
}

const isBeginning = (text: string, lower: string, at: number): boolean =>
  at === 0 || !isInWord(lower, at - 1) || isHump(text, lower, at);

/** Of a text in lower case; false behind its end. */
function isInWord(lower: string, at: number): boolean {
  const code = lower.charCodeAt(at);
  if (code >= 0x80) return IN_WORD.test(String.fromCodePoint(lower.codePointAt(at)!)) || isLowHalf(code);
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Behind the first half of a character that has two; nearly all of them are letters. */
const isLowHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Whether a word begins inside of another at this place, as in `getUserName` and `HTTPServer`. */
function isHump(text: string, lower: string, at: number): boolean {
  const isCapital = (place: number) => text[place] !== lower[place];
  // A few capitals are shorter than their small letters: then the places do not agree.
  if (!isCapital(at) || text.length !== lower.length) return false;
  return !isCapital(at - 1) || (!isCapital(at + 1) && isInWord(lower, at + 1));
}

/** The same for words that mean the same: prices, priced, pricing. English only, and lightly: what it takes for an ending is one. */
export function stemOf(word: string): string {
  if (word.length < 4 || !PLAIN.test(word)) return word;
  return withoutE(withoutVerbEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is|^news)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(?:[sxz]|ch|sh)es$/.test(word) ? -2 : -1);
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 3 : /[^e]ed$/.test(word) ? 2 : 0;
  const stem = word.slice(0, word.length - ending);
  // `string` and `bed` have no ending: what is left of a verb is a syllable at least.
  if (ending === 0 || stem.length < 3 || !VOWEL.test(stem)) return word;
  if (stem.endsWith('i')) return `${stem.slice(0, -1)}y`;
  const isDoubled = stem.at(-1) === stem.at(-2) && !/[aeioulsz]$/.test(stem);
  return isDoubled ? stem.slice(0, -1) : stem;
}

const withoutE = (word: string): string => (word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word);
