// The storage behind HtmlTree: growing typed arrays, with texts and attribute values as spans of the source.
// Only values with character references are strings of their own; nodes are not objects.
import { ELEMENT, type HtmlTree, ROOT, TEXT } from './html-tree.ts';
import { NameTable } from './name-table.ts';
import { TAG_NUMBERS } from './tags.ts';

/** Distinct tag names per page; further names share the last number. */
export const MAX_TAGS = 1024;
const NO_NAMES: ReadonlyMap<string, number> = new Map();
const BLANK = /^[ \t\n\f\r]*$/;
const MAX_ATTRIBUTE_NAMES = 1 << 20;

export class TreeBuilder {
  readonly tags = new NameTable(TAG_NUMBERS, MAX_TAGS);
  readonly attributeNames = new NameTable(NO_NAMES, MAX_ATTRIBUTE_NAMES);
  readonly #source: string;
  readonly #decodedTexts: string[] = [];

  #capacity: number;
  #kind: Uint8Array;
  #tag: Uint16Array;
  #parent: Int32Array;
  #end: Int32Array;
  // Text: start and end of the span, or -1 - (index in `decodedTexts`). Elements: first attribute and count.
  #first: Int32Array;
  #second: Int32Array;
  #size = 1;

  #attributeCapacity: number;
  #attributeName: Int32Array;
  #attributeStart: Int32Array;
  #attributeEnd: Int32Array;
  #attributeCount = 0;

  constructor(source: string) {
    this.#source = source;
    const capacity = Math.max(256, source.length >> 5);
    this.#capacity = capacity;
    this.#kind = new Uint8Array(capacity);
    this.#tag = new Uint16Array(capacity);
    this.#parent = new Int32Array(capacity);
    this.#end = new Int32Array(capacity);
    this.#first = new Int32Array(capacity);
    this.#second = new Int32Array(capacity);
    this.#attributeCapacity = capacity;
    this.#attributeName = new Int32Array(capacity);
    this.#attributeStart = new Int32Array(capacity);
    this.#attributeEnd = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  get attributeCount(): number {
    return this.#attributeCount;
  }

  addElement(tag: number, parent: number, firstAttribute: number, attributes: number): number {
    const node = this.#addNode(ELEMENT, parent, firstAttribute, attributes);
    this.#tag[node] = tag;
    return node;
  }

  /** The text is the source span, or `decoded` if that differs from it. */
  addText(parent: number, start: number, end: number, decoded: string | undefined): void {
    this.#addNode(TEXT, parent, this.#startOf(start, decoded), end);
  }

  closeElement(node: number): void {
    this.#end[node] = this.#size;
  }

  isBlank(start: number, end: number, decoded: string | undefined): boolean {
    return decoded === undefined ? isBlankSpan(this.#source, start, end) : BLANK.test(decoded);
  }

  /** Adds to the element whose attributes start at `first`. If a name repeats, the first value wins. */
  addAttribute(first: number, name: number, start: number, end: number, decoded: string | undefined): void {
    for (let at = first; at < this.#attributeCount; at++) if (this.#attributeName[at] === name) return;
    if (this.#attributeCount === this.#attributeCapacity) this.#growAttributes();
    const at = this.#attributeCount++;
    this.#attributeName[at] = name;
    this.#attributeStart[at] = this.#startOf(start, decoded);
    this.#attributeEnd[at] = end;
  }

  /** Removes the attributes from this number on. */
  dropAttributes(from: number): void {
    this.#attributeCount = from;
  }

  setAttributes(node: number, firstAttribute: number, attributes: number): void {
    this.#first[node] = firstAttribute;
    this.#second[node] = attributes;
  }

  attributesOf(node: number): [first: number, count: number] {
    return [this.#first[node]!, this.#second[node]!];
  }

  /** Names and values of the attributes with these numbers. */
  *attributesIn(first: number, count: number): Generator<[name: string, value: string]> {
    for (let at = first; at < first + count; at++) {
      yield [this.attributeNames.names[this.#attributeName[at]!]!, this.#attributeValue(at)];
    }
  }

  /** The value of the attribute with this name number, among `count` attributes from `first` on. */
  findValue(first: number, count: number, name: number): string | undefined {
    const names = this.#attributeName;
    for (let at = first; at < first + count; at++) if (names[at] === name) return this.#attributeValue(at);
    return undefined;
  }

  /** The text of a text node, by its two numbers. */
  span(start: number, end: number): string {
    return start < 0 ? this.#decodedTexts[-1 - start]! : this.#source.slice(start, end);
  }

  isBlankText(start: number, end: number): boolean {
    return this.isBlank(start, end, start < 0 ? this.#decodedTexts[-1 - start] : undefined);
  }

  /** The tree of all nodes added so far. The builder must not be used afterwards. */
  finish(truncated: boolean): HtmlTree {
    this.#kind[0] = ROOT;
    this.#parent[0] = -1;
    this.#end[0] = this.#size;
    return new FlatTree(this, truncated, this.#first, this.#second, {
      kind: this.#kind.subarray(0, this.#size),
      tag: this.#tag.subarray(0, this.#size),
      parent: this.#parent.subarray(0, this.#size),
      end: this.#end.subarray(0, this.#size),
    });
  }

  #addNode(kind: number, parent: number, first: number, second: number): number {
    if (this.#size === this.#capacity) this.#grow();
    const node = this.#size++;
    this.#kind[node] = kind;
    this.#parent[node] = parent;
    this.#first[node] = first;
    this.#second[node] = second;
    this.#end[node] = node + 1;
    return node;
  }

  #startOf(start: number, decoded: string | undefined): number {
    return decoded === undefined ? start : -this.#decodedTexts.push(decoded);
  }

  #attributeValue(at: number): string {
    return this.span(this.#attributeStart[at]!, this.#attributeEnd[at]!);
  }

  #grow(): void {
    this.#capacity *= 2;
    const capacity = this.#capacity;
    this.#kind = resized(this.#kind, new Uint8Array(capacity));
    this.#tag = resized(this.#tag, new Uint16Array(capacity));
    this.#parent = resized(this.#parent, new Int32Array(capacity));
    this.#end = resized(this.#end, new Int32Array(capacity));
    this.#first = resized(this.#first, new Int32Array(capacity));
    this.#second = resized(this.#second, new Int32Array(capacity));
  }

  #growAttributes(): void {
    this.#attributeCapacity *= 2;
    const capacity = this.#attributeCapacity;
    this.#attributeName = resized(this.#attributeName, new Int32Array(capacity));
    this.#attributeStart = resized(this.#attributeStart, new Int32Array(capacity));
    this.#attributeEnd = resized(this.#attributeEnd, new Int32Array(capacity));
  }
}

type NodeArrays = Pick<HtmlTree, 'kind' | 'tag' | 'parent' | 'end'>;

/** A class rather than an object of closures: V8 keeps the optimised code of its methods from page to page. */
class FlatTree implements HtmlTree {
  readonly size: number;
  readonly kind: Uint8Array;
  readonly tag: Uint16Array;
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly truncated: boolean;
  readonly #values: TreeBuilder;
  readonly #first: Int32Array;
  readonly #second: Int32Array;

  constructor(values: TreeBuilder, truncated: boolean, first: Int32Array, second: Int32Array, nodes: NodeArrays) {
    this.size = nodes.kind.length;
    this.kind = nodes.kind;
    this.tag = nodes.tag;
    this.parent = nodes.parent;
    this.end = nodes.end;
    this.truncated = truncated;
    this.#values = values;
    this.#first = first;
    this.#second = second;
  }

  tagName(node: number): string {
    return this.kind[node] === ELEMENT ? this.#values.tags.names[this.tag[node]!]! : '';
  }

  text(node: number): string {
    return this.kind[node] === TEXT ? this.#values.span(this.#first[node]!, this.#second[node]!) : '';
  }

  isBlank(node: number): boolean {
    return this.kind[node] === TEXT && this.#values.isBlankText(this.#first[node]!, this.#second[node]!);
  }

  attribute(node: number, name: string): string | undefined {
    return this.#second[node] === 0 ? undefined : this.attributeAt(node, this.attributeNumber(name));
  }

  attributeNumber(name: string): number {
    return this.#values.attributeNames.get(name) ?? -1;
  }

  attributeAt(node: number, number: number): string | undefined {
    if (number < 0 || this.kind[node] !== ELEMENT) return undefined;
    return this.#values.findValue(this.#first[node]!, this.#second[node]!, number);
  }

  attributes(node: number): Iterable<[name: string, value: string]> {
    return this.kind[node] === ELEMENT ? this.#values.attributesIn(this.#first[node]!, this.#second[node]!) : [];
  }
}

function isBlankSpan(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code !== 32 && (code > 13 || code < 9)) return false;
  }
  return true;
}

function resized<T extends Uint8Array | Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
