// The pairs of the docs in a write buffer, packed one after the other, by their position in the buffer.

export class BufferedPairs {
  #bytes = new Uint8Array(1024);
  #ends = new Uint32Array(64);
  #docs = 0;

  add(packed: Uint8Array): void {
    const start = this.#startOf(this.#docs);
    const end = start + packed.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.5)));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#docs === this.#ends.length) {
      const more = new Uint32Array(this.#docs * 2);
      more.set(this.#ends);
      this.#ends = more;
    }
    this.#bytes.set(packed, start);
    this.#ends[this.#docs++] = end;
  }

  of(position: number): Uint8Array {
    return this.#bytes.subarray(this.#startOf(position), this.#ends[position]);
  }

  #startOf(position: number): number {
    return position === 0 ? 0 : this.#ends[position - 1]!;
  }
}
