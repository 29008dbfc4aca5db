// The values of a form are the body of the request itself: what is not set is absent. Here is what each control makes of its
// part of the body and back, and when a part is left out because it says nothing.
import type { Field, Typed } from './field.ts';

type JsonObject = Readonly<Record<string, unknown>>;
/** An entry of a picks or steps field. */
export type TypedEntry = string | (JsonObject & { type: string });

/** What to store for a field: undefined, that is nothing, for what the service takes anyway. */
export function settled(field: Field, value: unknown): unknown {
  if (field.isRequired) return value === '' && field.kind === 'text' ? undefined : value;
  if (value === undefined || isSame(plain(value, field), plain(field.default, field))) return undefined;
  if (field.kind === 'text' && value === '') return undefined;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty && field.default === undefined && field.kind !== 'union' ? undefined : value;
}

/** Types with and without options are compared as the bare types where there are no options. */
const plain = (value: unknown, { kind }: Field): unknown =>
  kind === 'picks' && Array.isArray(value)
    ? value.map((entry) => (isObject(entry) && Object.keys(entry).length === 1 ? entry.type : entry))
    : value;

/** The object with one member changed; without it if it is undefined. Members keep their order. */
export function withMember(object: JsonObject, name: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _, ...rest } = object;
  return rest;
}

export const withEntry = <T>(list: readonly T[], index: number, entry: T): T[] =>
  list.map((each, at) => (at === index ? entry : each));

export const withoutEntry = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** With an entry moved by one place. */
export function moved<T>(list: readonly T[], index: number, step: -1 | 1): T[] {
  const target = index + step;
  if (target < 0 || target >= list.length) return [...list];
  const copy = [...list];
  [copy[index], copy[target]] = [copy[target]!, copy[index]!];
  return copy;
}

/** A list of texts, one a line. */
export const toLines = (list: readonly string[]): string => list.join('\n');
export const fromLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Whether lines show the list as it is. */
const isLines = (list: readonly unknown[]): boolean =>
  list.every((entry) => typeof entry === 'string' && entry.trim() !== '' && !/[\n\r]/.test(entry));

export const typeOf = (entry: TypedEntry): string => (typeof entry === 'string' ? entry : entry.type);

export const optionsOf = (entry: TypedEntry): JsonObject => {
  if (typeof entry === 'string') return {};
  const { type: _, ...options } = entry;
  return options;
};

/** The entry of a type with these options: the bare type where that is enough. */
export const entryOf = ({ type, isBare }: Typed, options: JsonObject): TypedEntry =>
  isBare && Object.keys(options).length === 0 ? type : { type, ...options };

/** The entry with other options. It stays as it was written if they are the same. */
export const withOptions = (entry: TypedEntry, typed: Typed, options: JsonObject): TypedEntry =>
  isSame(optionsOf(entry), options) ? entry : entryOf(typed, options);

/** Whether the control of the field can show the value without changing it. Otherwise it is edited as JSON. */
export function fits(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && field.options.includes(value);
    case 'list':
      return Array.isArray(value) && fitsList(field.entry, value);
    case 'object':
      return isObject(value) && fitsMembers(field.fields, value);
    case 'map':
      return isObject(value) && Object.values(value).every((member) => fits(field.value, member));
    case 'union':
      return variantOf(field.variants, value) !== -1;
    case 'picks':
    case 'steps':
      return Array.isArray(value) && value.every((entry) => fitsTyped(field.types, entry));
    case 'json':
      return !field.isObject || isObject(value);
  }
}

const fitsList = (entry: Field, list: readonly unknown[]): boolean => {
  if (entry.kind === 'text') return isLines(list);
  // Chips show a choice once.
  if (entry.kind === 'choice' && new Set(list).size !== list.length) return false;
  return list.every((each) => fits(entry, each));
};

const fitsMembers = (fields: readonly Field[], object: JsonObject): boolean =>
  Object.entries(object).every(([name, member]) => {
    const field = fields.find((each) => each.name === name);
    return field !== undefined && fits(field, member);
  });

function fitsTyped(types: readonly Typed[], entry: unknown): boolean {
  const name = typeof entry === 'string' ? entry : isObject(entry) ? entry.type : undefined;
  const typed = types.find(({ type }) => type === name);
  if (!typed) return false;
  if (typeof entry === 'string') return typed.isBare;
  return typed.isObject && fitsMembers(typed.fields, optionsOf(entry as TypedEntry));
}

/** The position of the first variant that shows the value; -1 without one. */
export const variantOf = (variants: readonly Field[], value: unknown): number =>
  variants.findIndex((variant) => fits(variant, value));

/** What a new entry, or a variant that was just chosen, begins with. */
export function blankOf(field: Field): unknown {
  switch (field.kind) {
    case 'text':
      return '';
    case 'number':
      return field.minimum ?? 0;
    case 'boolean':
      return true;
    case 'choice':
      return field.options[0];
    case 'list':
    case 'picks':
    case 'steps':
      return [];
    default:
      return {};
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two JSON values are the same; members may stand in any order. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && isSame(a[name], b[name]));
}
