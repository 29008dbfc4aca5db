// Assigns small numbers to names. A cache by hash finds most names without slicing them out of the source.

const SLOTS = 1024;

export interface NameTable {
  readonly names: readonly string[];
  /** The number of source[start, end) in lower case. `hash` is the hash of its lower-case characters. */
  find(source: string, start: number, end: number, hash: number): number;
  /** The number of a lower-case name; undefined if it has none yet. */
  get(name: string): number | undefined;
}

/** Starts with the `known` names. Names beyond `limit` share the last number. */
export function createNameTable(known: ReadonlyMap<string, number>, limit: number): NameTable {
  const names = [...known.keys()];
  const numbers = new Map<string, number>();
  const cache = new Int32Array(SLOTS).fill(-1);

  const numberOf = (name: string): number => {
    const found = known.get(name) ?? numbers.get(name);
    if (found !== undefined) return found;
    const number = Math.min(names.length, limit - 1);
    if (number === names.length) names.push(name);
    numbers.set(name, number);
    return number;
  };

  return {
    names,
    find(source, start, end, hash) {
      const slot = hash & (SLOTS - 1);
      const cached = cache[slot]!;
      if (cached !== -1 && isAt(source, start, end, names[cached]!)) return cached;
      const number = numberOf(source.slice(start, end).toLowerCase());
      cache[slot] = number;
      return number;
    },
    get: (name) => known.get(name) ?? numbers.get(name),
  };
}

function isAt(source: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) {
    if (lowerCase(source.charCodeAt(start + at)) !== name.charCodeAt(at)) return false;
  }
  return true;
}

export const lowerCase = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
export const addToHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;
