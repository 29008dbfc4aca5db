// What the page itself calls its main part: a <main> element, or role="main".
import { FLAG } from '../blocks/block-flags.ts';
import type { BlockTable } from '../blocks/block-table.ts';

const OUTSIDE_FACTOR = 0.5;

/** Text outside the main part counts half. Returns false if nothing is inside, or nothing outside. */
export function weakenOutsideMain({ flags }: BlockTable, probability: Float64Array): boolean {
  let inside = 0;
  for (let index = 0; index < flags.length; index++) if ((flags[index]! & FLAG.main) !== 0) inside += 1;
  if (inside === 0 || inside === flags.length) return false;
  for (let index = 0; index < flags.length; index++) {
    if ((flags[index]! & FLAG.main) === 0) probability[index]! *= OUTSIDE_FACTOR;
  }
  return true;
}
