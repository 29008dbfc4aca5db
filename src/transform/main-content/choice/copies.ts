// Drops repeated text: responsive layouts contain whole parts of a page twice.
import { FLAG } from '../blocks/block-flags.ts';
import type { BlockTable } from '../blocks/block-table.ts';

const COPY_WORDS = 4;
// Cells repeat short values on purpose.
const CELL_WORDS = 15;
const REPEATING = FLAG.item | FLAG.pre;

/**
 * Siblings may repeat each other, as lines of a list or a poem do. So may items and code on equal branches: the steps,
 * parameters and samples of a manual. The second copy of a responsive layout is on another branch.
 */
export function dropCopies(table: BlockTable, keep: Uint8Array): void {
  const { words, hashes, parents, paths, flags } = table;
  const firsts = new Map<number, number>();
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] === 0 || words[index]! < COPY_WORDS) continue;
    const first = firsts.get(hashes[index]!);
    if (first === undefined) firsts.set(hashes[index]!, index);
    else if (parents[first] === parents[index] || isCell(flags[index]!, words[index]!)) continue;
    else if (paths[first] !== paths[index] || (flags[index]! & REPEATING) === 0) keep[index] = 0;
  }
}

const isCell = (flags: number, words: number): boolean => (flags & FLAG.table) !== 0 && words < CELL_WORDS;
