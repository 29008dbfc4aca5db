// Links that a reader has left out: their places are on the page, the words there are looked up in its parts.
import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import type { Box, Part } from './parts.ts';
import { repairText } from './text.ts';

const MOST_LINKS = 300;
const MOST_PAIRS = 2_000_000;

export interface Link {
  words: string;
  uri: string;
}

export function linksOf({ annotations = [], textItems }: ParsedPage): Link[] {
  const links = annotations
    .filter(({ uri, rect }) => uri && rect && /^(?:https?|mailto|ftp):/i.test(uri))
    .slice(0, MOST_LINKS);
  if (links.length * textItems.length > MOST_PAIRS) return [];
  return links.flatMap(({ uri, rect }) => {
    const words = repairText(
      textItems
        .filter((item) => isWithin(item, rect!))
        .map(({ text }) => text)
        .join(' '),
    );
    return words.length > 1 ? [{ words, uri: uri! }] : [];
  });
}

function isWithin(item: TextItem, rect: Box): boolean {
  const y = item.y + item.height / 2;
  return (
    item.x >= rect.x - 2 && item.x + item.width <= rect.x + rect.width + 2 && y >= rect.y && y <= rect.y + rect.height
  );
}

export function withLinks(parts: readonly Part[], links: readonly Link[]): Part[] {
  const missing = links.filter(({ uri }) => !parts.some(({ text }) => text.includes(`](${uri}`)));
  if (missing.length === 0) return [...parts];
  const linked = parts.map((part) => ({ ...part, rows: part.rows?.map((row) => [...row]) }));
  for (const { words, uri } of missing) addLink(linked, words, `[${words}](${target(uri)})`);
  return linked;
}

/** To the first place where the words stand and are no link yet. */
function addLink(parts: Part[], words: string, link: string): void {
  for (const part of parts) {
    if (part.rows) {
      for (const row of part.rows) {
        const at = row.findIndex((cell) => canHold(cell, words));
        if (at === -1) continue;
        row[at] = row[at]!.replace(words, () => link);
        return;
      }
    } else if (part.kind !== 'code' && canHold(part.text, words)) {
      part.text = part.text.replace(words, () => link);
      return;
    }
  }
}

const canHold = (text: string, words: string): boolean => text.includes(words) && !text.includes(`[${words}`);

/** Spaces and brackets would end the address. */
const target = (uri: string): string =>
  uri.replaceAll(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
