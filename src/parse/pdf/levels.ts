// Levels of headings from the sizes of their letters, over the whole document: the largest are the first.
import type { PageReading } from './parts.ts';

const SAME_SIZE = 1.08;
const DEEPEST = 6;

export function setLevels(pages: readonly PageReading[]): void {
  const headings = pages.flatMap((page) => page.parts.filter(({ kind, size }) => kind === 'heading' && size > 0));
  const sizes = [...new Set(headings.map(({ size }) => size))].sort((a, b) => b - a);
  const levels = new Map<number, number>();
  let [level, largest] = [0, Number.POSITIVE_INFINITY];
  for (const size of sizes) {
    if (size * SAME_SIZE < largest) {
      level++;
      largest = size;
    }
    levels.set(size, Math.min(level, DEEPEST));
  }
  for (const heading of headings) heading.level = levels.get(heading.size)!;
}
