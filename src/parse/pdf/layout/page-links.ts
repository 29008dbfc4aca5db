// Adds links to the text: annotations give their rectangles, and the words inside are looked up in the parts.
import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { type Box, type PagePart, partText } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

const MAX_LINKS = 300;
const MAX_PAIRS = 2_000_000;
const WEB = /^(?:https?|mailto|ftp):/i;
const MARKDOWN_LINK = /\[[^\]]{0,200}\]\([^)]{0,2000}\)/g;
// Links times characters of the page.
const MAX_SEARCHED_CHARACTERS = 2_000_000;

export interface PdfLink {
  uri: string;
  /** Candidates for the link text, most likely first. */
  words: string[];
}

export function findLinks({ annotations = [], textItems }: ParsedPage): PdfLink[] {
  const found = annotations.filter(({ uri, rect }) => uri && rect && WEB.test(uri)).slice(0, MAX_LINKS);
  if (found.length * textItems.length > MAX_PAIRS) return [];
  // A link that wraps to the next line has a rectangle on each.
  return [...Map.groupBy(found, ({ uri }) => uri!)].map(([uri, annotated]) => {
    const rects = annotated.map(({ rect }) => rect!).sort((a, b) => a.y - b.y);
    const pieces = rects.map((rect) => wordsIn(rect, textItems)).filter((words) => words !== '');
    const longest = pieces.toSorted((a, b) => b.length - a.length)[0] ?? '';
    const descriptions = annotated.map(({ contents = '' }) => repairText(contents));
    return { uri, words: [pieces.join(' '), ...descriptions, longest].filter((words) => words.length > 1) };
  });
}

const wordsIn = (rect: Box, items: readonly TextItem[]): string =>
  repairText(
    items
      .filter((item) => isWithin(item, rect))
      .map(({ text }) => text)
      .join(' '),
  );

function isWithin(item: TextItem, rect: Box): boolean {
  const y = item.y + item.height / 2;
  const right = rect.x + rect.width + 2;
  return item.x >= rect.x - 2 && item.x + item.width <= right && y >= rect.y && y <= rect.y + rect.height;
}

export function addLinks(parts: readonly PagePart[], links: readonly PdfLink[]): PagePart[] {
  const missing = links.filter(({ uri }) => !parts.some((part) => partText(part).includes(`](${uri}`)));
  const length = parts.reduce((sum, part) => sum + partText(part).length, 0);
  if (missing.length === 0 || missing.length * length > MAX_SEARCHED_CHARACTERS) return [...parts];
  const linked = parts.map((part): PagePart => ({ ...part, rows: part.rows?.map((row) => [...row]) }));
  for (const { uri, words } of missing) words.some((some) => addLink(linked, some, linkOf(some, uri)));
  return linked;
}

/** A URL that was broken across lines is written in one piece. */
function linkOf(words: string, uri: string): string {
  return words.replaceAll(' ', '') === uri ? uri : `[${words}](${escapeUri(uri)})`;
}

/** Links the first occurrence of the words that is not a link yet. */
function addLink(parts: PagePart[], words: string, link: string): boolean {
  for (const part of parts) {
    if (part.kind === 'code') continue;
    for (const row of part.rows ?? []) {
      for (const [at, cell] of row.entries()) {
        const linked = insert(cell, words, link);
        if (linked === undefined) continue;
        row[at] = linked;
        return true;
      }
    }
    const linked = insert(part.text, words, link);
    if (linked === undefined) continue;
    part.text = linked;
    return true;
  }
  return false;
}

function insert(text: string, words: string, link: string): string | undefined {
  const at = text.replaceAll(MARKDOWN_LINK, (known) => '\0'.repeat(known.length)).indexOf(words);
  return at === -1 ? undefined : text.slice(0, at) + link + text.slice(at + words.length);
}

/** Spaces and brackets would end the URL in Markdown. */
const escapeUri = (uri: string): string =>
  uri.replaceAll(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
