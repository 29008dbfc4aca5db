// The stack of open elements while blocks are collected, as parallel arrays: an object for each element would cost more.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { isBlock } from '../../../markup/html/tags.ts';
import { FlagReader } from './block-flags.ts';
import { NAME_GROUPS, NameReader } from './name-groups.ts';

/** Names further up than this say nothing about a block. */
export const FAR = 20;

export class BlockAncestors {
  readonly #tree: HtmlTree;
  readonly #names = new NameReader();
  readonly #flagReader: FlagReader;
  readonly #id: number;
  readonly #nodes: number[] = [0];
  readonly #flags: number[] = [0];
  readonly #namedAt: Int16Array[] = [new Int16Array(NAME_GROUPS.length).fill(-FAR)];
  readonly #containers: number[] = [0];

  constructor(tree: HtmlTree) {
    this.#tree = tree;
    this.#flagReader = new FlagReader(tree);
    this.#id = tree.attributeNumber('id');
  }

  get depth(): number {
    return this.#nodes.length - 1;
  }

  /** The flags inside the innermost element. */
  get flags(): number {
    return this.#flags[this.depth]!;
  }

  /** The innermost block element. */
  get container(): number {
    return this.#containers[this.depth]!;
  }

  /** For each name group, the depth of the nearest element with such a name. */
  get namedAt(): Int16Array {
    return this.#namedAt[this.depth]!;
  }

  push(node: number, tag: number, className: string): void {
    const depth = this.#nodes.length;
    const id = this.#tree.attributeAt(node, this.#id) ?? '';
    const names = this.#names.groupsIn(className) | this.#names.groupsIn(id);
    this.#nodes.push(node);
    this.#flags.push(this.#flagReader.flagsOf(node, this.#flags[depth - 1]!));
    this.#namedAt.push(namedWith(this.#namedAt[depth - 1]!, names, depth));
    this.#containers.push(isBlock(tag) ? node : this.#containers[depth - 1]!);
  }

  /** Removes and returns the innermost element if it ends at or before this node, else -1. */
  popEnded(node: number): number {
    const nodes = this.#nodes;
    const top = nodes[nodes.length - 1]!;
    if (nodes.length === 1 || this.#tree.end[top]! > node) return -1;
    nodes.pop();
    this.#flags.pop();
    this.#namedAt.pop();
    this.#containers.pop();
    return top;
  }
}

/** Elements without such names share the array of their parent. */
function namedWith(above: Int16Array, names: number, depth: number): Int16Array {
  if (names === 0) return above;
  const named = above.slice();
  for (let group = 0; group < named.length; group++) if ((names >> group) & 1) named[group] = depth;
  return named;
}
