// Markdown with some of its marks taken out, for clients that want no links, no images, or bare text. Code is left as it is.
import { createSlices } from '../util/slices.ts';

/** What stands for an image or a link in a text. */
export interface MarkdownMarks {
  image?(alt: string, url: string): string;
  link?(text: string, url: string): string;
}

/** A longer line stays as it is: nothing else has its turn within one. */
const LONGEST_LINE = 100_000;
const FENCE = /^\s*(?:```|~~~)/;
// Each also matches code within a line, to pass over it.
const IMAGE = /`[^`]*`|!\[((?:[^[\]\\]|\\.)*)\]\(((?:[^()\s\\]|\\.)*)(?: "[^"]*")?\)/g;
const LINK =
  /`[^`]*`|(?<!!)\[((?:[^[\]\\]|\\.|!\[(?:[^[\]\\]|\\.)*\]\([^()\s]*\))*)\]\(((?:[^()\s\\]|\\.)*)(?: "[^"]*")?\)/g;

export const rewriteMarks = (markdown: string, { image, link }: MarkdownMarks): Promise<string> =>
  outsideCode(markdown, (line) => {
    const pictured = image ? rewritten(line, IMAGE, image) : line;
    return link ? rewritten(pictured, LINK, link) : pictured;
  });

const rewritten = (line: string, mark: RegExp, write: (text: string, url: string) => string): string =>
  line.replace(mark, (all: string, text: string, url?: string) => (url === undefined ? all : write(text, url)));

/** Without headings, emphasis, links and images. */
export async function plainText(markdown: string): Promise<string> {
  const unlinked = await rewriteMarks(markdown, { image: (alt) => alt, link: (text) => text });
  return (await outsideCode(unlinked, withoutMarks, true)).trim();
}

/** The same of one line. */
export const bareText = (line: string): string =>
  withoutMarks(
    rewritten(
      rewritten(line, IMAGE, (alt) => alt),
      LINK,
      (text) => text,
    ),
  );

const withoutMarks = (line: string): string =>
  line
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+](?= ))\s+/, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\\([^\w\s])/g, '$1');

/** `isBare` leaves out the lines around code. Other requests have their turn in between. */
async function outsideCode(markdown: string, write: (line: string) => string, isBare = false): Promise<string> {
  const lines: string[] = [];
  const slices = createSlices();
  let isCode = false;
  for (const line of markdown.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (!isFence) lines.push(isCode || line.length > LONGEST_LINE ? line : write(line));
    else if (!isBare) lines.push(line);
    if (slices.isOver()) await slices.next();
  }
  return lines.join('\n');
}
