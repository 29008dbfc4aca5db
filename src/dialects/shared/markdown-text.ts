// Markdown with some of its marks taken out, for clients that want no links, no images, or bare text. Code is left as it is.

/** What stands for an image or a link in a text. */
export interface MarkdownMarks {
  image?(alt: string, url: string): string;
  link?(text: string, url: string): string;
}

const FENCE = /^\s*(?:```|~~~)/;
const IMAGE = /!\[((?:[^[\]\\]|\\.)*)\]\(((?:[^()\s\\]|\\.)*)(?: "[^"]*")?\)/g;
const LINK = /(?<!!)\[((?:[^[\]\\]|\\.|!\[(?:[^[\]\\]|\\.)*\]\([^()\s]*\))*)\]\(((?:[^()\s\\]|\\.)*)(?: "[^"]*")?\)/g;

export function rewriteMarks(markdown: string, { image, link }: MarkdownMarks): string {
  return outsideCode(markdown, (line) => {
    const pictured = image ? line.replace(IMAGE, (_, alt: string, url: string) => image(alt, url)) : line;
    return link ? pictured.replace(LINK, (_, text: string, url: string) => link(text, url)) : pictured;
  });
}

/** Without headings, emphasis, links and images. */
export const plainText = (markdown: string): string =>
  outsideCode(
    rewriteMarks(markdown, { image: (alt) => alt, link: (text) => text }),
    (line) =>
      line
        .replace(/^\s{0,3}(?:#{1,6}|>|[-*+](?= ))\s+/, '')
        .replace(/\*\*|__|`/g, '')
        .replace(/\\([^\w\s])/g, '$1'),
    true,
  ).trim();

/** `isBare` leaves out the lines around code. */
function outsideCode(markdown: string, write: (line: string) => string, isBare = false): string {
  let isCode = false;
  const lines = markdown.split('\n').flatMap((line) => {
    if (!FENCE.test(line)) return [isCode ? line : write(line)];
    isCode = !isCode;
    return isBare ? [] : [line];
  });
  return lines.join('\n');
}
