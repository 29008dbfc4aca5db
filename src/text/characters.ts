// What each character is to a word. Those of the first plane are looked up once and remembered.

/** Not part of words. */
export const NONE = 0;
/** A letter or digit of a script that puts spaces between words. */
export const PLAIN = 1;
/** Han and kana. */
export const IDEOGRAPH = 2;
export const HANGUL = 3;
/** Thai, Lao, Khmer, Burmese: words without spaces between them. */
export const UNSPACED = 4;
/** A mark that goes with any script. */
export const MARK = 5;
/** Inside a word as if it were not there: soft hyphens, joiners, marks of direction, and the breaths of `Hawaiʻi`, `Qurʾan`. */
export const IGNORED = 6;

export const KIND_BITS = 7;
/** Beside the kind: the normal form of the character is another one, or may be together with its neighbours. */
export const ALTERED = 8;

/** Marks an entry of the table as made. */
const KNOWN = 16;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const ANY_SCRIPT = /[\p{Script=Inherited}\p{Script=Common}]/u;
const HAN_OR_KANA = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const A_HANGUL = /\p{Script=Hangul}/u;
const SOUTH_EAST = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const A_MARK = /\p{M}/u;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}ʻʽʾʿ]/u;
const IGNORABLES = new RegExp(`${IGNORABLE.source}+`, 'gu');
/** By Unicode a letter, to everybody an apostrophe. */
const APOSTROPHE = 'ʼ';
const FRACTION = '\u2044';
/** Whose small letter is not one for one: the dotted I, and the sigma that has two. */
const ODD_CAPITALS = 'İΣς';

const table = new Uint8Array(0x10000);

/** Kind and flag; half of a pair is none. */
export function kindOf(codePoint: number): number {
  if (codePoint > 0xffff) return look(codePoint);
  const known = table[codePoint]!;
  if (known !== 0) return known;
  const made = look(codePoint) | KNOWN;
  table[codePoint] = made;
  return made;
}

function look(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (IGNORABLE.test(character)) return IGNORED | ALTERED;
  if (!WORD.test(character) || character === APOSTROPHE) return NONE;
  const normal = character.normalize('NFKC');
  // As a part of a word, a half would read as twelve.
  if (normal.includes(FRACTION)) return NONE;
  const isAltered = normal !== character || A_MARK.test(character) || ODD_CAPITALS.includes(character);
  return scriptKind(character) | (isAltered || codePoint > 0xffff ? ALTERED : 0);
}

function scriptKind(character: string): number {
  if (HAN_OR_KANA.test(character)) return IDEOGRAPH;
  if (A_HANGUL.test(character)) return HANGUL;
  if (SOUTH_EAST.test(character)) return UNSPACED;
  return A_MARK.test(character) && ANY_SCRIPT.test(character) ? MARK : PLAIN;
}

export const withoutIgnored = (word: string): string => word.replace(IGNORABLES, '');
