// CSS selectors on the flat tree. css-select does the matching, with node numbers as its DOM.
// Plain tags, classes and ids, the most common selectors, take one scan. All selectors of a page share a budget of
// steps, because a short selector can take years on a page that is made for it.
import { compile, type Options } from 'css-select';
import { ELEMENT, type HtmlTree, textWithin } from './html-tree.ts';

export interface Selection {
  /** Matching elements in document order. */
  nodes: number[];
  /** Set if the selector is not valid CSS; then nothing matches. */
  problem?: string;
}

/** Throws SelectorTooComplex if the selectors of this page have used up their steps. */
export type Select = (selector: string) => Selection;

/** A selector was stopped. Names the selector in its message. */
export class SelectorTooComplex extends Error {
  override readonly name = 'SelectorTooComplex';

  constructor(selector: string) {
    super(`"${selector.slice(0, 200)}" takes more steps on this page than selectors may take.`);
  }
}

// About a second of work on the largest pages. A usual selector takes two or three steps for each node.
const STEPS = 10_000_000;
const STEPS_PER_NODE = 50;
/** Characters that are read as fast as one step is made. */
const CHARACTERS_PER_STEP = 32;

const BARE = /^([.#]?)(-?[_a-zA-Z][\w-]*)$/;

export function createSelect(tree: HtmlTree, maxSteps = STEPS + STEPS_PER_NODE * tree.size): Select {
  let left = maxSteps;
  let current = '';
  const spend = (steps: number) => {
    left -= steps;
    if (left < 0) throw new SelectorTooComplex(current);
  };
  const options: Options<number, number> = { adapter: createAdapter(tree, spend), cacheResults: false };
  return (selector) => {
    current = selector;
    spend(tree.size);
    if (selector.trim() === '') return { nodes: [], problem: 'It is empty.' };
    const bare = BARE.exec(selector.trim());
    if (bare) return { nodes: scan(tree, bareTest(tree, bare[1]!, bare[2]!)) };
    try {
      const matches = compile<number, number>(selector, options);
      return { nodes: scan(tree, matches) };
    } catch (error) {
      if (error instanceof SelectorTooComplex) throw error;
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

type Adapter = NonNullable<Options<number, number>['adapter']>;

/** css-select reaches the page only through these methods, so every step it makes is counted here. */
function createAdapter(tree: HtmlTree, spend: (steps: number) => void): Adapter {
  // Cached because nth-child, ~ and :empty request them for every child of a parent.
  const lists = new Map<number, number[]>();
  const getChildren = (node: number): number[] => {
    spend(1);
    let children = lists.get(node);
    if (!children) {
      children = [];
      for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) children.push(child);
      lists.set(node, children);
    }
    return children;
  };
  const getAttributeValue = (node: number, name: string): string | undefined => {
    const value = tree.attribute(node, name);
    spend(1 + (value?.length ?? 0) / CHARACTERS_PER_STEP);
    return value;
  };
  return {
    isTag(node): node is number {
      spend(1);
      return tree.kind[node] === ELEMENT;
    },
    getAttributeValue,
    hasAttrib: (node, name) => getAttributeValue(node, name) !== undefined,
    getName(node) {
      spend(1);
      return tree.tagName(node);
    },
    getChildren,
    getParent(node) {
      spend(1);
      return tree.parent[node]! <= 0 ? null : tree.parent[node]!;
    },
    getSiblings: (node) => getChildren(Math.max(0, tree.parent[node]!)),
    getText(node) {
      const text = textWithin(tree, node);
      spend(tree.end[node]! - node + text.length / CHARACTERS_PER_STEP);
      return text;
    },
    removeSubsets(nodes) {
      const sorted = [...nodes].sort((a, b) => a - b);
      let covered = 0;
      return sorted.filter((node) => {
        if (node < covered) return false;
        covered = tree.end[node]!;
        return true;
      });
    },
    equals(a, b) {
      spend(1);
      return a === b;
    },
  };
}
