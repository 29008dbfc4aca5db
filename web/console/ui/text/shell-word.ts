// Words of a POSIX shell.

/** Characters that no shell gives a meaning to, wherever they stand in a word. */
const PLAIN = /^[A-Za-z0-9_/:.,@%+=-]+$/;

/** The text as one word that the shell passes on unchanged. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
