// Features of the neighbourhood: windows around the block, the last heading, and the distance to the next paragraph.
import { FLAG } from '../blocks/block-flags.ts';
import { isLong, type Sums, share } from '../blocks/block-sums.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';

export const SURROUNDING_FEATURES = [
  'position',
  'word-position',
  'blocks-from-end',
  'window5-link-share',
  'window5-long',
  'window12-link-share',
  'to-next-long',
  'long-before',
  'long-after',
  'to-heading',
  'copies',
  'is-copy',
] as const;
const column = columnsOf(SURROUNDING_FEATURES);

const NOWHERE = 999;

export class SurroundingFeatures implements FeatureFamily {
  readonly #list: readonly Block[];
  readonly #sums: Sums;
  /** The nearest long block at or after each block; -1 if no long block follows. */
  readonly #nextLong: Int32Array;
  readonly #lastHeading: Int32Array;
  readonly #copies = new Map<number, number>();
  readonly #isCopy: Uint8Array;

  constructor({ list }: Blocks, sums: Sums) {
    const count = list.length;
    this.#list = list;
    this.#sums = sums;
    this.#nextLong = new Int32Array(count);
    this.#lastHeading = new Int32Array(count);
    this.#isCopy = new Uint8Array(count);
    this.#lookAhead();
    this.#lookBack();
  }

  #lookAhead(): void {
    let next = -1;
    for (let index = this.#list.length - 1; index >= 0; index--) {
      if (isLong(this.#list[index]!)) next = index;
      this.#nextLong[index] = next;
    }
  }

  #lookBack(): void {
    let heading = -1;
    for (let index = 0; index < this.#list.length; index++) {
      const block = this.#list[index]!;
      if ((block.flags & FLAG.heading) !== 0) heading = index;
      this.#lastHeading[index] = heading;
      const copies = this.#copies.get(block.stats.hash) ?? 0;
      this.#copies.set(block.stats.hash, copies + 1);
      this.#isCopy[index] = copies > 0 ? 1 : 0;
    }
  }

  write(index: number, row: Float32Array, at: number): void {
    const sums = this.#sums;
    const count = this.#list.length;
    const totalLong = sums.long[count]!;
    row[at + column.position] = share(index, count);
    row[at + column['word-position']] = share(sums.words[index]!, sums.words[count]!);
    row[at + column['blocks-from-end']] = count - index;
    row[at + column['window5-link-share']] = this.#linkShare(index, 5);
    row[at + column['window5-long']] = this.#around(sums.long, index, 5);
    row[at + column['window12-link-share']] = this.#linkShare(index, 12);
    row[at + column['long-before']] = share(sums.long[index]!, totalLong);
    row[at + column['long-after']] = totalLong - sums.long[index + 1]!;
    const next = this.#nextLong[index]!;
    const heading = this.#lastHeading[index]!;
    row[at + column['to-next-long']] = next < 0 ? NOWHERE : next - index;
    row[at + column['to-heading']] = heading < 0 ? NOWHERE : index - heading;
    row[at + column.copies] = this.#copies.get(this.#list[index]!.stats.hash)!;
    row[at + column['is-copy']] = this.#isCopy[index]!;
  }

  /** The sum over the blocks that are at most `radius` away. */
  #around(sums: Float64Array | Int32Array, index: number, radius: number): number {
    return sums[Math.min(this.#list.length, index + radius + 1)]! - sums[Math.max(0, index - radius)]!;
  }

  #linkShare(index: number, radius: number): number {
    return share(this.#around(this.#sums.linkWords, index, radius), this.#around(this.#sums.words, index, radius));
  }
}
