// Reads properties of items by name. Names and values come from pages, so that any of them may be missing or odd.
import type { DataItem, DataValue } from '../../page/structured-data.ts';

export const valuesOf = (item: DataItem, name: string): DataValue[] =>
  Object.hasOwn(item.properties, name) ? item.properties[name]! : [];

export const isItem = (value: DataValue): value is DataItem => typeof value === 'object';

export const itemsOf = (item: DataItem, ...names: string[]): DataItem[] =>
  names.flatMap((name) => valuesOf(item, name).filter(isItem));

/** The first text under one of the names. An item counts with its name. */
export function textOf(item: DataItem, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const value of valuesOf(item, name)) {
      const text = isItem(value) ? nameOf(value) : String(value).trim();
      if (text !== undefined && text !== '') return text;
    }
  }
  return undefined;
}

export const textsOf = (item: DataItem, name: string): string[] =>
  valuesOf(item, name).flatMap((value) => (isItem(value) ? (nameOf(value) ?? []) : String(value)));

/** What an item is called; its own properties only, so that a cycle cannot matter. */
export function nameOf(item: DataItem): string | undefined {
  for (const name of ['name', 'headline', 'title', 'legalName', 'alternateName']) {
    const value = valuesOf(item, name).find((each) => typeof each === 'string');
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

export const hasType = (item: DataItem, types: ReadonlySet<string>): boolean =>
  item.types.some((type) => types.has(type));

/** Addresses of images: texts, or items with a URL. */
export const imagesOf = (item: DataItem, ...names: string[]): { url: string; alt?: string }[] => {
  const found = names
    .flatMap((name) => valuesOf(item, name))
    .flatMap((value) => {
      const url = isItem(value) ? (textOf(value, 'contentUrl', 'url') ?? value.id) : String(value);
      const alt = isItem(value) ? textOf(value, 'caption', 'name') : undefined;
      return url !== undefined && /^https?:/.test(url) ? [{ url, ...(alt !== undefined && { alt }) }] : [];
    });
  return [...new Map(found.map((image) => [image.url, image])).values()];
};

/** For comparisons: letters without accents and digits only. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mn}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Leaves out what is undefined, empty, or an empty list. */
export function known<T extends object>(values: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const isKnown = (value: unknown) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isKnown(value))) as never;
}
