// The stack of open elements. Searches look back at most SCAN elements, and counts rule out hopeless ones, so the cost of a
// tag is bounded on any page.
import { MAX_TAGS, type TreeBuilder } from './flat-tree.ts';
import { isHtmlIntegration, isSpecial, TAG, type TagSet } from './tags.ts';

const SCAN = 512;
// Tag of an element that end tags no longer match; it ends with its parent.
const FORGOTTEN = 0;

export interface OpenElements {
  readonly depth: number;
  /** Tag of the innermost open element, or 0. */
  readonly top: number;
  /** Parent of a new node; never deeper than the depth limit. */
  readonly parent: number;
  readonly inForeignContent: boolean;
  readonly flattened: boolean;
  count(tag: number): number;
  push(tag: number, firstAttribute: number, attributes: number): number;
  pop(): void;
  /** Whether such an element is open, with no boundary in between. */
  reaches(wanted: TagSet, boundary: TagSet): boolean;
  /** Closes the innermost such element and everything inside it, unless a boundary comes first. */
  closeThrough(wanted: TagSet, boundary: TagSet): void;
  /** Closes everything inside the innermost such element. */
  closeUpTo(wanted: TagSet): void;
  /** Removes the element from the stack without closing its descendants. */
  forget(tag: number): void;
  /** Open special elements inside the innermost such element, outermost first; undefined if there is no such element. */
  specialsAbove(wanted: TagSet, boundary: TagSet, limit: number): [tag: number, node: number][] | undefined;
}

export function createOpenElements(tree: TreeBuilder, maxDepth: number): OpenElements {
  const tags: number[] = [];
  const nodes: number[] = [];
  const foreign: boolean[] = [];
  const counts = new Int32Array(MAX_TAGS);
  let flattened = false;

  const parentAt = (depth: number) => (depth === 0 ? 0 : nodes[Math.min(depth, maxDepth) - 1]!);
  const isForeign = () => foreign.length > 0 && foreign[foreign.length - 1]!;

  function find(wanted: TagSet, boundary: TagSet): number {
    const stop = Math.max(0, tags.length - SCAN);
    for (let at = tags.length - 1; at >= stop; at--) {
      const tag = tags[at]!;
      if (wanted(tag)) return at;
      if (boundary(tag)) return -1;
    }
    return -1;
  }

  function pop(): void {
    const tag = tags.pop()!;
    const node = nodes.pop()!;
    foreign.pop();
    if (tag !== FORGOTTEN) counts[tag]! -= 1;
    // Elements beyond the depth limit are already closed: their content belongs to their parent.
    if (nodes.length < maxDepth) tree.closeElement(node);
  }

  const popTo = (depth: number) => {
    while (tags.length > depth) pop();
  };

  return {
    get depth() {
      return tags.length;
    },
    get top() {
      return tags.length === 0 ? 0 : tags[tags.length - 1]!;
    },
    get parent() {
      return parentAt(tags.length);
    },
    get inForeignContent() {
      return isForeign();
    },
    get flattened() {
      return flattened;
    },
    count: (tag) => counts[tag]!,
    push(tag, firstAttribute, attributes) {
      const node = tree.addElement(tag, parentAt(tags.length), firstAttribute, attributes);
      if (tags.length >= maxDepth) flattened = true;
      const startsForeign = tag === TAG.svg || tag === TAG.math;
      foreign.push(startsForeign || (isForeign() && !isHtmlIntegration(tag)));
      tags.push(tag);
      nodes.push(node);
      counts[tag]! += 1;
      return node;
    },
    pop,
    reaches: (wanted, boundary) => find(wanted, boundary) !== -1,
    closeThrough(wanted, boundary) {
      const at = find(wanted, boundary);
      if (at !== -1) popTo(at);
    },
    closeUpTo(wanted) {
      const at = find(wanted, () => false);
      if (at !== -1) popTo(at + 1);
    },
    forget(tag) {
      const at = find(
        (other) => other === tag,
        () => false,
      );
      if (at === -1) return;
      tags[at] = FORGOTTEN;
      counts[tag]! -= 1;
    },
    specialsAbove(wanted, boundary, limit) {
      const at = find(wanted, boundary);
      if (at === -1) return undefined;
      const found: [number, number][] = [];
      for (let above = at + 1; above < tags.length && found.length < limit; above++) {
        if (isSpecial(tags[above]!)) found.push([tags[above]!, nodes[above]!]);
      }
      return found;
    },
  };
}
