// Finds docs by URL key: an open-addressing hash table of doc ids. Several docs may share a key, and most lookups
// (targets of links) find nothing.

const INITIAL_SLOTS = 1024;
const EMPTY = 0;
const REMOVED = -1;

export class UrlKeyTable {
  /** Keys by doc id. */
  readonly #keys: () => Float64Array;
  #slots = new Int32Array(INITIAL_SLOTS);
  // Occupied slots, including those marked as removed.
  #used = 0;
  #count = 0;

  constructor(keys: () => Float64Array) {
    this.#keys = keys;
  }

  add(docId: number): void {
    if ((this.#used + 1) * 2 > this.#slots.length) this.#rebuild();
    this.#put(docId);
    this.#used += 1;
    this.#count += 1;
  }

  /** Call while the doc's key is still in the column. */
  remove(docId: number): void {
    const slots = this.#slots;
    for (let slot = this.#slotOf(this.#keys()[docId]!); slots[slot] !== EMPTY; slot = (slot + 1) & (slots.length - 1)) {
      if (slots[slot] !== docId) continue;
      slots[slot] = REMOVED;
      this.#count -= 1;
      return;
    }
  }

  docsWith(key: number): number[] {
    const found: number[] = [];
    const slots = this.#slots;
    const keys = this.#keys();
    for (let slot = this.#slotOf(key); slots[slot] !== EMPTY; slot = (slot + 1) & (slots.length - 1)) {
      if (slots[slot] !== REMOVED && keys[slots[slot]!] === key) found.push(slots[slot]!);
    }
    return found.sort((a, b) => a - b);
  }

  #put(docId: number): void {
    let slot = this.#slotOf(this.#keys()[docId]!);
    while (this.#slots[slot]! > EMPTY) slot = (slot + 1) & (this.#slots.length - 1);
    this.#slots[slot] = docId;
  }

  #rebuild(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(this.#count * 4 > old.length ? old.length * 2 : old.length);
    this.#used = this.#count;
    for (const docId of old) if (docId > EMPTY) this.#put(docId);
  }

  /** The low 32 bits of a key are a hash. */
  #slotOf(key: number): number {
    return (key >>> 0) & (this.#slots.length - 1);
  }
}
