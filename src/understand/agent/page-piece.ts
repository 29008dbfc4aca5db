// A page is read in pieces that end at a line, so that a long one does not fill the room of the model.

export interface PagePiece {
  text: string;
  start: number;
  end: number;
  total: number;
}

/** Lines are kept whole unless one is longer than most of a piece. */
export function pagePiece(markdown: string, offset: number, maxCharacters: number): PagePiece {
  const start = Math.min(offset, markdown.length);
  const last = Math.min(markdown.length, start + maxCharacters);
  const line = markdown.lastIndexOf('\n', last - 1) + 1;
  const end = last < markdown.length && line > start + maxCharacters / 2 ? line : last;
  return { text: markdown.slice(start, end), start, end, total: markdown.length };
}
