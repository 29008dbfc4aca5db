// Features of the elements around the block: what they are and what their classes and ids say.
import { FLAG } from '../blocks/block-flags.ts';
import { type Block, type Blocks, levelsToName } from '../blocks/blocks.ts';
import { NAME_GROUPS, type NameGroup } from '../blocks/name-groups.ts';
import type { FeatureFamily } from './feature-family.ts';

const FLAGS = ['nav', 'footer', 'aside', 'main', 'button', 'dialog', 'itemprop'] as const;
const FLAG_BITS = FLAGS.map((flag) => FLAG[flag]);
const GROUPS: readonly NameGroup[] = [
  'nav',
  'foot',
  'comment',
  'related',
  'popup',
  'byline',
  'product',
  'media',
  'form',
];
const GROUP_NUMBERS = GROUPS.map((group) => NAME_GROUPS.indexOf(group));

export const ANCESTRY_FEATURES: readonly string[] = [
  'depth',
  ...FLAGS.map((flag) => `in-${flag}`),
  ...GROUPS.map((group) => `named-${group}`),
];
const FIRST_FLAG = 1;
const FIRST_NAME = FIRST_FLAG + FLAGS.length;

export class AncestryFeatures implements FeatureFamily {
  readonly #list: readonly Block[];

  constructor({ list }: Blocks) {
    this.#list = list;
  }

  write(index: number, row: Float32Array, at: number): void {
    const block = this.#list[index]!;
    row[at] = block.depth;
    for (let flag = 0; flag < FLAG_BITS.length; flag++)
      row[at + FIRST_FLAG + flag] = (block.flags & FLAG_BITS[flag]!) === 0 ? 0 : 1;
    for (let group = 0; group < GROUP_NUMBERS.length; group++)
      row[at + FIRST_NAME + group] = levelsToName(block, GROUP_NUMBERS[group]!);
  }
}
