// What is the same letter to a searcher: words without accents, points and other spellings of a letter, by script.

const MARKS = /\p{Mn}+/gu;
const LATIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ə: 'e',
};
const OTHER_LATIN = new RegExp(`[${Object.keys(LATIN_LETTERS).join('')}]`, 'g');
const ARABIC_LETTERS: Record<string, string> = {
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ۀ: 'ه',
  ٱ: 'ا',
  ـ: '',
};
const OTHER_ARABIC = new RegExp(`[${Object.keys(ARABIC_LETTERS).join('')}]`, 'g');
const HEBREW_FINALS: Record<string, string> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };
const OTHER_HEBREW = /[ךםןףץ]/g;
const OTHER_DIGITS = /[٠-٩۰-۹०-९]/g;

/** Latin and Greek: no accents, and the letters that are written with two elsewhere. */
export const foldLatin = (word: string): string =>
  /^[a-z0-9]*$/.test(word) ? word : withoutMarks(word).replace(OTHER_LATIN, (letter) => LATIN_LETTERS[letter]!);

/** й and ї are letters of their own; ё is an е, and marks of stress are no part of a word. */
export const foldCyrillic = (word: string): string => word.replace(MARKS, '').replaceAll('ё', 'е').replaceAll('ѐ', 'е');

/** Without the signs that writers put or leave out: nukta, nasals, and with them the short vowels above and below. */
export const foldBrahmic = (word: string): string => withPlainDigits(withoutMarks(word));

export const foldArabic = (word: string): string =>
  withPlainDigits(withoutMarks(word).replace(OTHER_ARABIC, (letter) => ARABIC_LETTERS[letter]!));

export const foldHebrew = (word: string): string =>
  withoutMarks(word).replace(OTHER_HEBREW, (letter) => HEBREW_FINALS[letter]!);

const withoutMarks = (word: string): string => word.normalize('NFD').replace(MARKS, '').normalize('NFC');

/** The digits of a script stand in the order of their values. */
const withPlainDigits = (word: string): string =>
  word.replace(OTHER_DIGITS, (digit) =>
    String((digit.charCodeAt(0) - (digit >= '०' ? 0x966 : digit >= '۰' ? 0x6f0 : 0x660)) % 10),
  );
