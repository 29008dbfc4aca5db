// Reads objects of embedded JSON, whose names and types are the page's own.

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The first list under one of the names. */
export const listIn = (fields: Fields, names: readonly string[]): unknown[] | undefined =>
  names.map((name) => fieldOf(fields, name)).find(Array.isArray);

/** The first text or number under one of the names. An object counts with its name. */
export function textIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fieldOf(fields, name);
    const text = isFields(value) ? fieldOf(value, 'name') : value;
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
    if (typeof text === 'number' && Number.isFinite(text)) return String(text);
  }
  return undefined;
}

const MAX_VALUES = 60_000;

/** All objects and lists, breadth first: what the page is about stands above its details. `path` is made of the names above. */
export function* valuesIn(
  roots: readonly { name?: string; value: unknown }[],
): Generator<{ value: object; path: string }> {
  const open = roots.map(({ name, value }) => ({ value, path: name ?? '' }));
  for (let at = 0; at < open.length && at < MAX_VALUES; at++) {
    const { value, path } = open[at]!;
    if (typeof value !== 'object' || value === null) continue;
    yield { value, path };
    const isList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'object' || open.length >= MAX_VALUES) continue;
      open.push({ value: inner, path: isList ? path : `${path.slice(-200)}.${name}` });
    }
  }
}
