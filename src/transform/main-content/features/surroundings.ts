// Features of the neighbourhood: windows around the block, the last heading, and the distance to the next paragraphs.
import { FLAG } from '../blocks/block-flags.ts';
import { isLong, type Sums, share } from '../blocks/block-sums.ts';
import type { Block, Blocks } from '../blocks/blocks.ts';
import { columnsOf, type FeatureFamily } from './feature-family.ts';

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

export class SurroundingFeatures implements FeatureFamily {
  readonly #list: readonly Block[];
  readonly #sums: Sums;
  /** The nearest long block from each block on, and up to it; -1 if there is none. */
  readonly #nextLong: Int32Array;
  readonly #lastLong: Int32Array;
  readonly #lastHeading: Int32Array;
  readonly #copies = new Map<number, number>();
  readonly #isCopy: Uint8Array;

  constructor({ list }: Blocks, sums: Sums) {
    const count = list.length;
    this.#list = list;
    this.#sums = sums;
    this.#nextLong = new Int32Array(count);
    this.#lastLong = new Int32Array(count);
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
    let long = -1;
    let heading = -1;
    for (let index = 0; index < this.#list.length; index++) {
      const block = this.#list[index]!;
      if (isLong(block)) long = index;
      if ((block.flags & FLAG.heading) !== 0) heading = index;
      this.#lastLong[index] = long;
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
    row[at + column['window2-link-share']] = this.#linkShare(index, 2);
    row[at + column['window2-words']] = this.#around(sums.words, index, 2);
    row[at + column['window5-link-share']] = this.#linkShare(index, 5);
    row[at + column['window5-words']] = this.#around(sums.words, index, 5);
    row[at + column['window5-long']] = this.#around(sums.long, index, 5);
    row[at + column['window12-link-share']] = this.#linkShare(index, 12);
    row[at + column['window12-long']] = this.#around(sums.long, index, 12);
    row[at + column['long-before']] = share(sums.long[index]!, totalLong);
    row[at + column['long-after']] = totalLong - sums.long[index + 1]!;
    this.#writeDistances(index, row, at);
    row[at + column.copies] = this.#copies.get(this.#list[index]!.stats.hash)!;
    row[at + column['is-copy']] = this.#isCopy[index]!;
  }

  #writeDistances(index: number, row: Float32Array, at: number): void {
    const { words } = this.#sums;
    const next = this.#nextLong[index]!;
    const last = this.#lastLong[index]!;
    const heading = this.#lastHeading[index]!;
    row[at + column['to-next-long']] = next < 0 ? NOWHERE : next - index;
    row[at + column['to-last-long']] = last < 0 ? NOWHERE : index - last;
    row[at + column['words-to-next-long']] = next < 0 ? NOWHERE : Math.min(NOWHERE, words[next]! - words[index]!);
    row[at + column['words-to-last-long']] = last < 0 ? NOWHERE : Math.min(NOWHERE, words[index]! - words[last]!);
    row[at + column['to-heading']] = heading < 0 ? NOWHERE : index - heading;
    row[at + column['heading-level']] = heading < 0 ? -1 : this.#list[heading]!.depth - this.#list[index]!.depth;
  }

  /** The sum over the blocks that are at most `radius` away. */
  #around(sums: Float64Array | Int32Array, index: number, radius: number): number {
    return sums[Math.min(this.#list.length, index + radius + 1)]! - sums[Math.max(0, index - radius)]!;
  }

  #linkShare(index: number, radius: number): number {
    return share(this.#around(this.#sums.linkWords, index, radius), this.#around(this.#sums.words, index, radius));
  }
}
