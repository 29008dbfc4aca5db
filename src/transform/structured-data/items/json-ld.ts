// The items of a page's JSON-LD. Parts with the same @id are merged, and references to them are replaced by a copy of the
// item, so that the result is a tree. Iterative where the input decides the depth, and bounded everywhere.

import type { PageUrls } from '../../../markup/html/page-urls.ts';
import type { DataItem, DataValue } from '../../../page/structured-data.ts';
import { isSafeName, plainValue } from '../plain-value.ts';
import { Context } from './vocabulary-names.ts';

type Thing = Record<string, unknown>;
interface Placed {
  thing: Thing;
  context: Context;
}

const MAX_ROOTS = 5_000;
const MAX_OBJECTS = 50_000;
const MAX_VALUES = 100_000;
/** Values in copies of referenced items: a chain of references must not multiply what a page says. */
const MAX_COPIED = 20_000;
const MAX_DEPTH = 24;
const MAX_JOINS = 3;
const MAX_NAMES = 200;
const MAX_TYPES = 10;

export function jsonLdItems(documents: readonly unknown[], urls: PageUrls): DataItem[] {
  const roots = rootsOf(documents);
  const byId = definitions(roots, urls);
  return new Expansion(byId, urls).items(roots);
}

/** Objects at the top level and in graphs. All others are values of those. */
function rootsOf(documents: readonly unknown[]): Placed[] {
  const roots: Placed[] = [];
  const open: { value: unknown; context: Context }[] = documents
    .map((value) => ({ value, context: Context.NONE }))
    .reverse();
  for (let steps = 0; open.length > 0 && steps < MAX_OBJECTS && roots.length < MAX_ROOTS; steps++) {
    const { value, context } = open.pop()!;
    if (Array.isArray(value)) {
      for (const each of value.slice(0, MAX_ROOTS).reverse()) open.push({ value: each, context });
    } else if (isThing(value)) {
      const inner = context.extend(value['@context']);
      const graph = Object.hasOwn(value, '@graph') ? value['@graph'] : undefined;
      if (graph !== undefined) open.push({ value: graph, context: inner });
      if (graph === undefined || Object.hasOwn(value, '@type')) roots.push({ thing: value, context: inner });
    }
  }
  return roots;
}

/** All objects that say something about an @id, wherever they stand. */
function definitions(roots: readonly Placed[], urls: PageUrls): Map<string, Placed[]> {
  const byId = new Map<string, Placed[]>();
  const open: { value: object; context: Context }[] = roots
    .map(({ thing, context }) => ({ value: thing, context }))
    .reverse();
  for (let steps = 0; open.length > 0 && steps < MAX_OBJECTS; steps++) {
    const { value, context } = open.pop()!;
    const inner = isThing(value) ? context.extend(value['@context']) : context;
    for (const each of Object.values(value).slice(0, MAX_ROOTS)) {
      if (isObject(each)) open.push({ value: each, context: inner });
    }
    if (!isThing(value)) continue;
    const id = idOf(value, inner, urls);
    if (id === undefined || isReference(value, inner)) continue;
    const same = byId.get(id);
    if (same) same.push({ thing: value, context: inner });
    else byId.set(id, [{ thing: value, context: inner }]);
  }
  return byId;
}

class Expansion {
  readonly #byId: Map<string, Placed[]>;
  readonly #urls: PageUrls;
  readonly #path = new Set<string>();
  #values = 0;
  #copied = 0;
  #joins = 0;

  constructor(byId: Map<string, Placed[]>, urls: PageUrls) {
    this.#byId = byId;
    this.#urls = urls;
  }

  items(roots: readonly Placed[]): DataItem[] {
    const items: DataItem[] = [];
    const done = new Set<string>();
    for (const root of roots) {
      if (this.#values >= MAX_VALUES) break;
      const id = idOf(root.thing, root.context, this.#urls);
      if (id !== undefined && (done.has(id) || isReference(root.thing, root.context))) continue;
      if (id !== undefined) done.add(id);
      const item = this.#item(id === undefined ? [root] : (this.#byId.get(id) ?? [root]), id, 0);
      if (item.types.length > 0 || Object.keys(item.properties).length > 0) items.push(item);
    }
    return items;
  }

  /** What all parts say about one thing; for each name, the first part that has it counts. */
  #item(parts: readonly Placed[], id: string | undefined, depth: number): DataItem {
    const item: DataItem = { syntax: 'json-ld', types: [], ...(id !== undefined && { id }), properties: {} };
    if (id !== undefined) this.#path.add(id);
    for (const { thing, context } of parts.slice(0, MAX_TYPES)) {
      const added: Record<string, DataValue[]> = {};
      for (const [written, value] of Object.entries(thing).slice(0, MAX_NAMES)) {
        const name = context.name(written);
        if (name === '@type') addTypes(item.types, value, context);
        if (name.startsWith('@') || !isSafeName(name) || Object.hasOwn(item.properties, name)) continue;
        added[name] ??= [];
        this.#addValues(added[name], value, name, context, depth + 1);
        if (added[name].length === 0) delete added[name];
      }
      Object.assign(item.properties, added);
    }
    if (id !== undefined) this.#path.delete(id);
    return item;
  }

  #addValues(values: DataValue[], value: unknown, name: string, context: Context, depth: number): void {
    if (this.#values >= MAX_VALUES || depth > MAX_DEPTH) return;
    this.#values += 1;
    if (Array.isArray(value)) {
      for (const each of value) {
        if (this.#values >= MAX_VALUES) return;
        this.#addValues(values, each, name, context, depth + 1);
      }
      return;
    }
    if (typeof value === 'string') {
      const text = plainValue(value, name, this.#urls);
      if (text !== '') values.push(text);
    } else if (typeof value === 'number' || typeof value === 'boolean') values.push(value);
    else if (isThing(value)) this.#addObject(values, value, name, context.extend(value['@context']), depth);
  }

  #addObject(values: DataValue[], thing: Thing, name: string, context: Context, depth: number): void {
    const wrapper = ['@value', '@list', '@set'].find((each) => Object.hasOwn(thing, each));
    if (wrapper !== undefined) {
      this.#addValues(values, thing[wrapper], name, context, depth + 1);
      return;
    }
    const id = idOf(thing, context, this.#urls);
    if (id !== undefined && isReference(thing, context)) values.push(this.#joined(thing, id, context, depth));
    else if (id !== undefined && this.#path.has(id)) values.push(id);
    else values.push(this.#item([{ thing, context }], id, depth));
  }

  /** The item that a reference names, or its id if that item is not on the page or contains the reference. */
  #joined(thing: Thing, id: string, context: Context, depth: number): DataValue {
    const parts = this.#byId.get(id);
    if (parts && !this.#path.has(id) && this.#joins < MAX_JOINS && this.#copied < MAX_COPIED) {
      const before = this.#values;
      this.#joins += 1;
      const item = this.#item(parts, id, depth);
      this.#joins -= 1;
      if (this.#joins === 0) {
        // Copies have a budget of their own: what they say stands on the page already.
        this.#copied += this.#values - before;
        this.#values = before;
      }
      return item;
    }
    const types: string[] = [];
    addTypes(types, typeOf(thing, context), context);
    return types.length === 0 ? id : { syntax: 'json-ld', types, id, properties: {} };
  }
}

function addTypes(types: string[], value: unknown, context: Context): void {
  for (const type of [value].flat().slice(0, MAX_TYPES)) {
    const name = typeof type === 'string' ? context.name(type.trim()) : '';
    if (isSafeName(name) && !types.includes(name)) types.push(name);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isThing = (value: unknown): value is Thing => isObject(value) && !Array.isArray(value);

function typeOf(thing: Thing, context: Context): unknown {
  const key = Object.keys(thing).find((written) => context.name(written) === '@type');
  return key === undefined ? undefined : thing[key];
}

function idOf(thing: Thing, context: Context, urls: PageUrls): string | undefined {
  const key = Object.hasOwn(thing, '@id')
    ? '@id'
    : Object.keys(thing)
        .slice(0, MAX_NAMES)
        .find((written) => context.name(written) === '@id');
  const id = key === undefined ? undefined : thing[key];
  if (typeof id !== 'string' || id.trim() === '' || id.length > 4_000) return undefined;
  return id.startsWith('_:') ? id : (urls.resolve(id.trim()) ?? id.trim());
}

/** Says nothing about the thing but which one it is, and perhaps its type. */
const isReference = (thing: Thing, context: Context): boolean => {
  const names = Object.keys(thing);
  return names.length <= 3 && names.every((written) => context.name(written).startsWith('@'));
};
