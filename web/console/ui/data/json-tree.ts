// The branches of a JSON value, looked at one at a time: what nobody opens costs nothing.
import { count } from './format.ts';
import { cutText } from './untrusted.ts';

export interface JsonChild {
  name: string;
  value: unknown;
}

export const CHILDREN_SHOWN = 100;
export const MAX_SHOWN_DEPTH = 200;
const MAX_VALUE = 2_000;
const OPEN_DEPTH = 2;
const OPEN_CHILDREN = 30;

export const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const childCount = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length);

/** The first `shown` children. */
export function childrenOf(value: object, shown: number): JsonChild[] {
  if (Array.isArray(value)) return value.slice(0, shown).map((item, at) => ({ name: String(at), value: item }));
  const fields = value as Record<string, unknown>;
  return Object.keys(fields)
    .slice(0, shown)
    .map((name) => ({ name, value: fields[name] }));
}

/** `3 items`, `1 field`. */
export function branchSize(value: object): string {
  const size = childCount(value);
  const [one, many] = Array.isArray(value) ? ['item', 'items'] : ['field', 'fields'];
  return `${count(size)} ${size === 1 ? one : many}`;
}

/** Whether a branch is open before anybody has touched it. */
export const startsOpen = (value: object, depth: number): boolean =>
  depth === 0 || (depth < OPEN_DEPTH && childCount(value) <= OPEN_CHILDREN);

/** A value without children, as JSON. A long text is cut. */
export function leafText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  const { text, wholeLength } = cutText(value, MAX_VALUE);
  return JSON.stringify(text) + (wholeLength === undefined ? '' : ` … ${count(wholeLength)} characters`);
}

export const leafKind = (value: unknown): string => (value === null ? 'null' : typeof value);
