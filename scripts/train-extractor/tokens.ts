// Tokens for labels and weights: lower-case runs of letters and digits, and each Chinese or Japanese character by
// itself, because those scripts have no spaces between words.

const TOKEN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}_]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gv;

// How many characters of an unspaced script correspond to one word.
const CHARACTERS_A_WORD = 1.7;

export const tokensOf = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? [];

/** The length of a text in words, comparable between scripts. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return tokensOf(text).length - unspaced + unspaced / CHARACTERS_A_WORD;
}
