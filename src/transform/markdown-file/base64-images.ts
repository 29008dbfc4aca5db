// Pictures that stand inside Markdown in base64: long, and of no use to most readers.

const INLINE_IMAGE = '](data:image/';

/** By hand: an expression for it would look for the end of each broken image in all the rest of the text. */
export function stripBase64Images(markdown: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const start = markdown.indexOf(INLINE_IMAGE, from);
    const length = start === -1 ? -1 : markdown.slice(start).search(/[)\s]/);
    if (length === -1) return from === 0 ? markdown : kept + markdown.slice(from);
    const end = start + length;
    kept +=
      markdown[end] === ')' ? `${markdown.slice(from, start)}](<Base64-Image-Removed>` : markdown.slice(from, end);
    from = end;
  }
}
