// Drops text that a reader cannot see, unless that is where the page keeps its content.
import { isConcealed } from '../blocks/block-sums.ts';
import type { BlockTable } from '../blocks/block-table.ts';

// If fewer than this share of the kept words is visible, the page hides its content until a script shows it.
const VISIBLE_SHARE = 0.5;

export function dropUnseen({ words, flags }: BlockTable, keep: Uint8Array): void {
  let visible = 0;
  let all = 0;
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] === 0) continue;
    all += words[index]!;
    if (!isConcealed(flags[index]!)) visible += words[index]!;
  }
  if (visible < all * VISIBLE_SHARE) return;
  for (let index = 0; index < keep.length; index++) if (isConcealed(flags[index]!)) keep[index] = 0;
}
