// A page in numbered lines, of which a model names those to drop. A block of code counts as one line, so that it stays
// whole; what is kept is verbatim.
import type { LineRange } from '../prompts/pages/clean-page.ts';

/** Enough of a line to tell what it is. */
const SHOWN = 160;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** Lines that are dropped or kept together, blank ones left out. */
function unitsOf(markdown: string): { lines: string[]; isBlank: boolean }[] {
  const units: { lines: string[]; isBlank: boolean }[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      units.at(-1)!.lines.push(line);
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = mark;
    units.push({ lines: [line], isBlank: line.trim() === '' });
  }
  return units;
}

export function numberBlocks(markdown: string): string {
  const shown = unitsOf(markdown).filter(({ isBlank }) => !isBlank);
  return shown.map(({ lines: [first] }, at) => `[${at + 1}] ${shortened(first!)}`).join('\n');
}

const shortened = (line: string): string => (line.length > SHOWN ? `${line.slice(0, SHOWN)} ...` : line);

export function dropBlocks(markdown: string, ranges: readonly LineRange[]): string {
  let number = 0;
  const kept = unitsOf(markdown).filter(({ isBlank }) => {
    if (isBlank) return true;
    number += 1;
    return !ranges.some(({ from, to }) => number >= from && number <= to);
  });
  return kept
    .flatMap(({ lines }) => lines)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
