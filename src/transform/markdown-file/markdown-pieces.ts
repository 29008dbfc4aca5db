// A long Markdown text in pieces that can be rendered one after the other: what a renderer holds in memory at a time is
// many times its text. A piece ends before a block that begins something new, outside code.

/** Pieces are at least so long, and as much longer as it takes to the next good place. */
const PIECE = 64_000;
/** Without a good place, as in a table of thousands of rows, a piece ends at the end of a line, or anywhere. */
const LONGEST_PIECE = 256_000;
const MAX_DEFINITIONS = 20_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
// Not what may be part of the list, quote or code before it.
const BEGINS_ANEW = /^[^\s\-+*>\d:]/;
const DEFINITION = /^ {0,3}\[[^[\]\n]{1,500}\]:.*$/gm;

export function piecesOf(markdown: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let fence = '';
  let isAfterBlank = false;
  for (let at = 0; at < markdown.length; ) {
    const newline = markdown.indexOf('\n', at);
    const next = newline === -1 ? markdown.length : newline + 1;
    const line = markdown.slice(at, Math.min(next, at + 1_000));
    if (at - start >= PIECE && isAfterBlank && fence === '' && BEGINS_ANEW.test(line)) {
      pieces.push(markdown.slice(start, at));
      start = at;
    }
    // This line would make it too long.
    if (at > start && next - start > LONGEST_PIECE) {
      pieces.push(markdown.slice(start, at));
      start = at;
    }
    for (; next - start > LONGEST_PIECE; start += LONGEST_PIECE)
      pieces.push(markdown.slice(start, start + LONGEST_PIECE));
    fence = fenceAfter(line, fence);
    isAfterBlank = line.trim() === '';
    at = next;
  }
  if (start < markdown.length) pieces.push(markdown.slice(start));
  return pieces;
}

/** The sign of the code block that is open after this line; '' for none. */
function fenceAfter(line: string, open: string): string {
  const sign = FENCE.exec(line)?.[1];
  if (sign === undefined) return open;
  if (open === '') return sign;
  return sign.startsWith(open) && line.trim() === sign ? '' : open;
}

/** The definitions of links and notes that may stand in any other piece, each as a block of its own. */
export function definitionsIn(markdown: string): string {
  const found: string[] = [];
  for (const [line] of markdown.matchAll(DEFINITION)) if (found.push(line) === MAX_DEFINITIONS) break;
  return found.join('\n\n');
}
