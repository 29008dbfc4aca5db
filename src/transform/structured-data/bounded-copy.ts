// Copies JSON values within limits: depth, number of values, length of texts. Names that reach prototypes are left out.
import { isSafeName, MAX_VALUE } from './plain-value.ts';

const MAX_DEPTH = 32;

/** All copies of one page share the number of values; what exceeds a limit is left out. */
export function boundedCopy(maxValues: number): (value: unknown) => unknown {
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
