// Drops advertisements, consent and newsletter boxes that the model let through, by their names.
import { type BlockTable, ROLE } from '../blocks/block-table.ts';

// Boxes that hold more than this share of the content are misnamed.
const CONTENT_SHARE = 0.3;
const DOUBTFUL = 0.5;

export function dropNamedBoxes({ words, roles }: BlockTable, keep: Uint8Array, probability: Float64Array): void {
  const isBox = (index: number) =>
    (roles[index]! & ROLE.box) !== 0 || ((roles[index]! & ROLE.maybeBox) !== 0 && probability[index]! < DOUBTFUL);
  let kept = 0;
  let inside = 0;
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] === 0) continue;
    kept += words[index]!;
    if (isBox(index)) inside += words[index]!;
  }
  if (inside > kept * CONTENT_SHARE) return;
  for (let index = 0; index < keep.length; index++) if (isBox(index)) keep[index] = 0;
}
