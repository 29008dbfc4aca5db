// Splits long Markdown into pieces that are rendered one after another, because a renderer needs many times the memory
// of its text. A piece ends before an independent block, outside code.

/** A piece ends at the first suitable block after this many characters. */
const PIECE = 64_000;
/** Without a suitable block, as in a table of thousands of rows, a piece ends at a line break, or anywhere. */
const LONGEST_PIECE = 256_000;
const MAX_DEFINITIONS = 20_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
// Does not continue a list, quote or code block.
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
    // This line would make the piece too long.
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

/** The fence of the code block that is open after this line; '' outside code. */
function fenceAfter(line: string, open: string): string {
  const sign = FENCE.exec(line)?.[1];
  if (sign === undefined) return open;
  if (open === '') return sign;
  return sign.startsWith(open) && line.trim() === sign ? '' : open;
}

/** The definitions of links and notes, which may be used in any piece, each as a separate block. */
export function definitionsIn(markdown: string): string {
  const found: string[] = [];
  for (const [line] of markdown.matchAll(DEFINITION)) if (found.push(line) === MAX_DEFINITIONS) break;
  return found.join('\n\n');
}
