// Folds letters that searchers treat as the same, by script: accents, vowel points and spelling variants.

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

/** Latin and Greek: drops accents and expands ligatures and special letters. */
export const foldLatin = (word: string): string =>
  /^[a-z0-9]*$/.test(word) ? word : withoutMarks(word).replace(OTHER_LATIN, (letter) => LATIN_LETTERS[letter]!);

/** й and ї stay; ё becomes е, and stress marks go. */
export const foldCyrillic = (word: string): string => word.replace(MARKS, '').replaceAll('ё', 'е').replaceAll('ѐ', 'е');

/** Drops signs that writers use inconsistently (nukta, nasals), and with them the vowel signs above and below. */
export const foldBrahmic = (word: string): string => withPlainDigits(withoutMarks(word));

export const foldArabic = (word: string): string =>
  withPlainDigits(withoutMarks(word).replace(OTHER_ARABIC, (letter) => ARABIC_LETTERS[letter]!));

export const foldHebrew = (word: string): string =>
  withoutMarks(word).replace(OTHER_HEBREW, (letter) => HEBREW_FINALS[letter]!);

const withoutMarks = (word: string): string => word.normalize('NFD').replace(MARKS, '').normalize('NFC');

/** In every script, digits are in the order of their values. */
const withPlainDigits = (word: string): string =>
  word.replace(OTHER_DIGITS, (digit) =>
    String((digit.charCodeAt(0) - (digit >= '०' ? 0x966 : digit >= '۰' ? 0x6f0 : 0x660)) % 10),
  );
