// The facts about the blocks of a page that page type and choice need, as one column each. Training stores these columns,
// so that validation runs the very steps of the product.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { type Block, type Blocks, levelsToName } from './blocks.ts';
import { pathsOf } from './branch-paths.ts';
import { NAME_GROUPS } from './name-groups.ts';
import { isPointer } from './pointers.ts';

export interface BlockTable {
  words: Float64Array;
  /** The FLAG bits of each block. */
  flags: Int32Array;
  /** Equal for blocks with the same text. */
  hashes: Int32Array;
  /** Equal for blocks with the same branch path. */
  paths: Int32Array;
  /** The element around the element of each block. */
  parents: Int32Array;
  /** The ROLE bits of each block. */
  roles: Uint8Array;
}

/** What a block is by the names of close ancestors or its first words. Unlike flags, these are no input of the model. */
export const ROLE = {
  caption: 1 << 0,
  comment: 1 << 1,
  /** Inside an advertisement, consent or newsletter box. */
  box: 1 << 2,
  /** Perhaps inside one: the name has other uses too. */
  maybeBox: 1 << 3,
  /** A line in the text that leads to another article: "Read also: ...". */
  pointer: 1 << 4,
  /** What a forum adds below each post of its author. */
  signature: 1 << 5,
} as const;

// How many levels up a class name still describes a block.
const CAPTION_LEVELS = 1;
const COMMENT_LEVELS = 6;
const BOX_LEVELS = 3;
const SIGNATURE_LEVELS = 2;
// A listing starts within this many nodes; a bound, since a figure may have any number of captions.
const FIGURE_NODES = 200;
const CAPTION = NAME_GROUPS.indexOf('caption');
const SIGNATURE = NAME_GROUPS.indexOf('signature');
const COMMENT = NAME_GROUPS.indexOf('comment');
const BOX = NAME_GROUPS.indexOf('box');
const ADVERT = NAME_GROUPS.indexOf('advert');
const POPUP = NAME_GROUPS.indexOf('popup');

export function tabulateBlocks(tree: HtmlTree, blocks: Blocks): BlockTable {
  const { list } = blocks;
  const table: BlockTable = {
    words: new Float64Array(list.length),
    flags: new Int32Array(list.length),
    hashes: new Int32Array(list.length),
    paths: pathsOf(tree, blocks),
    parents: new Int32Array(list.length),
    roles: new Uint8Array(list.length),
  };
  for (let index = 0; index < list.length; index++) {
    const block = list[index]!;
    table.words[index] = block.stats.words;
    table.flags[index] = block.flags;
    table.hashes[index] = block.stats.hash;
    table.parents[index] = tree.parent[block.container]!;
    table.roles[index] = roleOf(tree, block);
  }
  return table;
}

function roleOf(tree: HtmlTree, block: Block): number {
  let role = 0;
  if (isCaption(tree, block)) role |= ROLE.caption;
  if (levelsToName(block, COMMENT) <= COMMENT_LEVELS) role |= ROLE.comment;
  if (levelsToName(block, BOX) <= BOX_LEVELS) role |= ROLE.box;
  else if (levelsToName(block, ADVERT) <= BOX_LEVELS || levelsToName(block, POPUP) <= BOX_LEVELS) role |= ROLE.maybeBox;
  if (levelsToName(block, SIGNATURE) <= SIGNATURE_LEVELS) role |= ROLE.signature;
  if (isPointer(tree, block)) role |= ROLE.pointer;
  return role;
}

const isCaption = (tree: HtmlTree, block: Block): boolean =>
  levelsToName(block, CAPTION) <= CAPTION_LEVELS || isImageCaption(tree, block.container);

/** Captions of code listings belong to the text. */
function isImageCaption(tree: HtmlTree, container: number): boolean {
  const caption = tree.tag[container] === TAG.figcaption ? container : tree.parent[container]!;
  if (tree.tag[caption] !== TAG.figcaption) return false;
  const figure = tree.parent[caption]!;
  const end = Math.min(tree.end[figure]!, figure + FIGURE_NODES);
  for (let node = figure + 1; node < end; node++) if (tree.tag[node] === TAG.pre) return false;
  return true;
}
