// The stack of open elements. Searches look back at most SCAN elements, and counts rule out hopeless ones, so the cost of a
// tag is bounded on any page.
import { MAX_TAGS, type TreeBuilder } from './flat-tree.ts';
import { isHtmlIntegration, isSpecial, TAG, type TagSet } from './tags.ts';

const SCAN = 512;
// Tag of an element that end tags no longer match; it ends with its parent.
const FORGOTTEN = 0;

export class OpenElements {
  /** True once something was nested deeper than the limit. */
  flattened = false;
  readonly #tree: TreeBuilder;
  readonly #maxDepth: number;
  readonly #tags: number[] = [];
  readonly #nodes: number[] = [];
  readonly #foreign: boolean[] = [];
  readonly #counts = new Int32Array(MAX_TAGS);

  constructor(tree: TreeBuilder, maxDepth: number) {
    this.#tree = tree;
    this.#maxDepth = maxDepth;
  }

  get depth(): number {
    return this.#tags.length;
  }

  /** Tag of the innermost open element, or 0. */
  get top(): number {
    const tags = this.#tags;
    return tags.length === 0 ? 0 : tags[tags.length - 1]!;
  }

  /** Parent of a new node; never deeper than the depth limit. */
  get parent(): number {
    const depth = this.#tags.length;
    return depth === 0 ? 0 : this.#nodes[Math.min(depth, this.#maxDepth) - 1]!;
  }

  get inForeignContent(): boolean {
    const foreign = this.#foreign;
    return foreign.length > 0 && foreign[foreign.length - 1]!;
  }

  count(tag: number): number {
    return this.#counts[tag]!;
  }

  push(tag: number, firstAttribute: number, attributes: number): number {
    const node = this.#tree.addElement(tag, this.parent, firstAttribute, attributes);
    if (this.#tags.length >= this.#maxDepth) this.flattened = true;
    const startsForeign = tag === TAG.svg || tag === TAG.math;
    this.#foreign.push(startsForeign || (this.inForeignContent && !isHtmlIntegration(tag)));
    this.#tags.push(tag);
    this.#nodes.push(node);
    this.#counts[tag]! += 1;
    return node;
  }

  pop(): void {
    const tag = this.#tags.pop()!;
    const node = this.#nodes.pop()!;
    this.#foreign.pop();
    if (tag !== FORGOTTEN) this.#counts[tag]! -= 1;
    // Elements beyond the depth limit are already closed: their content belongs to their parent.
    if (this.#nodes.length < this.#maxDepth) this.#tree.closeElement(node);
  }

  /** Whether such an element is open, with no boundary in between. */
  reaches(wanted: TagSet, boundary: TagSet): boolean {
    return this.#find(wanted, boundary) !== -1;
  }

  /** Closes the innermost such element and everything inside it, unless a boundary comes first. */
  closeThrough(wanted: TagSet, boundary: TagSet): void {
    const at = this.#find(wanted, boundary);
    if (at !== -1) this.#popTo(at);
  }

  /** Closes everything inside the innermost such element. */
  closeUpTo(wanted: TagSet): void {
    const at = this.#find(wanted, isNothing);
    if (at !== -1) this.#popTo(at + 1);
  }

  /** Removes the element from the stack without closing its descendants. */
  forget(tag: number): void {
    const at = this.#find((other) => other === tag, isNothing);
    if (at === -1) return;
    this.#tags[at] = FORGOTTEN;
    this.#counts[tag]! -= 1;
  }

  /** Open special elements inside the innermost such element, outermost first; undefined if there is no such element. */
  specialsAbove(wanted: TagSet, boundary: TagSet, limit: number): [tag: number, node: number][] | undefined {
    const at = this.#find(wanted, boundary);
    if (at === -1) return undefined;
    const found: [number, number][] = [];
    for (let above = at + 1; above < this.#tags.length && found.length < limit; above++) {
      if (isSpecial(this.#tags[above]!)) found.push([this.#tags[above]!, this.#nodes[above]!]);
    }
    return found;
  }

  #find(wanted: TagSet, boundary: TagSet): number {
    const tags = this.#tags;
    const stop = Math.max(0, tags.length - SCAN);
    for (let at = tags.length - 1; at >= stop; at--) {
      const tag = tags[at]!;
      if (wanted(tag)) return at;
      if (boundary(tag)) return -1;
    }
    return -1;
  }

  #popTo(depth: number): void {
    while (this.#tags.length > depth) this.pop();
  }
}

const isNothing: TagSet = () => false;
