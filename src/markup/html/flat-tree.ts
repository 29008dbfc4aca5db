// The storage behind HtmlTree: growing typed arrays, text and attribute values as spans of the source.
// Only values with character references are strings of their own; no object is made for a node.

import { ELEMENT, type HtmlTree, ROOT, TEXT } from './html-tree.ts';
import { createNameTable, type NameTable } from './name-table.ts';
import { TAG_NUMBERS } from './tags.ts';

/** Distinct tag names a page may use; further names share the last number. */
export const MAX_TAGS = 1024;
const NO_NAMES: ReadonlyMap<string, number> = new Map();
const BLANK = /^[ \t\n\f\r]*$/;
const MAX_ATTRIBUTE_NAMES = 1 << 20;

export interface TreeBuilder {
  readonly size: number;
  readonly attributeCount: number;
  readonly tags: NameTable;
  readonly attributeNames: NameTable;
  addElement(tag: number, parent: number, firstAttribute: number, attributes: number): number;
  /** Text is the source span, or `decoded` where that differs from it. */
  isBlank(start: number, end: number, decoded: string | undefined): boolean;
  addText(parent: number, start: number, end: number, decoded: string | undefined): void;
  /** Adds to the element whose attributes begin at `first`; of two with the same name, the first counts. */
  addAttribute(first: number, name: number, start: number, end: number, decoded: string | undefined): void;
  /** Forgets the attributes from this one on. */
  dropAttributes(from: number): void;
  setAttributes(node: number, firstAttribute: number, attributes: number): void;
  attributesOf(node: number): [first: number, count: number];
  /** Names and values of the attributes with these numbers. */
  attributesIn(first: number, count: number): Iterable<[name: string, value: string]>;
  closeElement(node: number): void;
  finish(truncated: boolean): HtmlTree;
}

export function createTreeBuilder(source: string): TreeBuilder {
  let capacity = Math.max(256, source.length >> 5);
  let kind = new Uint8Array(capacity);
  let tag = new Uint16Array(capacity);
  let parent = new Int32Array(capacity);
  let end = new Int32Array(capacity);
  // Text: start and end of the span, or -1 - (number in `decodedTexts`). Elements: first attribute and their count.
  let first = new Int32Array(capacity);
  let second = new Int32Array(capacity);
  let size = 1;

  let attributeCapacity = capacity;
  let attributeName = new Int32Array(attributeCapacity);
  let attributeStart = new Int32Array(attributeCapacity);
  let attributeEnd = new Int32Array(attributeCapacity);
  let attributeCount = 0;

  const decodedTexts: string[] = [];
  const tags = createNameTable(TAG_NUMBERS, MAX_TAGS);
  const attributeNames = createNameTable(NO_NAMES, MAX_ATTRIBUTE_NAMES);

  const grow = () => {
    capacity *= 2;
    kind = resized(kind, new Uint8Array(capacity));
    tag = resized(tag, new Uint16Array(capacity));
    parent = resized(parent, new Int32Array(capacity));
    end = resized(end, new Int32Array(capacity));
    first = resized(first, new Int32Array(capacity));
    second = resized(second, new Int32Array(capacity));
  };

  const growAttributes = () => {
    attributeCapacity *= 2;
    attributeName = resized(attributeName, new Int32Array(attributeCapacity));
    attributeStart = resized(attributeStart, new Int32Array(attributeCapacity));
    attributeEnd = resized(attributeEnd, new Int32Array(attributeCapacity));
  };

  const isBlank = (start: number, stop: number, decoded: string | undefined): boolean => {
    if (decoded !== undefined) return BLANK.test(decoded);
    for (let at = start; at < stop; at++) {
      const code = source.charCodeAt(at);
      if (code !== 32 && (code > 13 || code < 9)) return false;
    }
    return true;
  };
  const keep = (text: string): number => -decodedTexts.push(text);
  const span = (start: number, stop: number): string =>
    start < 0 ? decodedTexts[-1 - start]! : source.slice(start, stop);

  const attributeValue = (node: number, name: number | undefined): string | undefined => {
    if (name === undefined) return undefined;
    const stop = first[node]! + second[node]!;
    for (let at = first[node]!; at < stop; at++) {
      if (attributeName[at] === name) return span(attributeStart[at]!, attributeEnd[at]!);
    }
    return undefined;
  };

  function* attributesIn(from: number, count: number): Generator<[name: string, value: string]> {
    for (let at = from; at < from + count; at++) {
      yield [attributeNames.names[attributeName[at]!]!, span(attributeStart[at]!, attributeEnd[at]!)];
    }
  }

  return {
    get size() {
      return size;
    },
    get attributeCount() {
      return attributeCount;
    },
    tags,
    attributeNames,
    isBlank,
    addElement(elementTag, elementParent, firstAttribute, attributes) {
      if (size === capacity) grow();
      kind[size] = ELEMENT;
      tag[size] = elementTag;
      parent[size] = elementParent;
      first[size] = firstAttribute;
      second[size] = attributes;
      end[size] = size + 1;
      return size++;
    },
    addText(textParent, start, stop, decoded) {
      if (size === capacity) grow();
      kind[size] = TEXT;
      parent[size] = textParent;
      first[size] = decoded === undefined ? start : keep(decoded);
      second[size] = stop;
      end[size] = size + 1;
      size += 1;
    },
    addAttribute(from, name, start, stop, decoded) {
      for (let at = from; at < attributeCount; at++) if (attributeName[at] === name) return;
      if (attributeCount === attributeCapacity) growAttributes();
      attributeName[attributeCount] = name;
      attributeStart[attributeCount] = decoded === undefined ? start : keep(decoded);
      attributeEnd[attributeCount] = stop;
      attributeCount += 1;
    },
    dropAttributes(from) {
      attributeCount = from;
    },
    setAttributes(node, firstAttribute, attributes) {
      first[node] = firstAttribute;
      second[node] = attributes;
    },
    attributesIn,
    attributesOf: (node) => [first[node]!, second[node]!],
    closeElement(node) {
      end[node] = size;
    },
    finish(truncated) {
      kind[0] = ROOT;
      parent[0] = -1;
      end[0] = size;
      return {
        size,
        kind: kind.subarray(0, size),
        tag: tag.subarray(0, size),
        parent: parent.subarray(0, size),
        end: end.subarray(0, size),
        truncated,
        tagName: (node) => (kind[node] === ELEMENT ? tags.names[tag[node]!]! : ''),
        text: (node) => (kind[node] === TEXT ? span(first[node]!, second[node]!) : ''),
        isBlank: (node) => {
          const from = first[node]!;
          return kind[node] === TEXT && isBlank(from, second[node]!, from < 0 ? decodedTexts[-1 - from] : undefined);
        },
        attribute: (node, name) =>
          kind[node] !== ELEMENT || second[node] === 0 ? undefined : attributeValue(node, attributeNames.get(name)),
        attributeReader(name) {
          const id = attributeNames.get(name);
          return (node) => (kind[node] === ELEMENT ? attributeValue(node, id) : undefined);
        },
        attributes: (node) => (kind[node] === ELEMENT ? attributesIn(first[node]!, second[node]!) : []),
      };
    },
  };
}

function resized<T extends Uint8Array | Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
