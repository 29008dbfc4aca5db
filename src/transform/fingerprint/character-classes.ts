// Classifies UTF-16 units with one look-up: blank, sign, a character of a script without spaces, or the lower case of a
// character that is part of a word.

const BLANK = 0;
const SIGN = 1;
/** A character of a script without spaces between words. */
const DENSE = 2;
// Other values are lower-case characters of words.

const LOWER_CASE_BELOW = 0x600;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;

// [first, last] of a range, both included.
type Ranges = readonly (readonly [number, number])[];

/** White space, control and zero-width characters, and the private-use characters of icon fonts. */
const BLANKS: Ranges = [
  [0, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];

/** Thai, Lao, Burmese, Khmer, Japanese and Chinese. */
const DENSE_SCRIPTS: Ranges = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3040, 0x9fff],
  [0xf900, 0xfaff],
];

/** Above LOWER_CASE_BELOW: Arabic and Indic full stops, punctuation, arrows, symbols, full-width punctuation. */
const WIDE_SIGNS: Ranges = [
  [0x60c, 0x60c],
  [0x61b, 0x61b],
  [0x61f, 0x61f],
  [0x6d4, 0x6d4],
  [0x964, 0x965],
  [0x2010, 0x2bff],
  [0x2e00, 0x303f],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
];

/** The class of each UTF-16 unit. fingerprint.rs has the same numbers. */
export function unitClasses(): Uint16Array {
  const units = new Uint16Array(65_536);
  for (let code = LOWER_CASE_BELOW; code < units.length; code++) units[code] = code;
  // Latin Extended Additional, as in Vietnamese: capitals have even numbers.
  for (let code = 0x1e00; code < 0x1f00; code++) units[code] = code | 1;
  for (let code = 0; code < LOWER_CASE_BELOW; code++) {
    const character = String.fromCharCode(code);
    units[code] = WORD_CHARACTER.test(character) ? character.toLowerCase().charCodeAt(0) : SIGN;
  }
  for (const [first, last] of WIDE_SIGNS) units.fill(SIGN, first, last + 1);
  for (const [first, last] of DENSE_SCRIPTS) units.fill(DENSE, first, last + 1);
  for (const [first, last] of BLANKS) units.fill(BLANK, first, last + 1);
  return units;
}
