// Plain JSON inside a page: data scripts (__NEXT_DATA__, product JSON of shops), data attributes, and objects that a script
// assigns to a variable. Nothing is executed; what is not JSON is left out.

import { ELEMENT, type HtmlTree } from '../../markup/html/html-tree.ts';
import type { EmbeddedJson } from '../../page/structured-data.ts';
import { isSafeName, MAX_VALUE } from './plain-value.ts';

const MAX_SCRIPT = 3_000_000;
const MAX_CHARS = 8_000_000;
const MAX_EMBEDDED = 60;
const MIN_CHARS = 20;
const MAX_VALUES = 60_000;
const ASSIGNMENT =
  /(?:(?:window|self|globalThis)\s{0,9}(?:\.\s{0,9}([\w$]{1,80})|\[\s{0,9}["']([\w$.-]{1,80})["']\s{0,9}\])|(?:var|let|const)\s{1,9}([\w$]{1,80}))\s{0,9}=\s{0,9}(?=[{[]|JSON\.parse\()/g;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]{1,60}\+)?json$|^text\/x-magento-init$/;
const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/;

export class EmbeddedReader {
  readonly found: EmbeddedJson[] = [];
  readonly #tree: HtmlTree;
  readonly #copy = boundedCopy(MAX_VALUES);
  #chars = MAX_CHARS;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
  }

  /** A script that is not JSON-LD. */
  readScript(node: number, type: string, source: string): void {
    if (source.length > MAX_SCRIPT || source.length > this.#chars || this.#isFull) return;
    if (JSON_TYPE.test(type)) this.#add(this.#tree.attribute(node, 'id') ?? dataName(this.#tree, node), source);
    else if (SCRIPT_TYPE.test(type)) this.#readAssignments(source);
  }

  /** Attributes whose value is an object: `data-product_variations` of shops, `data-page` of applications. */
  readAttributes(node: number): void {
    if (this.#isFull) return;
    for (const [name, value] of this.#tree.attributes(node)) {
      if (value.length < MIN_CHARS || !/^\s{0,9}(?:\{\s{0,9}"|\[\s{0,9}\{)/.test(value) || !name.startsWith('data-'))
        continue;
      if (value.length <= this.#chars && value.length <= MAX_SCRIPT) this.#add(name, value);
    }
  }

  get #isFull(): boolean {
    return this.found.length >= MAX_EMBEDDED || this.#chars <= 0;
  }

  #add(name: string | undefined, json: string): void {
    this.#chars -= json.length;
    const value = parsed(json);
    if (typeof value !== 'object' || value === null || this.#isFull) return;
    this.found.push({ ...(name !== undefined && isSafeName(name) && { name }), value: this.#copy(value) });
  }

  #readAssignments(source: string): void {
    // Objects that do not end are looked at once only.
    let searchable = 2 * source.length;
    ASSIGNMENT.lastIndex = 0;
    for (let match = ASSIGNMENT.exec(source); match && !this.#isFull; match = ASSIGNMENT.exec(source)) {
      const start = ASSIGNMENT.lastIndex;
      const isText = source.startsWith('JSON.parse(', start);
      const from = isText ? start + 'JSON.parse('.length : start;
      const end = isText ? stringEnd(source, from) : objectEnd(source, from);
      searchable -= (end ?? source.length) - from;
      if (end !== undefined && end - from >= MIN_CHARS) {
        const text = isText ? parsed(source.slice(from, end)) : source.slice(from, end);
        if (typeof text === 'string') this.#add(match[1] ?? match[2] ?? match[3], text);
        ASSIGNMENT.lastIndex = end;
      }
      if (searchable < 0) return;
    }
  }
}

/** The name of a data attribute of the script: `data-product-json`. */
function dataName(tree: HtmlTree, node: number): string | undefined {
  if (tree.kind[node] !== ELEMENT) return undefined;
  for (const [name, value] of tree.attributes(node))
    if (name.startsWith('data-') && value.length < 200) return value || name;
  return undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Where the object or list that starts here ends; undefined if it does not. */
function objectEnd(source: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 34) {
      const end = stringEnd(source, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (code === 123 || code === 91) depth += 1;
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Where the string in double quotes that starts here ends. */
function stringEnd(source: string, from: number): number | undefined {
  if (source.charCodeAt(from) !== 34) return undefined;
  for (let at = from + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 34) return at + 1;
  }
  return undefined;
}

const MAX_DEPTH = 32;

/** Copies JSON values; names that reach prototypes are left out. All copies of one page share the number of values, and what exceeds it is left out, too. */
function boundedCopy(maxValues: number): (value: unknown) => unknown {
  let left = maxValues;
  const copy = (value: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof value === 'string') return value.slice(0, MAX_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const each of value) {
        if (left <= 0 || depth >= MAX_DEPTH) break;
        list.push(copy(each, depth + 1));
      }
      return list;
    }
    const object: Record<string, unknown> = {};
    if (depth >= MAX_DEPTH) return object;
    for (const name of Object.keys(value)) {
      if (left <= 0) break;
      if (isSafeName(name)) object[name] = copy((value as Record<string, unknown>)[name], depth + 1);
    }
    return object;
  };
  return (value) => copy(value, 0);
}
