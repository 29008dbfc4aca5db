// Words as the labels and the weights count them: lower case, letters and digits, and each Chinese or Japanese
// character a word of its own, because those scripts put no spaces between words.

const TOKEN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[[\p{L}\p{N}_]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gv;

// Characters of an unspaced script that carry as much as a word of a spaced one.
const CHARACTERS_A_WORD = 1.7;

export const tokensOf = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? [];

/** How many words a text is worth, comparable between scripts. */
export function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return tokensOf(text).length - unspaced + unspaced / CHARACTERS_A_WORD;
}
