// The signs that items of a list begin with, and what tesseract takes them for.

const BULLET = /^(?:[•◦▪▫●○■□*·‣⁃➢➤✓–—-]|[¢«»©®°]|e«|e¢|e°)$/;
/** Words in some languages: they need a second one at the same place to be believed. */
const DOUBTFUL = /^[eo]$/;
const NUMBER = /^(?:\d{1,3}|[a-z])[.)]$/;

export const isListSign = (word: string): boolean => BULLET.test(word) || NUMBER.test(word);
export const isDoubtfulSign = (word: string): boolean => DOUBTFUL.test(word);

/** As it is written in a list: a number as it is, any other sign as a bullet. */
export const listSign = (word: string): string => (NUMBER.test(word) ? word : '•');
