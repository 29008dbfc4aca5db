// Splits a page into leaf blocks: maximal runs of text between the borders of block elements. Hidden parts, <noscript>
// and <template> are blocks too, marked by a flag, because some pages keep their real content there.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { isBlock, isHeading, TAG, tagSet } from '../../../markup/html/tags.ts';
import { createFlagReader, FLAG } from './block-flags.ts';
import { createNameReader, NAME_GROUPS } from './name-groups.ts';
import { addText, emptyStats, type TextStats } from './text-stats.ts';

export interface Block {
  /** The nodes of the run: [start, end). */
  start: number;
  end: number;
  /** The block element around it. */
  container: number;
  depth: number;
  stats: TextStats;
  linkWords: number;
  links: number;
  images: number;
  /** The FLAG bits of the run and its ancestors. */
  flags: number;
  /** For each name group, the depth of the nearest ancestor with such a name. Shared between blocks. */
  namedAt: Int16Array;
}

export interface Blocks {
  list: Block[];
  /** The blocks of an element's subtree are [firstBlock, lastBlock). */
  firstBlock: Int32Array;
  lastBlock: Int32Array;
  /** A number for each distinct pair of tag and class. */
  signature: Int32Array;
}

const FAR = 20;

/** How many levels up the nearest ancestor with a name of the group is, at most FAR. */
export const levelsToName = ({ depth, namedAt }: Block, group: number): number =>
  Math.min(FAR, depth - namedAt[group]!);

const isSkipped = tagSet(
  'head script style svg iframe select input textarea datalist canvas object embed audio video math map',
);

export function collectBlocks(tree: HtmlTree): Blocks {
  const readNames = createNameReader();
  const firstBlock = new Int32Array(tree.size);
  const lastBlock = new Int32Array(tree.size);
  const signature = new Int32Array(tree.size);
  const numberOf = createSignatures();
  const flagsOf = createFlagReader(tree);
  const classOf = tree.attributeReader('class');
  const idOf = tree.attributeReader('id');
  const hrefOf = tree.attributeReader('href');
  const list: Block[] = [];

  // Stacks with one entry for each open element.
  const groups = NAME_GROUPS.length;
  const open: number[] = [0];
  const flagsAt: number[] = [0];
  const namedAt: Int16Array[] = [new Int16Array(groups).fill(-FAR)];
  const containerAt: number[] = [0];
  let linkEnd = 0;
  let current: Block | undefined;

  const openElement = (node: number, tag: number) => {
    const depth = open.length;
    const className = classOf(node) ?? '';
    const names = readNames(className) | readNames(idOf(node) ?? '');
    const above = namedAt[depth - 1]!;
    // Elements without such names share the array of their parent.
    let named = above;
    if (names !== 0) {
      named = above.slice();
      for (let group = 0; group < groups; group++) if ((names >> group) & 1) named[group] = depth;
    }
    signature[node] = numberOf(tag, className);
    firstBlock[node] = list.length;
    open.push(node);
    flagsAt.push(flagsOf(node, flagsAt[depth - 1]!));
    namedAt.push(named);
    containerAt.push(isBlock(tag) ? node : containerAt[depth - 1]!);
    if (tag === TAG.a && hrefOf(node) !== undefined) linkEnd = tree.end[node]!;
  };

  const closeElements = (node: number) => {
    while (open.length > 1 && tree.end[open[open.length - 1]!]! <= node) {
      const closed = open.pop()!;
      flagsAt.pop();
      namedAt.pop();
      containerAt.pop();
      lastBlock[closed] = list.length;
      if (isBlock(tree.tag[closed]!)) current = undefined;
    }
  };

  const blockAt = (node: number): Block => {
    if (current) return current;
    const depth = open.length - 1;
    current = {
      start: node,
      end: node + 1,
      container: containerAt[depth]!,
      depth,
      stats: emptyStats(),
      linkWords: 0,
      links: 0,
      images: 0,
      flags: flagsAt[depth]!,
      namedAt: namedAt[depth]!,
    };
    list.push(current);
    return current;
  };

  let pendingImages = 0;
  let linkOfLast = -1;
  for (let node = 1; node < tree.size; node++) {
    closeElements(node);
    if (tree.kind[node] === TEXT) {
      const text = tree.text(node);
      if (!/\S/.test(text)) {
        if (current) current.stats.inWord = false;
        continue;
      }
      const block = blockAt(node);
      const words = addText(block.stats, text);
      block.end = node + 1;
      block.flags |= flagsAt[open.length - 1]! & (FLAG.time | FLAG.button);
      block.images += pendingImages;
      pendingImages = 0;
      if (node < linkEnd) {
        block.linkWords += words;
        if (linkOfLast !== linkEnd) block.links += 1;
        linkOfLast = linkEnd;
      }
    } else if (tree.kind[node] === ELEMENT) {
      const tag = tree.tag[node]!;
      if (isSkipped(tag)) {
        node = tree.end[node]! - 1;
        continue;
      }
      if (tag === TAG.img) pendingImages += 1;
      else if (isBlock(tag)) current = undefined;
      else if (tag === TAG.br && current) current.stats.inWord = false;
      if (tree.end[node]! > node + 1 || isHeading(tag)) openElement(node, tag);
      else signature[node] = 0;
    }
  }
  closeElements(tree.size);
  lastBlock[0] = list.length;
  return { list, firstBlock, lastBlock, signature };
}

/** Numbers the distinct pairs of tag and class in order of appearance. */
function createSignatures(): (tag: number, className: string) => number {
  const byClass = new Map<string, Map<number, number>>();
  let count = 0;
  return (tag, className) => {
    let byTag = byClass.get(className);
    if (!byTag) {
      byTag = new Map();
      byClass.set(className, byTag);
    }
    let number = byTag.get(tag);
    if (number === undefined) {
      count += 1;
      number = count;
      byTag.set(tag, number);
    }
    return number;
  };
}
