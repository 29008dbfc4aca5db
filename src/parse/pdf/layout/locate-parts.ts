// Where the parts of a second reading stand on the page: it tells none, but its lines are those of the first reading.

import { type Part, plainOf, union } from '../page-parts.ts';
import type { Line } from '../readers/printed-lines.ts';

// Beyond this a page has so much on it that finding its lines would take too long.
const MOST_STEPS = 20_000_000;
const SHORTEST = 2;

export function withPlaces(parts: readonly Part[], lines: readonly Line[]): Part[] {
  const texts = parts.map((part) => squeeze(plainOf(part)));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length * lines.length > MOST_STEPS) return [...parts];
  const placed = parts.map((part): Part => ({ ...part }));
  let from = 0;
  for (const line of lines) {
    const text = squeeze(line.text);
    if (text.length < SHORTEST) continue;
    // Lines come in order of reading, mostly: the search goes on where the last one was found.
    let at = texts.findIndex((candidate, index) => index >= from && candidate.includes(text));
    if (at === -1) at = texts.findIndex((candidate) => candidate.includes(text));
    if (at === -1) continue;
    const part = placed[at]!;
    part.box = union(part.box, line.box);
    part.size = Math.max(part.size, line.size);
    if (part.kind === 'heading') part.bold ||= line.bold;
    from = at;
  }
  return placed;
}

const squeeze = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
