// How a term is written in the tables. SQLite sorts by UTF-8 bytes, JavaScript by UTF-16 units; the orders agree
// without surrogates, so keys contain none. They contain no zero either: it separates the terms of a batch.

const ESCAPE = '\ud7ff';
const UNSAFE = /[\0\ud7ff-\udfff]/g;
const hasUnsafe = /[\0\ud7ff-\udfff]/;

/** Different terms have different keys, even if they are not well-formed Unicode. */
export function termKey(term: string): string {
  // Keys are never empty: reading a segment starts after the empty string.
  if (term === '') return ESCAPE;
  return hasUnsafe.test(term) ? term.replace(UNSAFE, escapeUnit) : term;
}

const escapeUnit = (unit: string): string => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0');

/** A substring keeps its whole source text in memory; this copy does not. */
export const detached = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));
