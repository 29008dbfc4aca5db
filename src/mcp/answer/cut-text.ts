// The beginning of a text that fits a number of characters as JSON, cut between lines or words where possible.

/** A cut goes back at most this part of the text to the end of a line, or of a word. */
const LINE_SHARE = 1 / 4;
const WORD_SHARE = 1 / 16;

/** What follows a text that was cut. */
const marker = (left: number): string => `\n\n[... ${left} more characters]`;

export interface CutText {
  text: string;
  /** Characters of the original that are shown. */
  shown: number;
}

/** The result has at most `room` characters as JSON, quotes included. Undefined if not even the marker fits. */
export function cutText(original: string, room: number): CutText | undefined {
  const space = room - JSON.stringify(marker(original.length)).length;
  if (space <= 0) return undefined;
  // Half of a surrogate pair would be written as an escape.
  const text = original.toWellFormed();
  const shown = goodEnd(text, longestStart(text, space));
  return { text: text.slice(0, shown) + marker(text.length - shown), shown };
}

/** How many characters of the text fit `space` characters as JSON. */
function longestStart(text: string, space: number): number {
  let used = 0;
  for (let at = 0; at < text.length; at += 1) {
    used += widthOf(text.charCodeAt(at));
    if (used > space) return at;
  }
  return text.length;
}

const SHORT_ESCAPES = new Set(Array.from('"\\\b\f\n\r\t', (character) => character.charCodeAt(0)));
const FIRST_PRINTABLE = 0x20;

function widthOf(code: number): number {
  if (SHORT_ESCAPES.has(code)) return 2;
  return code < FIRST_PRINTABLE ? '\\u0000'.length : 1;
}

function goodEnd(text: string, longest: number): number {
  const line = text.lastIndexOf('\n', longest);
  if (line > 0 && longest - line <= longest * LINE_SHARE) return line;
  const word = text.lastIndexOf(' ', longest);
  if (word > 0 && longest - word <= longest * WORD_SHARE) return word;
  return text.slice(0, longest).isWellFormed() ? longest : longest - 1;
}
