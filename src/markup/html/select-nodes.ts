// CSS selectors on the flat tree. css-select does the matching, with node numbers as its DOM.
// Plain tags, classes and ids, the most common selectors, take one scan.
import { compile, type Options } from 'css-select';
import { ELEMENT, type HtmlTree, textWithin } from './html-tree.ts';

export interface Selection {
  /** Matching elements in document order. */
  nodes: number[];
  /** Set if the selector is not valid CSS; then nothing matches. */
  problem?: string;
}

export type Select = (selector: string) => Selection;

const BARE = /^([.#]?)(-?[_a-zA-Z][\w-]*)$/;

export function createSelect(tree: HtmlTree): Select {
  const options: Options<number, number> = { adapter: createAdapter(tree), cacheResults: false };
  return (selector) => {
    if (selector.trim() === '') return { nodes: [], problem: 'It is empty.' };
    const bare = BARE.exec(selector.trim());
    if (bare) return { nodes: scan(tree, bareTest(tree, bare[1]!, bare[2]!)) };
    try {
      const matches = compile<number, number>(selector, options);
      return { nodes: scan(tree, matches) };
    } catch (error) {
      return { nodes: [], problem: error instanceof Error ? error.message : String(error) };
    }
  };
}

function scan(tree: HtmlTree, test: (node: number) => boolean): number[] {
  const found: number[] = [];
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] === ELEMENT && test(node)) found.push(node);
  }
  return found;
}

function bareTest(tree: HtmlTree, mark: string, name: string): (node: number) => boolean {
  if (mark === '#') return (node) => tree.attribute(node, 'id') === name;
  if (mark === '.') {
    return (node) => {
      const value = tree.attribute(node, 'class');
      return value?.includes(name) === true && value.split(/[ \t\n\f\r]+/).includes(name);
    };
  }
  const tagName = name.toLowerCase();
  return (node) => tree.tagName(node) === tagName;
}

function createAdapter(tree: HtmlTree): NonNullable<Options<number, number>['adapter']> {
  // Cached because nth-child, ~ and :empty request them for every child of a parent.
  const lists = new Map<number, number[]>();
  const getChildren = (node: number): number[] => {
    let children = lists.get(node);
    if (!children) {
      children = [];
      for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) children.push(child);
      lists.set(node, children);
    }
    return children;
  };
  const getParent = (node: number): number | null => (tree.parent[node]! <= 0 ? null : tree.parent[node]!);
  return {
    isTag: (node): node is number => tree.kind[node] === ELEMENT,
    getAttributeValue: (node, name) => tree.attribute(node, name),
    hasAttrib: (node, name) => tree.attribute(node, name) !== undefined,
    getName: (node) => tree.tagName(node),
    getChildren,
    getParent,
    getSiblings: (node) => getChildren(Math.max(0, tree.parent[node]!)),
    getText: (node) => textWithin(tree, node),
    removeSubsets(nodes) {
      const sorted = [...nodes].sort((a, b) => a - b);
      let covered = 0;
      return sorted.filter((node) => {
        if (node < covered) return false;
        covered = tree.end[node]!;
        return true;
      });
    },
    equals: (a, b) => a === b,
  };
}
