// Blocks made by one template: where nearly all of them are content, the others are content too.
import type { BlockTable } from '../blocks/block-table.ts';

const MANY = 4;
const NEARLY_ALL = 0.75;

/** Blocks that are doubted for themselves stay as they are. */
export function completeTemplates({ paths }: BlockTable, keep: Uint8Array, doubt?: Float64Array): void {
  const counts = new Map<number, { kept: number; all: number }>();
  for (let index = 0; index < keep.length; index++) {
    const count = counts.get(paths[index]!) ?? { kept: 0, all: 0 };
    count.all += 1;
    count.kept += keep[index]!;
    counts.set(paths[index]!, count);
  }
  for (let index = 0; index < keep.length; index++) {
    const { kept, all } = counts.get(paths[index]!)!;
    if (doubt && doubt[index]! < 0) continue;
    if (all >= MANY && kept < all && kept >= all * NEARLY_ALL) keep[index] = 1;
  }
}
