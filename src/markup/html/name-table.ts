// Assigns small numbers to names. A cache by hash finds most names without slicing them out of the source.

const SLOTS = 1024;

export class NameTable {
  readonly names: string[];
  readonly #known: ReadonlyMap<string, number>;
  readonly #limit: number;
  readonly #numbers = new Map<string, number>();
  readonly #cache = new Int32Array(SLOTS).fill(-1);

  /** Starts with the `known` names. Names beyond `limit` share the last number. */
  constructor(known: ReadonlyMap<string, number>, limit: number) {
    this.names = [...known.keys()];
    this.#known = known;
    this.#limit = limit;
  }

  /** The number of source[start, end) in lower case. `hash` is the hash of its lower-case characters. */
  find(source: string, start: number, end: number, hash: number): number {
    const slot = hash & (SLOTS - 1);
    const cached = this.#cache[slot]!;
    if (cached !== -1 && isAt(source, start, end, this.names[cached]!)) return cached;
    const number = this.#numberOf(source.slice(start, end).toLowerCase());
    this.#cache[slot] = number;
    return number;
  }

  /** The number of a lower-case name; undefined if it has none yet. */
  get(name: string): number | undefined {
    return this.#known.get(name) ?? this.#numbers.get(name);
  }

  #numberOf(name: string): number {
    const found = this.get(name);
    if (found !== undefined) return found;
    const number = Math.min(this.names.length, this.#limit - 1);
    if (number === this.names.length) this.names.push(name);
    this.#numbers.set(name, number);
    return number;
  }
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
