// A text as it is compared: by lines, without what changes although nobody has edited the page.
import { createHash } from 'node:crypto';
import { isIgnoredParameter } from '../../urls/ignored-parameters.ts';

/** What of a version is stored for the next comparison. */
export interface ComparedText {
  /** The Markdown, or its first lines if it is very long. */
  markdown: string;
  /** Hash of the whole text, if only the first lines are stored. */
  hash?: string;
  /** If there are any. */
  moving?: readonly MovingLine[];
}

/** A line of a version that was another one at the look before. */
export interface MovingLine {
  /** Its number. */
  at: number;
  /** At how many looks in a row it has moved. */
  times: number;
  /** Hashes of what stood there before, the newest last. */
  earlier: number[];
  /** A text has come back: the line shows one of several in turn. */
  isRotating?: true;
}

/** Longer texts are cut at a whole line. Their hash still tells whether anything has changed. */
const MAX_CHARACTERS = 2_000_000;
const MAX_LINES = 100_000;
/** Hashes of different rules are never equal. Raise it whenever `comparedLine` changes. */
const RULES = 1;

export const linesOf = (markdown: string): string[] => markdown.split(/\r\n?|\n/);

// None of these may start again inside its own match, so that hostile lines take linear time.
const INVISIBLE = /[\s\u00ad\u200b\u2060\ufeff]+/g;
const IFRAME = /\[iframe\]\([^()]*\)/gi;
const INLINE_IMAGE = /\((?:data:[^()]*|<Base64-Image-Removed>)\)/gi;
const QUERY = /\?[^\s?()<>[\]"']+/g;

/** The line without white space, iframes, inline images and parameters that track visitors. Equal lines count as unchanged. */
export function comparedLine(line: string): string {
  let compared = line;
  if (compared.includes('](')) compared = compared.replace(IFRAME, '').replace(INLINE_IMAGE, '()');
  if (compared.includes('?')) compared = compared.replace(QUERY, withoutTracking);
  return compared.replace(INVISIBLE, '');
}

function withoutTracking(query: string): string {
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return !isIgnoredParameter(name, value);
    });
  return kept.length > 0 ? `?${kept.join('&')}` : '';
}

/** Two texts are the same if this is equal: line breaks do not count either. */
export const wholeText = (comparedLines: readonly string[]): string => comparedLines.join('');

export function toCompare(markdown: string): ComparedText {
  const lines = linesOf(markdown);
  let characters = 0;
  let count = 0;
  while (count < lines.length && count < MAX_LINES && characters + lines[count]!.length < MAX_CHARACTERS) {
    characters += lines[count]!.length + 1;
    count++;
  }
  if (count === lines.length) return { markdown };
  const hash = createHash('sha256')
    .update(`${RULES}\n`)
    .update(wholeText(lines.map(comparedLine)));
  return { markdown: lines.slice(0, count).join('\n'), hash: hash.digest('hex') };
}
