// Removes base64 images from Markdown: they are long and of no use to most readers.

const INLINE_IMAGE = '](data:image/';

/** Not a regular expression, which would search the rest of the text for the end of every broken image. */
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
