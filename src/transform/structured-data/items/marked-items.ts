// Items that are marked in the elements of a page, by microdata or RDFa: a scope element with its properties inside.
// Each node is read once for the item that it belongs to; itemref may have it read again, within a budget.

import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import type { DataItem, DataValue } from '../../../page/structured-data.ts';
import { isSafeName } from '../plain-value.ts';

/** How a syntax marks items. Nodes are elements. */
export interface ItemSyntax {
  readonly name: 'microdata' | 'rdfa';
  isItem(node: number): boolean;
  /** The properties of the surrounding item whose value the element has. */
  properties(node: number): string[];
  types(node: number): string[];
  id(node: number): string | undefined;
  /** Further elements with properties of the item. */
  references(node: number): number[];
  value(node: number, property: string): string;
}

const MAX_ITEMS = 5_000;
const MAX_VALUES = 50_000;
const MAX_DEPTH = 24;
const EXTRA_STEPS = 100_000;

export function markedItems(tree: HtmlTree, syntax: ItemSyntax): DataItem[] {
  return new MarkedItems(tree, syntax).all();
}

class MarkedItems {
  readonly #tree: HtmlTree;
  readonly #syntax: ItemSyntax;
  readonly #path = new Set<number>();
  /** 1 for elements that were read as an item. */
  readonly #isRead: Uint8Array;
  #steps: number;
  #values = 0;

  constructor(tree: HtmlTree, syntax: ItemSyntax) {
    this.#tree = tree;
    this.#syntax = syntax;
    this.#isRead = new Uint8Array(tree.size);
    this.#steps = 2 * tree.size + EXTRA_STEPS;
  }

  all(): DataItem[] {
    const items = new Map<number, DataItem>();
    const add = (node: number) => {
      if (this.#isRead[node] === 0 && items.size < MAX_ITEMS && this.#values < MAX_VALUES)
        items.set(node, this.#read(node, 0));
    };
    // A property outside of any item may belong to one that refers to it later.
    const undecided: number[] = [];
    for (let node = 1; node < this.#tree.size && items.size < MAX_ITEMS; node++) {
      if (this.#tree.kind[node] !== ELEMENT || !this.#syntax.isItem(node)) continue;
      if (this.#syntax.properties(node).length === 0) add(node);
      else if (this.#isRead[node] === 0) undecided.push(node);
    }
    for (const node of undecided) add(node);
    return [...items.keys()]
      .sort((a, b) => a - b)
      .map((node) => items.get(node)!)
      .filter(({ types, properties }) => types.length > 0 || Object.keys(properties).length > 0);
  }

  #read(node: number, depth: number): DataItem {
    const { name: syntax } = this.#syntax;
    const id = this.#syntax.id(node);
    const item: DataItem = { syntax, types: this.#syntax.types(node), ...(id !== undefined && { id }), properties: {} };
    this.#isRead[node] = 1;
    this.#path.add(node);
    this.#readProperties(item, node + 1, this.#tree.end[node]!, depth);
    for (const other of this.#syntax.references(node)) {
      const isInside = other >= node && other < this.#tree.end[node]!;
      if (!isInside) this.#readProperties(item, other, this.#tree.end[other]!, depth);
    }
    this.#path.delete(node);
    return item;
  }

  #readProperties(item: DataItem, from: number, to: number, depth: number): void {
    const tree = this.#tree;
    for (let at = from; at < to && this.#steps > 0 && this.#values < MAX_VALUES; at++) {
      this.#steps -= 1;
      if (tree.kind[at] !== ELEMENT) continue;
      const names = this.#syntax.properties(at);
      const isItem = this.#syntax.isItem(at);
      if (names.length > 0) {
        const canNest = depth < MAX_DEPTH && !this.#path.has(at);
        const nested = isItem && canNest ? this.#read(at, depth + 1) : undefined;
        for (const [index, name] of names.entries()) {
          const value = nested && index > 0 ? this.#withoutItems(nested) : nested;
          this.#add(item, name, value ?? this.#syntax.value(at, name));
        }
      }
      if (isItem) at = tree.end[at]! - 1;
    }
  }

  /** For an item that is the value of several properties: whole copies inside of whole copies would grow exponentially. */
  #withoutItems(item: DataItem): DataItem {
    const properties: DataItem['properties'] = {};
    for (const [name, values] of Object.entries(item.properties)) {
      const plain = values.filter((value) => typeof value !== 'object');
      if (plain.length > 0) properties[name] = plain;
      this.#values += plain.length;
    }
    return { ...item, properties };
  }

  #add({ properties }: DataItem, name: string, value: DataValue): void {
    if (!isSafeName(name) || value === '') return;
    this.#values += 1;
    if (Object.hasOwn(properties, name)) properties[name]!.push(value);
    else properties[name] = [value];
  }
}
