// Assigns heading levels by font size across all pages, largest first. An engine's own levels are valid only within
// one batch of pages, where they tell which headings belong together.
import type { PagePart, PageReading } from '../page-parts.ts';

const SAME_SIZE = 1.08;
const MAX_LEVEL = 6;

export function assignHeadingLevels(pages: readonly PageReading[]): void {
  const alike = new Map<string, PagePart[]>();
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
    for (const part of parts) part.level = Math.min(level, MAX_LEVEL);
  }
}

const medianSize = (parts: readonly PagePart[]): number =>
  parts.map(({ size }) => size).sort((a, b) => a - b)[Math.floor(parts.length / 2)]!;
