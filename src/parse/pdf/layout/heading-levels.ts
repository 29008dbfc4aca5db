// Levels of headings from the sizes of their letters, over the whole document: the largest are the first. A reader's own levels hold
// only among the pages that it saw together, but within them they say which headings are alike.
import type { PageReading, Part } from '../page-parts.ts';

const SAME_SIZE = 1.08;
const DEEPEST = 6;

export function setLevels(pages: readonly PageReading[]): void {
  const alike = new Map<string, Part[]>();
  for (const { scope, parts } of pages) {
    for (const part of parts) {
      if (part.kind !== 'heading' || part.margin || part.size === 0) continue;
      const key = `${scope} ${part.level}`;
      const others = alike.get(key);
      if (others) others.push(part);
      else alike.set(key, [part]);
    }
  }
  const groups = [...alike.values()]
    .map((parts) => ({ parts, size: medianSize(parts) }))
    .sort((a, b) => b.size - a.size);
  let [level, largest] = [0, Number.POSITIVE_INFINITY];
  for (const { parts, size } of groups) {
    if (size * SAME_SIZE < largest) {
      level++;
      largest = size;
    }
    for (const part of parts) part.level = Math.min(level, DEEPEST);
  }
}

const medianSize = (parts: readonly Part[]): number =>
  parts.map(({ size }) => size).sort((a, b) => a - b)[Math.floor(parts.length / 2)]!;
