// Features of the neighbourhood: windows around the block, the last heading, and the distance to the next paragraphs.
import { FLAG } from '../blocks/block-flags.ts';
import { isLong, type Sums, share } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureWriter } from './feature-family.ts';

export const SURROUNDING_FEATURES = [
  'position',
  'word-position',
  'blocks-from-end',
  'window2-link-share',
  'window2-words',
  'window5-link-share',
  'window5-words',
  'window5-long',
  'window12-link-share',
  'window12-long',
  'to-next-long',
  'to-last-long',
  'words-to-next-long',
  'words-to-last-long',
  'long-before',
  'long-after',
  'to-heading',
  'heading-level',
  'copies',
  'is-copy',
] as const;
const column = columnsOf(SURROUNDING_FEATURES);

const NOWHERE = 999;

export function createSurroundingFeatures({ list }: Blocks, sums: Sums): FeatureWriter {
  const count = list.length;
  const nextLong = new Int32Array(count + 1).fill(-1);
  for (let index = count - 1; index >= 0; index--)
    nextLong[index] = isLong(list[index]!) ? index : nextLong[index + 1]!;
  const lastLong = new Int32Array(count).fill(-1);
  const lastHeading = new Int32Array(count).fill(-1);
  const copies = new Map<number, number>();
  const seen = new Set<number>();
  const isCopy = new Uint8Array(count);
  for (const [index, block] of list.entries()) {
    const before = index - 1;
    lastLong[index] = isLong(block) ? index : before >= 0 ? lastLong[before]! : -1;
    lastHeading[index] = (block.flags & FLAG.heading) !== 0 ? index : before >= 0 ? lastHeading[before]! : -1;
    const { hash } = block.stats;
    copies.set(hash, (copies.get(hash) ?? 0) + 1);
    isCopy[index] = seen.has(hash) ? 1 : 0;
    seen.add(hash);
  }
  const total = sums.words[count]!;
  const totalLong = sums.long[count]!;

  return (index, row, at) => {
    const block = list[index]!;
    const window = (radius: number) => {
      const from = Math.max(0, index - radius);
      const to = Math.min(count, index + radius + 1);
      const words = sums.words[to]! - sums.words[from]!;
      return {
        words,
        links: share(sums.linkWords[to]! - sums.linkWords[from]!, words),
        long: sums.long[to]! - sums.long[from]!,
      };
    };
    const [near, wide, wider] = [window(2), window(5), window(12)];
    const next = nextLong[index]!;
    const last = lastLong[index]!;
    const heading = lastHeading[index]!;
    row[at + column.position] = share(index, count);
    row[at + column['word-position']] = share(sums.words[index]!, total);
    row[at + column['blocks-from-end']] = count - index;
    row[at + column['window2-link-share']] = near.links;
    row[at + column['window2-words']] = near.words;
    row[at + column['window5-link-share']] = wide.links;
    row[at + column['window5-words']] = wide.words;
    row[at + column['window5-long']] = wide.long;
    row[at + column['window12-link-share']] = wider.links;
    row[at + column['window12-long']] = wider.long;
    row[at + column['to-next-long']] = next < 0 ? NOWHERE : next - index;
    row[at + column['to-last-long']] = last < 0 ? NOWHERE : index - last;
    row[at + column['words-to-next-long']] =
      next < 0 ? NOWHERE : Math.min(NOWHERE, sums.words[next]! - sums.words[index]!);
    row[at + column['words-to-last-long']] =
      last < 0 ? NOWHERE : Math.min(NOWHERE, sums.words[index]! - sums.words[last]!);
    row[at + column['long-before']] = share(sums.long[index]!, totalLong);
    row[at + column['long-after']] = totalLong - sums.long[index + 1]!;
    row[at + column['to-heading']] = heading < 0 ? NOWHERE : index - heading;
    row[at + column['heading-level']] = heading < 0 ? -1 : list[heading]!.depth - block.depth;
    row[at + column.copies] = copies.get(block.stats.hash)!;
    row[at + column['is-copy']] = isCopy[index]!;
  };
}
