// A parsed page as flat arrays. Nodes are numbered in document order; node 0 is the root. The subtree of node n is the
// range [n, end[n]), so walking, skipping and measuring need neither recursion nor node objects.

export const ROOT = 0;
export const ELEMENT = 1;
export const TEXT = 2;

export interface HtmlTree {
  /** Number of nodes, the root included. */
  readonly size: number;
  /** ROOT, ELEMENT or TEXT for each node. */
  readonly kind: Uint8Array;
  /** Tag id of an element (tags.ts names the known ones), 0 for others. */
  readonly tag: Uint16Array;
  readonly parent: Int32Array;
  /** One past the last descendant. */
  readonly end: Int32Array;
  /** True if the page exceeded a limit (nodes, depth). */
  readonly truncated: boolean;
  /** Lower-case tag name of an element. */
  tagName(node: number): string;
  /** The decoded text of a text node. */
  text(node: number): string;
  /** Whether it is a text node with only white space. */
  isBlank(node: number): boolean;
  /** The decoded value; '' for an attribute without a value; undefined if absent. */
  attribute(node: number, name: string): string | undefined;
  /** For many nodes: looks up the name only once. -1 if no element of the page has such an attribute. */
  attributeNumber(name: string): number;
  /** The value of the attribute with this number. */
  attributeAt(node: number, number: number): string | undefined;
  attributes(node: number): Iterable<[name: string, value: string]>;
}

/** All text of an element, hidden text included. */
export function textWithin(tree: HtmlTree, node: number): string {
  let text = '';
  for (let at = node; at < tree.end[node]!; at++) text += tree.text(at);
  return text;
}
