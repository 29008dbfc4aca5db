// Converts our own Markdown to plain text, line by line, and collects its links.
import { clip, tidy } from './clip.ts';

export interface PlainMarkdown {
  body: string;
  headings: string[];
  links: MarkdownTarget[];
}

export interface MarkdownTarget {
  text: string;
  target: string;
}

const MAX_TARGETS = 1_000;
const MAX_HEADINGS = 500;
/** Longer lines are data without Markdown syntax. */
const MAX_LINE = 20_000;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:={2,}|-{2,})[ \t]*$/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const TABLE_RULE = /^[ \t]*\|?[ \t:|-]{3,}$/;
const DEFINITION = /^ {0,3}\[[^[\]]{1,200}\]:[ \t]/;
const LEADING = /^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){1,9}(?:\[[ xX]\][ \t])?/;
const TARGET =
  /(!?)\[([^[\]]{0,500})\](?:\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,200})?)>?(?:\s{1,9}"[^"]{0,300}")?\s{0,9}\)|\[[^[\]]{0,200}\])/g;
const STRONG = /\*\*|__(?=\S)|(?<=\S)__|~~/g;
// Single delimiters count only at the edge of a word: 2 * 3 and snake_case stay.
const EMPHASIS = /(?<![\p{L}\p{N}_*\\])[*_](?=[^\s*_])|(?<=[^\s*_\\])[*_](?![\p{L}\p{N}_*])/gu;
const TAG = /<\/?[a-z][a-z0-9-]{0,20}(?:\s[^<>]{0,500})?\/?>/gi;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

export function plainMarkdown(markdown: string, maxLength: number): PlainMarkdown {
  const found: PlainMarkdown = { body: '', headings: [], links: [] };
  const isTable = /^[ \t]*\|/m;
  let fence = '';
  let last = '';
  for (const line of clip(markdown, maxLength * 2).split('\n')) {
    if (found.body.length > maxLength) break;
    const sign = FENCE.exec(line)?.[0].trim();
    if (sign !== undefined && (fence === '' || sign.startsWith(fence))) fence = fence === '' ? sign : '';
    else if (fence !== '') found.body += `${line.trimEnd()}\n`;
    else if (UNDERLINE.test(line) && last !== '') addHeading(found, last);
    else if (line.length > MAX_LINE) found.body += `${line.trimEnd()}\n`;
    else if (!isSyntaxOnly(line)) {
      last = plainLine(line, isTable.test(line), found);
      if (last === '') continue;
      found.body += `${last}\n`;
      if (HEADING.test(line)) addHeading(found, last);
      continue;
    }
    last = '';
  }
  found.body = found.body.replace(/\n{2,}/g, '\n').trimEnd();
  return found;
}

const isSyntaxOnly = (line: string): boolean => RULE.test(line) || TABLE_RULE.test(line) || DEFINITION.test(line);

function addHeading({ headings }: PlainMarkdown, text: string): void {
  if (headings.length < MAX_HEADINGS) headings.push(text);
}

function plainLine(line: string, isRow: boolean, found: PlainMarkdown): string {
  const words = line
    .replace(LEADING, '')
    .replace(HEADING.test(line) ? /^ {0,3}#{1,6}[ \t]*|[ \t]+#+[ \t]*$/g : /^$/, '')
    .replace(TARGET, (_, picture: string, text: string, target: string | undefined) => {
      if (target && picture === '' && found.links.length < MAX_TARGETS)
        found.links.push({ text: plainWords(text), target });
      return text;
    });
  return plainWords(isRow ? withoutPipes(words) : words);
}

const plainWords = (text: string): string =>
  tidy(
    text.replace(TAG, ' ').replace(STRONG, '').replace(EMPHASIS, '').replaceAll('`', '').replace(ESCAPE, '$1'),
    MAX_LINE,
  );

const withoutPipes = (row: string): string =>
  row
    .trim()
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
