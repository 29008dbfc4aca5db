// Drops repeated text: responsive layouts contain whole parts of a page twice.
import { FLAG } from '../blocks/block-flags.ts';
import type { BlockTable } from '../blocks/block-table.ts';

const COPY_WORDS = 4;
// Cells repeat short values on purpose.
const CELL_WORDS = 15;
const LIKELY_MANUAL = 0.3;

/** Siblings may repeat each other, as lines of a list or a poem do, and so may the steps and samples of a manual. */
export function dropCopies(
  { words, hashes, flags, parents }: BlockTable,
  keep: Uint8Array,
  pDocumentation: number,
): void {
  if (pDocumentation > LIKELY_MANUAL) return;
  const parentOfFirst = new Map<number, number>();
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] === 0 || words[index]! < COPY_WORDS) continue;
    const first = parentOfFirst.get(hashes[index]!);
    if (first === undefined) parentOfFirst.set(hashes[index]!, parents[index]!);
    else if (first !== parents[index]! && !isCell(flags[index]!, words[index]!)) keep[index] = 0;
  }
}

const isCell = (flags: number, words: number): boolean => (flags & FLAG.table) !== 0 && words < CELL_WORDS;
