// Labels with their values: definition lists, lines such as "Weight: 2 kg", and elements whose class says that they are a
// label. One pass over the visible text of the page.

import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, KEPT, type Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { isBlock, TAG, tagSet } from '../../../markup/html/tags.ts';
import type { LabelledValue } from '../../../page/structured-data.ts';
import { labelledParts } from '../../../text/labels/labelled-parts.ts';
import type { ElementText } from '../element-text.ts';
import { firstLink, labelledValue } from './label.ts';

const MAX_PAIRS = 2_000;
const MAX_LINE = 600;
const LINE = /^([^:：]{1,60}?)\s?[:：](?:\s+|$)(.*)$/su;
const LABEL_CLASS =
  /(?:^|[\s_-])(?:label|key|term|caption|(?:attr(?:ibute)?|spec|field|prop(?:erty)?|info|detail|meta|data)[_-]{0,2}(?:name|title|key|label|term))(?:$|\s)/i;
const isBold = tagSet('b strong em i span label');

export class LabelValues {
  readonly pairs: LabelledValue[] = [];
  readonly #tree: HtmlTree;
  readonly #mask: Mask;
  readonly #urls: PageUrls;
  readonly #text: ElementText;
  readonly #class: number;

  constructor(tree: HtmlTree, mask: Mask, urls: PageUrls, text: ElementText) {
    this.#tree = tree;
    this.#mask = mask;
    this.#urls = urls;
    this.#text = text;
    this.#class = tree.attributeNumber('class');
  }

  read(): LabelledValue[] {
    this.#readElements();
    this.#readLines();
    return this.pairs;
  }

  #readElements(): void {
    const tree = this.#tree;
    for (let node = 1; node < tree.size && this.pairs.length < MAX_PAIRS; node++) {
      if (tree.kind[node] !== ELEMENT || this.#mask[node] === DROPPED) continue;
      if (tree.tag[node] === TAG.dl) this.#readDefinitions(node);
      else if (LABEL_CLASS.test((tree.attributeAt(node, this.#class) ?? '').slice(0, 300))) this.#readLabelled(node);
    }
  }

  /** The terms of a list may stand in <div> groups. */
  #readDefinitions(list: number): void {
    const tree = this.#tree;
    let term = '';
    for (let node = list + 1; node < tree.end[list]! && this.pairs.length < MAX_PAIRS; node++) {
      const tag = tree.tag[node]!;
      if (tree.kind[node] !== ELEMENT || tag === TAG.div) continue;
      if (tag === TAG.dt) term = this.#text.lineOf(node, MAX_LINE);
      if (tag === TAG.dd && this.#mask[node] === KEPT) this.#add(term, this.#text.lineOf(node), node);
      if (tag === TAG.dl) return;
      node = tree.end[node]! - 1;
    }
  }

  /** An element that calls itself a label, and the element after it or the rest of its parent. */
  #readLabelled(node: number): void {
    const tree = this.#tree;
    const parent = tree.parent[node]!;
    const end = tree.end[node]!;
    // The value stands beside the label; a label deep inside the line belongs to something else.
    if (tree.end[parent]! - parent > 60 || end >= tree.end[parent]!) return;
    const label = this.#text.lineOf(node, MAX_LINE);
    const value = this.#text.between(end, tree.end[parent]!, MAX_LINE).replaceAll('\n', ' ');
    this.#add(label, value.replace(/^[:：]\s*/, ''), parent);
  }

  /** Lines end at block borders and <br>. A bold label in the middle of a line starts a new one. */
  #readLines(): void {
    const tree = this.#tree;
    let line = '';
    let start = 0;
    let pending: { label: string; parent: number } | undefined;
    const flush = (next: number) => {
      const text = line.trim();
      line = '';
      const from = start;
      start = next;
      if (text === '') return;
      const parent = blockParent(tree, from);
      if (text.length <= MAX_LINE) {
        const [, label, value] = LINE.exec(text) ?? [];
        if (label !== undefined && value) this.#addLine(text, { label, value }, from, next);
        else if (pending && pending.parent === parent && label === undefined)
          this.#add(pending.label, text, from, next);
        pending = label !== undefined && !value ? { label, parent } : undefined;
      } else pending = undefined;
    };
    for (let node = 1; node < tree.size && this.pairs.length < MAX_PAIRS; node++) {
      if (this.#mask[node] === DROPPED) {
        node = tree.end[node]! - 1;
        continue;
      }
      const tag = tree.tag[node]!;
      if (tree.kind[node] === TEXT) {
        if (line === '') start = node;
        if (line.length <= MAX_LINE)
          line += tree
            .text(node)
            .slice(0, 2 * MAX_LINE)
            .replace(/\s+/g, ' ');
      } else if (tag === TAG.table || tag === TAG.dl) {
        // Read elsewhere, as a whole.
        flush(tree.end[node]!);
        if (tag === TAG.dl) node = tree.end[node]! - 1;
      } else if (isBlock(tag) || tag === TAG.br || (isBold(tag) && line.trim() !== '' && this.#isLabelWithColon(node)))
        flush(node);
    }
    flush(tree.size);
  }

  #isLabelWithColon(node: number): boolean {
    if (this.#tree.end[node]! - node !== 2) return false;
    const text = this.#tree.text(node + 1);
    return text.length <= 60 && /[:：]\s*$/.test(text);
  }

  /** A line may have several labels: "Weight: 2 kg. Colour: grey." */
  #addLine(text: string, { label, value }: LabelledValue, from: number, to: number): void {
    const parts = labelledParts(text);
    if (parts.length < 2 || parts[0]!.at !== 0) this.#add(label, value, from, to);
    else for (const part of parts) this.#add(part.label, text.slice(part.start, part.end), from, from);
  }

  #add(label: string, value: string, from: number, to?: number): void {
    const pair = labelledValue(label, value, linkIn(this.#tree, this.#urls, from, to));
    if (pair && this.pairs.length < MAX_PAIRS) this.pairs.push(pair);
  }
}

function linkIn(tree: HtmlTree, urls: PageUrls, from: number, to: number | undefined): string | undefined {
  if (to === undefined) return firstLink(tree, urls, from);
  for (let node = from; node < Math.min(to, from + 30); node++) {
    const href = tree.tag[node] === TAG.a ? urls.resolve(tree.attribute(node, 'href')) : undefined;
    if (href !== undefined) return href;
  }
  return undefined;
}

/** The parent of the block in which a text stands: lines with the same one are siblings. */
function blockParent(tree: HtmlTree, node: number): number {
  let at = tree.parent[node]!;
  while (at > 0 && !isBlock(tree.tag[at]!)) at = tree.parent[at]!;
  return at <= 0 ? 0 : tree.parent[at]!;
}
