// Links of a page: their places are told, the words that stand there are looked up in its parts.
import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { type Box, type Part, plainOf } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

const MOST_LINKS = 300;
const MOST_PAIRS = 2_000_000;
const WEB = /^(?:https?|mailto|ftp):/i;
const LINK = /\[[^\]]{0,200}\]\([^)]{0,2000}\)/g;
// Characters of the page for each link that is looked up.
const MOST_CHARACTERS = 2_000_000;

export interface Link {
  uri: string;
  /** What may be the words of the link, the likeliest first. */
  words: string[];
}

export function linksOf({ annotations = [], textItems }: ParsedPage): Link[] {
  const found = annotations.filter(({ uri, rect }) => uri && rect && WEB.test(uri)).slice(0, MOST_LINKS);
  if (found.length * textItems.length > MOST_PAIRS) return [];
  // A link that goes on in the next line has a place in each.
  return [...Map.groupBy(found, ({ uri }) => uri!)].map(([uri, places]) => {
    const rects = places.map(({ rect }) => rect!).sort((a, b) => a.y - b.y);
    const pieces = rects.map((rect) => wordsIn(rect, textItems)).filter((words) => words !== '');
    const longest = pieces.toSorted((a, b) => b.length - a.length)[0] ?? '';
    const told = places.map(({ contents = '' }) => repairText(contents));
    return { uri, words: [pieces.join(' '), ...told, longest].filter((words) => words.length > 1) };
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

export function withLinks(parts: readonly Part[], links: readonly Link[]): Part[] {
  const missing = links.filter(({ uri }) => !parts.some((part) => plainOf(part).includes(`](${uri}`)));
  const length = parts.reduce((sum, part) => sum + plainOf(part).length, 0);
  if (missing.length === 0 || missing.length * length > MOST_CHARACTERS) return [...parts];
  const linked = parts.map((part): Part => ({ ...part, rows: part.rows?.map((row) => [...row]) }));
  for (const { uri, words } of missing) words.some((some) => addLink(linked, some, linkOf(some, uri)));
  return linked;
}

/** An address that was broken over lines is written as the one it is. */
function linkOf(words: string, uri: string): string {
  return words.replaceAll(' ', '') === uri ? uri : `[${words}](${target(uri)})`;
}

/** To the first place where the words stand and are no link yet. */
function addLink(parts: Part[], words: string, link: string): boolean {
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
  const at = text.replaceAll(LINK, (known) => '\0'.repeat(known.length)).indexOf(words);
  return at === -1 ? undefined : text.slice(0, at) + link + text.slice(at + words.length);
}

/** Spaces and brackets would end the address. */
const target = (uri: string): string =>
  uri.replaceAll(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
