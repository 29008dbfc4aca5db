// Cuts a long text into pieces, between which other teams have their turn. The cuts depend on nothing but the text.

const MAX_CHARACTERS = 20_000;
/** The best first: between paragraphs, lines, sentences, words. */
const BORDERS = ['\n\n', '\n', '. ', ' '];

export function* textChunks(text: string, max = MAX_CHARACTERS): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length; ) {
    const end = text.length - start <= max ? text.length : cutBefore(text, start, start + max);
    yield { start, end };
    start = end;
  }
}

/** The last border in the second half of the piece, else the end of the piece. */
function cutBefore(text: string, start: number, end: number): number {
  const piece = text.slice(start, end);
  for (const border of BORDERS) {
    const at = piece.lastIndexOf(border);
    if (at >= piece.length / 2) return start + at + border.length;
  }
  // A surrogate pair is not cut in half.
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end;
}
