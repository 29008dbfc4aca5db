// A page as the reader reads it, and where in it a value stands.
import { pageTree } from '../../markup/page-tree/page-tree.ts';
import type { PageSource } from '../../page/understanding.ts';
import { isWordBorder } from '../../text/words/tokenizer.ts';
import { folded } from '../data/item-values.ts';
import { type Range, type ReadableText, readableLines, readableText } from './readable-text.ts';

export interface PageReadable extends ReadableText {
  title: string;
  /** Texts that stand on most other pages of the site, too, folded. */
  repeated: ReadonlySet<string>;
}

const MARKS = /^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\|)|(?:\*\*|__|`)|!\[[^\]]{0,500}\]\([^)]{0,2000}\)|\|\s*$/g;
const LINK = /\[([^\]]{0,500})\]\([^)]{0,2000}\)/g;
const MAX_TITLE = 300;

export function pageText({ title = '', html, markdown, repeated = [] }: PageSource): PageReadable {
  const readable = html
    ? readableText(pageTree(html))
    : readableLines(markdown.split('\n').map((line) => line.replace(MARKS, '').replace(LINK, '$1')));
  return { ...readable, title: title.slice(0, MAX_TITLE), repeated: new Set(repeated.map(folded)) };
}

const MAX_PLACES = 4;

/** Where a value stands as whole words, the first few. White space and case may differ. */
export function placesOf(text: string, value: string): Range[] {
  const words = value.trim().split(/\s+/);
  if (value.trim() === '' || value.length > 300) return [];
  const pattern = new RegExp(words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('\\s+'), 'giu');
  const places: Range[] = [];
  for (const match of text.matchAll(pattern)) {
    const place = { start: match.index, end: match.index + match[0].length };
    if (isWordBorder(text, place.start) && isWordBorder(text, place.end)) places.push(place);
    if (places.length === MAX_PLACES) break;
  }
  return places;
}

const MAX_LABEL = 60;

/** What stands before a value on its line, else the short line above. */
export function labelBefore(text: string, start: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start).trim();
  if (before !== '') return before.slice(-MAX_LABEL);
  const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1)).trim();
  return above.length <= MAX_LABEL ? above : '';
}
