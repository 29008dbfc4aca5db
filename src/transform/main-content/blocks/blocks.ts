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

/** The innermost element with this tag around a block, 0 if there is none. */
export function elementAround(tree: HtmlTree, { container }: Block, tag: number): number {
  for (let node = container; node > 0; node = tree.parent[node]!) if (tree.tag[node] === tag) return node;
  return 0;
}

const isSkipped = tagSet(
  'head script style svg iframe select input textarea datalist canvas object embed audio video math map',
);

export function collectBlocks(tree: HtmlTree): Blocks {
  const firstBlock = new Int32Array(tree.size);
  const lastBlock = new Int32Array(tree.size);
  const signature = new Int32Array(tree.size);
  const numberOf = createSignatures();
  const classOf = tree.attributeReader('class');
  const hrefOf = tree.attributeReader('href');
  const open = createOpenElements(tree);
  const list: Block[] = [];
  let current: Block | undefined;
  let pendingImages = 0;
  let linkEnd = 0;
  let lastLink = -1;

  const closeElements = (node: number) => {
    for (let closed = open.popEnded(node); closed >= 0; closed = open.popEnded(node)) {
      lastBlock[closed] = list.length;
      if (isBlock(tree.tag[closed]!)) current = undefined;
    }
  };

  const openElement = (node: number, tag: number) => {
    if (tag === TAG.img) pendingImages += 1;
    else if (isBlock(tag)) current = undefined;
    else if (tag === TAG.br && current) current.stats.inWord = false;
    if (tree.end[node]! === node + 1 && !isHeading(tag)) return;
    const className = classOf(node) ?? '';
    signature[node] = numberOf(tag, className);
    firstBlock[node] = list.length;
    open.push(node, tag, className);
    if (tag === TAG.a && hrefOf(node) !== undefined) linkEnd = tree.end[node]!;
  };

  const addTextNode = (node: number) => {
    const text = tree.text(node);
    if (!/\S/.test(text)) {
      if (current) current.stats.inWord = false;
      return;
    }
    if (!current) {
      current = open.createBlock(node);
      list.push(current);
    }
    const words = addText(current.stats, text);
    current.end = node + 1;
    current.flags |= open.flags() & (FLAG.time | FLAG.button);
    current.images += pendingImages;
    pendingImages = 0;
    if (node >= linkEnd) return;
    current.linkWords += words;
    if (lastLink !== linkEnd) current.links += 1;
    lastLink = linkEnd;
  };

  for (let node = 1; node < tree.size; node++) {
    closeElements(node);
    if (tree.kind[node] === TEXT) addTextNode(node);
    else if (tree.kind[node] !== ELEMENT) continue;
    else if (isSkipped(tree.tag[node]!)) node = tree.end[node]! - 1;
    else openElement(node, tree.tag[node]!);
  }
  closeElements(tree.size);
  lastBlock[0] = list.length;
  return { list, firstBlock, lastBlock, signature };
}

interface OpenElements {
  push(node: number, tag: number, className: string): void;
  /** Removes and returns the innermost element if it ends at or before this node, else -1. */
  popEnded(node: number): number;
  /** The flags inside the innermost element. */
  flags(): number;
  /** An empty block that starts at this node. */
  createBlock(node: number): Block;
}

/** The stack of open elements, as parallel arrays: an object for each element would cost more. */
function createOpenElements(tree: HtmlTree): OpenElements {
  const groups = NAME_GROUPS.length;
  const readNames = createNameReader();
  const flagsOf = createFlagReader(tree);
  const idOf = tree.attributeReader('id');
  const nodes: number[] = [0];
  const flags: number[] = [0];
  const namedAt: Int16Array[] = [new Int16Array(groups).fill(-FAR)];
  const containers: number[] = [0];

  return {
    push(node, tag, className) {
      const depth = nodes.length;
      const names = readNames(className) | readNames(idOf(node) ?? '');
      // Elements without such names share the array of their parent.
      let named = namedAt[depth - 1]!;
      if (names !== 0) {
        named = named.slice();
        for (let group = 0; group < groups; group++) if ((names >> group) & 1) named[group] = depth;
      }
      nodes.push(node);
      flags.push(flagsOf(node, flags[depth - 1]!));
      namedAt.push(named);
      containers.push(isBlock(tag) ? node : containers[depth - 1]!);
    },
    popEnded(node) {
      const top = nodes[nodes.length - 1]!;
      if (nodes.length === 1 || tree.end[top]! > node) return -1;
      nodes.pop();
      flags.pop();
      namedAt.pop();
      containers.pop();
      return top;
    },
    flags: () => flags[flags.length - 1]!,
    createBlock(node) {
      const depth = nodes.length - 1;
      return {
        start: node,
        end: node + 1,
        container: containers[depth]!,
        depth,
        stats: emptyStats(),
        linkWords: 0,
        links: 0,
        images: 0,
        flags: flags[depth]!,
        namedAt: namedAt[depth]!,
      };
    },
  };
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
