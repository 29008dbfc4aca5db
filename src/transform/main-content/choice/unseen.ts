// Drops text that a reader cannot see, unless that is where the page keeps its content.
import { isConcealed } from '../blocks/block-sums.ts';
import type { BlockTable } from '../blocks/block-table.ts';

// If fewer than this share of the kept words is visible, the page hides its content until a script shows it.
const VISIBLE_SHARE = 0.5;

export function dropUnseen({ words, flags, hashes }: BlockTable, keep: Uint8Array): void {
  let visible = 0;
  let concealed = 0;
  // Repeated text counts once: a page must not get a hidden sentence shown by hiding it often.
  const counted = new Set<number>();
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] === 0) continue;
    if (!isConcealed(flags[index]!)) visible += words[index]!;
    else if (!counted.has(hashes[index]!)) concealed += words[index]!;
    counted.add(hashes[index]!);
  }
  if (visible < (visible + concealed) * VISIBLE_SHARE) return;
  for (let index = 0; index < keep.length; index++) if (isConcealed(flags[index]!)) keep[index] = 0;
}
