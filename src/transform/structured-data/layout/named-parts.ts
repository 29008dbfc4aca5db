// Small elements with a text and a name: the price of a product, the date of an article. Names are those of the markup.

import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG, tagSet } from '../../../markup/html/tags.ts';
import type { LabelledValue, NamedPart } from '../../../page/structured-data.ts';
import type { ElementText } from '../element-text.ts';

export const MAX_PART = 500;
/** A part has few nodes; what has more is a container of parts. */
export const MAX_PART_NODES = 14;
const MAX_PARTS = 1_500;
const NAME_ATTRIBUTES = [
  'itemprop',
  'data-label',
  'data-field',
  'data-title',
  'data-testid',
  'data-test',
  'data-qa',
  'class',
];
const isNavigation = tagSet('nav footer');
/** Elements whose tag says enough. */
const isTelling = tagSet('h1 h2 del s strike ins button time');

export interface Part extends LabelledValue {
  node: number;
  /** The text that readers see, where the value is for programs. */
  shown: string;
}

export class PartReader {
  readonly #tree: HtmlTree;
  readonly #urls: PageUrls;
  readonly #text: ElementText;

  constructor(tree: HtmlTree, urls: PageUrls, text: ElementText) {
    this.#tree = tree;
    this.#urls = urls;
    this.#text = text;
  }

  /** An element inside of `block` that has text of its own, or a name and little inside. `id` is a name to fall back on. */
  read(node: number, block: number, id?: string): Part | undefined {
    const tree = this.#tree;
    const nodes = tree.end[node]! - node;
    if (nodes > MAX_PART_NODES || nodes < 2 || (node === block && nodes > 3)) return undefined;
    const own = this.nameOf(node) ?? id;
    if (own === undefined && !hasOwnText(tree, node)) return undefined;
    const isTime = tree.tag[node] === TAG.time;
    const shown = this.#text.lineOf(node, MAX_PART);
    const value = isTime ? tree.attribute(node, 'datetime')?.trim() || shown : shown;
    if (value === '') return undefined;
    const label = own ?? this.#nameAbove(node, block) ?? tree.tagName(node);
    const href = tree.tag[node] === TAG.a ? this.#urls.resolve(tree.attribute(node, 'href')) : undefined;
    return { node, label, value, shown, ...(href !== undefined && { href }) };
  }

  nameOf(node: number): string | undefined {
    for (const attribute of NAME_ATTRIBUTES) {
      const words = this.#tree.attribute(node, attribute)?.slice(0, 200);
      const name = words === undefined ? '' : wordsOf(words);
      if (name !== '') return name;
    }
    return undefined;
  }

  /** The name of the parent, if that contains nothing else. */
  #nameAbove(node: number, block: number): string | undefined {
    const parent = this.#tree.parent[node]!;
    if (parent <= block || this.#tree.end[parent]! - parent > this.#tree.end[node]! - node + 3) return undefined;
    return this.nameOf(parent);
  }
}

/** The named parts of the whole page, outside of navigation. `records` are the blocks that repeat. */
export function pageParts(
  tree: HtmlTree,
  mask: Mask,
  reader: PartReader,
  records: readonly (readonly number[])[],
): NamedPart[] {
  const repeated = new Uint8Array(tree.size);
  for (const node of records.flat()) repeated.fill(1, node, tree.end[node]!);
  const idNumber = tree.attributeNumber('id');
  const parts: NamedPart[] = [];
  for (let node = 1; node < tree.size && parts.length < MAX_PARTS; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    if (mask[node] === DROPPED || isNavigation(tree.tag[node]!)) {
      node = tree.end[node]! - 1;
      continue;
    }
    const id = wordsOf(tree.attributeAt(node, idNumber)?.slice(0, 100) ?? '') || undefined;
    const isNamed = id !== undefined || isTelling(tree.tag[node]!) || reader.nameOf(node) !== undefined;
    const part = isNamed ? reader.read(node, 0, id) : undefined;
    if (!part) continue;
    parts.push({
      tag: tree.tagName(node),
      name: id === undefined || part.label === id ? part.label : `${part.label} ${id}`,
      text: withCents(tree, node, part.value),
      ...(part.href !== undefined && { href: part.href }),
      ...(repeated[node] === 1 && { isRepeated: true as const }),
    });
  }
  return parts;
}

/** A price whose cents are raised: "349" and "99" without anything between them. */
function withCents(tree: HtmlTree, node: number, value: string): string {
  if (!/\d{3}/.test(value)) return value;
  for (let at = node + 1; at < tree.end[node]!; at++) {
    if (tree.tag[at] !== TAG.sup || tree.end[at] !== at + 2) continue;
    const cents = tree.text(at + 1).trim();
    if (/^\d\d$/.test(cents)) return value.replace(new RegExp(`(\\d)${cents}(?!.*\\d)`), `$1.${cents}`);
  }
  return value;
}

function hasOwnText(tree: HtmlTree, node: number): boolean {
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    if (tree.kind[child] === TEXT && !tree.isBlank(child)) return true;
  }
  return false;
}

/** "productPrice" and "product-price" are "product price"; the hash that build tools append is dropped. */
const wordsOf = (name: string): string =>
  name
    .replace(/__(?=\w*\d|\w*[a-z][A-Z]|\w*[A-Z]{2})\w{4,8}(?=\s|$)/g, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
