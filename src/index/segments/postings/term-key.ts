// How a term is written in the tables. SQLite sorts text by its UTF-8 bytes, JavaScript by its UTF-16 units: the two orders
// are the same without surrogates, so a key has none. Zero parts the terms of a batch.

const ESCAPE = '\ud7ff';
const UNSAFE = /[\0\ud7ff-\udfff]/g;
const hasUnsafe = /[\0\ud7ff-\udfff]/;

/** Different terms have different keys, even when they are no well-formed Unicode. */
export function termKey(term: string): string {
  // No key is empty: the rows of a segment are read from after the empty text on.
  if (term === '') return ESCAPE;
  return hasUnsafe.test(term) ? term.replace(UNSAFE, escapeUnit) : term;
}

const escapeUnit = (unit: string): string => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0');

/** A short part of a text keeps the whole text in memory; this copy does not. */
export const detached = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));
