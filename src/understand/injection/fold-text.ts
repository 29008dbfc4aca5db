// Texts as phrases are compared with them.

const MARKS = /\p{M}+/gu;

/** Without accents and vowel points, which tells no two orders apart. */
export const withoutMarks = (text: string): string => text.normalize('NFKD').replace(MARKS, '').normalize('NFC');

/** Also in lower case, with straight apostrophes. */
export const folded = (text: string): string => withoutMarks(text).toLowerCase().replaceAll('’', "'");
