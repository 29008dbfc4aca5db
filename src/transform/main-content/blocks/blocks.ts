// Splits a page into leaf blocks: maximal runs of text between the borders of block elements. Hidden parts, <noscript>
// and <template> are blocks too, marked by a flag, because some pages keep their real content there.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { isBlock, isHeading, TAG, tagSet } from '../../../markup/html/tags.ts';
import { FLAG } from './block-flags.ts';
import { BlockAncestors, FAR } from './open-elements.ts';
import { createStatsReader, type StatsReader, type TextStats } from './text-stats.ts';

export interface Block {
  /** The nodes of the run: [start, end). */
  start: number;
  end: number;
  /** The block element around it. */
  container: number;
  depth: number;
  stats: TextStats;
  linkWords: number;
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

/** How many levels up the nearest ancestor with a name of the group is, at most FAR. */
export const levelsToName = ({ depth, namedAt }: Block, group: number): number =>
  Math.min(FAR, depth - namedAt[group]!);

/** The innermost element with this tag around a block; 0 if the block is in no such element. */
export function elementAround(tree: HtmlTree, { container }: Block, tag: number): number {
  for (let node = container; node > 0; node = tree.parent[node]!) if (tree.tag[node] === tag) return node;
  return 0;
}

const isSkipped = tagSet(
  'head script style svg iframe select input textarea datalist canvas object embed audio video math map',
);

export function createBlockCollector(): (tree: HtmlTree) => Blocks {
  const reader = createStatsReader();
  // The statistics of a block that is being read.
  reader.start();
  const unread = reader.stats();
  return (tree) => new BlockCollector(tree, reader, unread).run();
}

class BlockCollector {
  readonly #tree: HtmlTree;
  readonly #reader: StatsReader;
  readonly #unread: TextStats;
  readonly #open: BlockAncestors;
  readonly #signatures = new Signatures();
  readonly #list: Block[] = [];
  readonly #firstBlock: Int32Array;
  readonly #lastBlock: Int32Array;
  readonly #signature: Int32Array;
  readonly #class: number;
  readonly #href: number;
  #current: Block | undefined;
  #linkEnd = 0;

  constructor(tree: HtmlTree, reader: StatsReader, unread: TextStats) {
    this.#tree = tree;
    this.#reader = reader;
    this.#unread = unread;
    this.#open = new BlockAncestors(tree);
    this.#firstBlock = new Int32Array(tree.size);
    this.#lastBlock = new Int32Array(tree.size);
    this.#signature = new Int32Array(tree.size);
    this.#class = tree.attributeNumber('class');
    this.#href = tree.attributeNumber('href');
  }

  run(): Blocks {
    const tree = this.#tree;
    for (let node = 1; node < tree.size; node++) {
      this.#closeElements(node);
      if (tree.kind[node] === TEXT) this.#addText(node);
      else if (tree.kind[node] !== ELEMENT) continue;
      else if (isSkipped(tree.tag[node]!)) node = tree.end[node]! - 1;
      else this.#openElement(node, tree.tag[node]!);
    }
    this.#closeElements(tree.size);
    this.#endBlock();
    this.#lastBlock[0] = this.#list.length;
    return {
      list: this.#list,
      firstBlock: this.#firstBlock,
      lastBlock: this.#lastBlock,
      signature: this.#signature,
    };
  }

  #closeElements(node: number): void {
    const open = this.#open;
    for (let closed = open.popEnded(node); closed >= 0; closed = open.popEnded(node)) {
      this.#lastBlock[closed] = this.#list.length;
      if (isBlock(this.#tree.tag[closed]!)) this.#endBlock();
    }
  }

  #endBlock(): void {
    if (this.#current) this.#current.stats = this.#reader.stats();
    this.#current = undefined;
  }

  #openElement(node: number, tag: number): void {
    const tree = this.#tree;
    if (isBlock(tag)) this.#endBlock();
    else if (tag === TAG.br) this.#reader.breakWord();
    if (tree.end[node]! === node + 1 && !isHeading(tag)) return;
    const className = tree.attributeAt(node, this.#class) ?? '';
    this.#signature[node] = this.#signatures.numberOf(tag, className);
    this.#firstBlock[node] = this.#list.length;
    this.#open.push(node, tag, className);
    if (tag === TAG.a && tree.attributeAt(node, this.#href) !== undefined) this.#linkEnd = tree.end[node]!;
  }

  #addText(node: number): void {
    // Most blank texts are line breaks between tags, which are recognised without making a string.
    const text = this.#tree.isBlank(node) ? '' : this.#tree.text(node);
    if (!/\S/.test(text)) {
      this.#reader.breakWord();
      return;
    }
    if (!this.#current) {
      this.#reader.start();
      this.#current = this.#emptyBlock(node);
      this.#list.push(this.#current);
    }
    const current = this.#current;
    const words = this.#reader.add(text);
    current.end = node + 1;
    current.flags |= this.#open.flags & (FLAG.time | FLAG.button);
    if (node < this.#linkEnd) current.linkWords += words;
  }

  #emptyBlock(node: number): Block {
    const { container, depth, flags, namedAt } = this.#open;
    return {
      start: node,
      end: node + 1,
      container,
      depth,
      stats: this.#unread,
      linkWords: 0,
      flags,
      namedAt,
    };
  }
}

/** Numbers the distinct pairs of tag and class in order of appearance. */
class Signatures {
  readonly #byClass = new Map<string, Map<number, number>>();
  #count = 0;

  numberOf(tag: number, className: string): number {
    let byTag = this.#byClass.get(className);
    if (!byTag) {
      byTag = new Map();
      this.#byClass.set(className, byTag);
    }
    let number = byTag.get(tag);
    if (number === undefined) {
      this.#count += 1;
      number = this.#count;
      byTag.set(tag, number);
    }
    return number;
  }
}
