// List markers, including the characters that tesseract mistakes bullets for.

const BULLET = /^(?:[•◦▪▫●○■□*·‣⁃➢➤✓–—-]|[¢«»©®°]|e«|e¢|e°)$/;
/** Words in some languages, so they count only if another line has one at the same position. */
const DOUBTFUL = /^[eo]$/;
const NUMBER = /^(?:\d{1,3}|[a-z])[.)]$/;

export const isListMarker = (word: string): boolean => BULLET.test(word) || NUMBER.test(word);
export const isDoubtfulMarker = (word: string): boolean => DOUBTFUL.test(word);

/** Numbers are kept; all other markers become a bullet. */
export const listMarker = (word: string): string => (NUMBER.test(word) ? word : '•');
