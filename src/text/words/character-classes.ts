// The class of each character: whether and how it belongs to words. Classes of the basic plane are cached.

/** Not part of a word. */
export const NONE = 0;
/** A letter or digit of a script that puts spaces between words. */
export const PLAIN = 1;
/** Han and kana. */
export const IDEOGRAPH = 2;
export const HANGUL = 3;
/** Thai, Lao, Khmer, Burmese: words without spaces between them. */
export const UNSPACED = 4;
/** A combining mark of any script. */
export const MARK = 5;
/** Ignored inside words: soft hyphens, joiners, direction marks, and the breathings of `Hawaiʻi` and `Qurʾan`. */
export const IGNORED = 6;

export const CLASS_BITS = 7;
/** Flag: normalisation may change the character, alone or with its neighbours. */
export const ALTERED = 8;

/** Flag: the table has an entry. */
const KNOWN = 16;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const ANY_SCRIPT = /[\p{Script=Inherited}\p{Script=Common}]/u;
const HAN_OR_KANA = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const A_HANGUL = /\p{Script=Hangul}/u;
const SOUTH_EAST = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const A_MARK = /\p{M}/u;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}ʻʽʾʿ]/u;
const IGNORABLES = new RegExp(`${IGNORABLE.source}+`, 'gu');
/** A letter in Unicode, an apostrophe to everybody else. */
const APOSTROPHE = 'ʼ';
const FRACTION = '\u2044';
/** Letters whose case mapping is not one to one: the dotted I and the sigma. */
const ODD_CAPITALS = 'İΣς';

/** Character class and flags. An unpaired surrogate counts as NONE. */
export const classOf = createClassLookup();

function createClassLookup(): (codePoint: number) => number {
  const table = new Uint8Array(0x10000);
  return (codePoint) => {
    if (codePoint > 0xffff) return computeClass(codePoint);
    const known = table[codePoint]!;
    if (known !== 0) return known;
    const computed = computeClass(codePoint) | KNOWN;
    table[codePoint] = computed;
    return computed;
  };
}

function computeClass(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (IGNORABLE.test(character)) return IGNORED | ALTERED;
  if (!WORD.test(character) || character === APOSTROPHE) return NONE;
  const normal = character.normalize('NFKC');
  // Inside a word, ½ would read as 12.
  if (normal.includes(FRACTION)) return NONE;
  const isAltered = normal !== character || A_MARK.test(character) || ODD_CAPITALS.includes(character);
  return scriptClass(character) | (isAltered || codePoint > 0xffff ? ALTERED : 0);
}

function scriptClass(character: string): number {
  if (HAN_OR_KANA.test(character)) return IDEOGRAPH;
  if (A_HANGUL.test(character)) return HANGUL;
  if (SOUTH_EAST.test(character)) return UNSPACED;
  return A_MARK.test(character) && ANY_SCRIPT.test(character) ? MARK : PLAIN;
}

export const withoutIgnored = (word: string): string => word.replace(IGNORABLES, '');
