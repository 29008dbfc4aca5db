// The storage behind HtmlTree: growing typed arrays, text and attribute values as spans of the source.
// Only values with character references are strings of their own; no object is made for a node.

import { TAG, TAG_NAMES } from './tags.ts';
import { ELEMENT, type HtmlTree, ROOT, TEXT } from './tree.ts';

/** Distinct tag names a page may use; further names share the last number. */
export const MAX_TAGS = 1024;

export interface TreeBuilder {
  readonly size: number;
  readonly attributeCount: number;
  tagId(name: string): number;
  addElement(tag: number, parent: number, firstAttribute: number, attributes: number): number;
  /** Text is the source span, or `decoded` where that differs from it. */
  addText(parent: number, start: number, end: number, decoded: string | undefined): void;
  addAttribute(name: string, start: number, end: number, decoded: string | undefined): void;
  setAttributes(node: number, firstAttribute: number, attributes: number): void;
  attributesOf(node: number): [first: number, count: number];
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
  const tagIds = new Map<string, number>(Object.entries(TAG));
  const tagNames: string[] = [...TAG_NAMES];
  const attributeIds = new Map<string, number>();
  const attributeNames: string[] = [];

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

  const keep = (text: string): number => -decodedTexts.push(text);
  const span = (start: number, stop: number): string =>
    start < 0 ? decodedTexts[-1 - start]! : source.slice(start, stop);

  return {
    get size() {
      return size;
    },
    get attributeCount() {
      return attributeCount;
    },
    tagId(name) {
      const known = tagIds.get(name);
      if (known !== undefined) return known;
      const id = Math.min(tagNames.length, MAX_TAGS - 1);
      tagNames[id] ??= name;
      tagIds.set(name, id);
      return id;
    },
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
    addAttribute(name, start, stop, decoded) {
      if (attributeCount === attributeCapacity) growAttributes();
      let id = attributeIds.get(name);
      if (id === undefined) {
        id = attributeNames.push(name) - 1;
        attributeIds.set(name, id);
      }
      attributeName[attributeCount] = id;
      attributeStart[attributeCount] = decoded === undefined ? start : keep(decoded);
      attributeEnd[attributeCount] = stop;
      attributeCount += 1;
    },
    setAttributes(node, firstAttribute, attributes) {
      first[node] = firstAttribute;
      second[node] = attributes;
    },
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
        tagName: (node) => (kind[node] === ELEMENT ? tagNames[tag[node]!]! : ''),
        text: (node) => (kind[node] === TEXT ? span(first[node]!, second[node]!) : ''),
        attribute(node, name) {
          if (kind[node] !== ELEMENT) return undefined;
          const id = attributeIds.get(name);
          if (id === undefined) return undefined;
          const stop = first[node]! + second[node]!;
          for (let at = first[node]!; at < stop; at++) {
            if (attributeName[at] === id) return span(attributeStart[at]!, attributeEnd[at]!);
          }
          return undefined;
        },
        *attributes(node) {
          if (kind[node] !== ELEMENT) return;
          const stop = first[node]! + second[node]!;
          for (let at = first[node]!; at < stop; at++) {
            yield [attributeNames[attributeName[at]!]!, span(attributeStart[at]!, attributeEnd[at]!)];
          }
        },
      };
    },
  };
}

function resized<T extends Uint8Array | Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
