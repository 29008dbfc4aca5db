// The lines of the part of a page that is about its main heading, with what is struck through in them.

import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { isBlock, isInvisible, TAG, tagSet } from '../../../markup/html/tags.ts';
import type { SubjectLine } from '../../../page/structured-data.ts';

const MAX_LINES = 300;
const MAX_READ = 3_000;
const MAX_LINE = 300;
const MAX_NAME = 200;
const isSite = tagSet('nav footer select textarea label');
const isStruckTag = tagSet('del s strike');
const STRUCK_STYLE = /line-through/i;
const PRICE = '(?:price|preis|prix|precio|prezzo|prijs|pris|preco|cena)';
const FORMER =
  '(?:old|was|former|previous|original|compare|compare-at|strike|striked|crossed|msrp|rrp|uvp|barre|before)';
const STRUCK_NAME = new RegExp(
  `line-?through|strike-?through|crossed-?out|(?:^|[\\s_-])${FORMER}[_-]{0,2}${PRICE}|${PRICE}[_-]{1,2}${FORMER}(?:$|[\\s_-])`,
  'i',
);
const NAMES = ['itemprop', 'data-testid', 'data-test', 'id', 'class'];

export interface LinePlaces {
  tree: HtmlTree;
  mask: Mask;
  /** The main heading. */
  main: number;
  /** 1 where the page is about other things. */
  isOther: Uint8Array;
  /** The section with a heading of its own around each node, or 0. */
  sections: Int32Array;
}

interface OpenLine {
  text: string;
  names: Set<string>;
  struck: string[];
  /** The end of the struck element that the last text of `struck` is from. */
  struckEnd: number;
  node: number;
}

export class LineReader {
  readonly #tree: HtmlTree;
  readonly #mask: Mask;
  readonly #main: number;
  readonly #isOther: Uint8Array;
  readonly #sections: Int32Array;
  readonly #attributes: number[];
  readonly #style: number;
  readonly #distances = new Map<number, number>();
  readonly #lines: SubjectLine[] = [];
  #open: OpenLine | undefined;

  constructor({ tree, mask, main, isOther, sections }: LinePlaces) {
    this.#tree = tree;
    this.#mask = mask;
    this.#main = main;
    this.#isOther = isOther;
    this.#sections = sections;
    this.#attributes = NAMES.map((name) => tree.attributeNumber(name));
    this.#style = tree.attributeNumber('style');
    for (let at = main, distance = 0; at > 0; at = tree.parent[at]!, distance++) this.#distances.set(at, distance);
  }

  /** Lines end at blocks, at <br> and around buttons. The nearest ones are kept. */
  read(): SubjectLine[] {
    const tree = this.#tree;
    /** Ends of blocks and of struck elements around the current node. */
    const blockEnds: number[] = [];
    let struckEnd = 0;
    for (let node = 1; node < tree.size && this.#lines.length < MAX_READ; node++) {
      while (node >= (blockEnds.at(-1) ?? tree.size)) {
        blockEnds.pop();
        this.#flush();
      }
      if (this.#isSkipped(node)) {
        node = tree.end[node]! - 1;
        continue;
      }
      const tag = tree.tag[node]!;
      if (tree.kind[node] === TEXT) {
        this.#add(node, node < struckEnd ? struckEnd : 0);
        continue;
      }
      if (this.#isButton(node)) {
        this.#addButton(node);
        node = tree.end[node]! - 1;
        continue;
      }
      if (isBlock(tag) || tag === TAG.br) this.#flush();
      if (isBlock(tag)) blockEnds.push(tree.end[node]!);
      if (node >= struckEnd && this.#isStruck(node)) struckEnd = tree.end[node]!;
    }
    this.#flush();
    return this.#nearest();
  }

  #nearest(): SubjectLine[] {
    const near = [...this.#lines].sort((a, b) => a.distance - b.distance).slice(0, MAX_LINES);
    const kept = new Set(near);
    return this.#lines.filter((line) => kept.has(line));
  }

  isAboutSubject(node: number): boolean {
    return this.#isOther[node] === 0 && this.#sections[node] === 0 && this.#mask[node] !== DROPPED;
  }

  /** How far above the main heading the part begins that has this node as well. */
  distance(node: number): number {
    for (let at = node; at > 0; at = this.#tree.parent[at]!) {
      const distance = this.#distances.get(at);
      if (distance !== undefined) return distance;
    }
    return this.#distances.size;
  }

  #isSkipped(node: number): boolean {
    const tag = this.#tree.tag[node]!;
    const isMainInside = node <= this.#main && this.#main < this.#tree.end[node]!;
    return (
      this.#mask[node] === DROPPED ||
      isInvisible(tag) ||
      this.#isOther[node] === 1 ||
      (isSite(tag) && !isMainInside) ||
      (tag === TAG.header && !isMainInside && this.#isOfSite(node)) ||
      (tag === TAG.a && this.#isCardLink(node))
    );
  }

  /** The head of the site stands outside of the part with the main heading. */
  #isOfSite(node: number): boolean {
    const parent = this.#tree.tag[this.#tree.parent[node]!]!;
    return parent !== TAG.main && parent !== TAG.article && parent !== TAG.section && node < this.#main;
  }

  /** A link around several blocks leads to another thing. */
  #isCardLink(node: number): boolean {
    const tree = this.#tree;
    let blocks = 0;
    for (let at = node + 1; at < tree.end[node]!; at++) {
      if (at === this.#main) return false;
      if (tree.kind[at] === ELEMENT && (isBlock(tree.tag[at]!) || tree.tag[at] === TAG.img)) blocks += 1;
    }
    return blocks > 1;
  }

  #isButton(node: number): boolean {
    const tree = this.#tree;
    const tag = tree.tag[node];
    if (tag === TAG.button || tree.attribute(node, 'role') === 'button') return true;
    return tag === TAG.input && /^(?:submit|button|image)$/i.test(tree.attribute(node, 'type') ?? '');
  }

  #addButton(node: number): void {
    const tree = this.#tree;
    this.#flush();
    let text = tree.attribute(node, 'value') ?? '';
    for (let at = node + 1; at < tree.end[node]!; at++) {
      if (tree.kind[at] === TEXT && this.#mask[at] !== DROPPED) text = joined(text, tree.text(at), false);
    }
    const said = text.trim() === '' ? (tree.attribute(node, 'aria-label') ?? '') : text;
    const isOff = tree.attribute(node, 'disabled') !== undefined || tree.attribute(node, 'aria-disabled') === 'true';
    this.#push(
      { text: said, names: new Set(this.#namesOf(node)), struck: [], struckEnd: 0, node },
      isOff ? 'off' : 'on',
    );
  }

  #add(node: number, struckEnd: number): void {
    const tree = this.#tree;
    if (tree.isBlank(node) && !this.#open) return;
    this.#open ??= { text: '', names: new Set(), struck: [], struckEnd: 0, node };
    const open = this.#open;
    const text = tree.text(node).slice(0, 2 * MAX_LINE);
    const isRaised = tree.tag[tree.parent[node]!] === TAG.sup;
    if (open.text.length <= MAX_LINE) open.text = joined(open.text, text, isRaised);
    if (struckEnd !== 0 && text.trim() !== '') {
      const isSame = open.struckEnd === struckEnd;
      open.struck.push(joined(isSame ? open.struck.pop()! : '', text, isRaised).trim());
      open.struckEnd = struckEnd;
    }
    // The text's own element and the two around it.
    for (let at = tree.parent[node]!, level = 0; at > 0 && level < 3 && open.names.size < 20; level++) {
      for (const name of this.#namesOf(at)) open.names.add(name);
      if (isBlock(tree.tag[at]!) && level > 0) break;
      at = tree.parent[at]!;
    }
  }

  #namesOf(node: number): string[] {
    return this.#attributes.flatMap((number) => {
      const value = this.#tree.attributeAt(node, number);
      return value === undefined ? [] : value.slice(0, MAX_NAME);
    });
  }

  #isStruck(node: number): boolean {
    if (isStruckTag(this.#tree.tag[node]!)) return true;
    if (STRUCK_STYLE.test(this.#tree.attributeAt(node, this.#style) ?? '')) return true;
    return this.#namesOf(node).some((name) => STRUCK_NAME.test(name));
  }

  #flush(): void {
    if (this.#open) this.#push(this.#open);
    this.#open = undefined;
  }

  #push({ text, names, struck, node }: OpenLine, button?: 'on' | 'off'): void {
    const line = text.replace(/[\s\u200b\u200e\u200f\u00ad\p{Co}]+/gu, ' ').trim();
    if (line === '') return;
    const section = this.#sections[node]!;
    this.#lines.push({
      text: line.slice(0, MAX_LINE),
      name: [...names]
        .join(' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/[\s_-]+/g, ' ')
        .toLowerCase()
        .slice(0, MAX_NAME),
      ...(struck.length > 0 && { struck }),
      ...(button && { button }),
      distance: this.distance(node),
      ...(section !== 0 && { section }),
    });
  }
}

/** Texts of neighbours stand apart, unless they are parts of one price: "$", "19", ".", "99". */
function joined(before: string, text: string, isRaised: boolean): string {
  const trimmed = text.trim();
  if (isRaised && /\d$/.test(before) && /^\d\d$/.test(trimmed)) return `${before}.${trimmed}`;
  const isOnePrice =
    (/(?:\d[.,]|(?<!\d ?)[$€£¥])$/.test(before) && /^\d/.test(text)) ||
    (/\d$/.test(before) && (/^[.,]/.test(text) || /^[$€£¥円]$/.test(trimmed)));
  return isOnePrice ? before + text : `${before} ${text}`;
}
