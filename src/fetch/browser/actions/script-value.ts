// Converts the result of a script to JSON, inside the page: the value may be huge, cyclic or not a JSON type.

/** In characters of JSON. */
export const MAX_VALUE_LENGTH = 1_000_000;

interface PageNode {
  nodeType?: unknown;
  outerHTML?: string;
  textContent?: string | null;
}

/**
 * Runs in the page. `{type, value}` as JSON, or undefined if it is too large. NaN and Infinity become null, functions are
 * left out, elements become their HTML, maps and sets become arrays.
 */
export async function valueAsJson(result: unknown, limit: number): Promise<string | undefined> {
  const MAX_DEPTH = 50;
  const TOO_LARGE = Symbol('too large');
  let room = limit;
  const ancestors: unknown[] = [];

  const take = (length: number) => {
    room -= length + 1;
    if (room < 0) throw TOO_LARGE;
  };
  const text = (value: string) => {
    take(value.length);
    return value;
  };
  const isList = (value: object): value is Iterable<unknown> =>
    Array.isArray(value) ||
    (ArrayBuffer.isView(value) && !(value instanceof DataView)) ||
    ['NodeList', 'HTMLCollection', 'Set', 'Map'].includes(value.constructor?.name);

  const list = (values: Iterable<unknown>, depth: number) => {
    const copy: unknown[] = [];
    for (const value of values) copy.push(plain(value, depth) ?? null);
    return copy;
  };
  const members = (value: object, depth: number) => {
    const copy: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(value)) copy[text(key)] = plain((value as Record<string, unknown>)[key], depth);
    return copy;
  };
  const object = (value: object, depth: number): unknown => {
    const { nodeType, outerHTML, textContent } = value as PageNode;
    if (typeof nodeType === 'number') return text(outerHTML ?? textContent ?? '');
    if (value instanceof Error) return text(`${value.name}: ${value.message}`);
    if (ancestors.includes(value)) return text('[Circular]');
    if (depth > MAX_DEPTH) return text('[Too deep]');
    ancestors.push(value);
    const { toJSON } = value as { toJSON?: unknown };
    const copy =
      typeof toJSON === 'function'
        ? plain(toJSON.call(value), depth + 1)
        : isList(value)
          ? list(value, depth + 1)
          : members(value, depth + 1);
    ancestors.pop();
    return copy;
  };
  const plain = (value: unknown, depth: number): unknown => {
    take(1);
    if (typeof value === 'string') return text(value);
    if (typeof value === 'bigint' || typeof value === 'symbol') return text(String(value));
    if (typeof value === 'object' && value !== null) return object(value, depth);
    return typeof value === 'function' ? undefined : value;
  };
  const typeOf = (value: unknown) => {
    if (value === null) return 'null';
    return typeof value === 'object' && isList(value) ? 'array' : typeof value;
  };

  try {
    const value = await result;
    const json = JSON.stringify({ type: typeOf(value), value: plain(value, 0) });
    // Checked again, because the page may have replaced JSON.stringify.
    return typeof json === 'string' && json.length <= limit ? json : undefined;
  } catch (error) {
    if (error === TOO_LARGE) return undefined;
    throw error;
  }
}
