// What is known of each document beside its terms: whether it lives, and its length; in arrays by its number.
import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './varint.ts';

/** No such document, or purged. */
export const ABSENT = 0;
export const LIVING = 1;
/** Removed, but its postings are still there. */
export const DEAD = 2;
/** Dead, and left out of the segment that is being written. */
export const LEAVING = 3;

const MIN_CAPACITY = 1024;

export class Documents {
  states = new Uint8Array(MIN_CAPACITY);
  lengths = new Int32Array(MIN_CAPACITY);
  living = 0;
  /** With the dead that were not purged: what a term's frequency is measured by. */
  total = 0;
  totalLength = 0;
  /** The highest number that was ever there. */
  last = 0;

  /** Numbers are below it. */
  get capacity(): number {
    return this.states.length;
  }

  put(number: number, length: number): void {
    this.reach(number);
    this.states[number] = LIVING;
    this.lengths[number] = length;
    this.living += 1;
    this.total += 1;
    this.totalLength += length;
  }

  /** Makes room up to `number`, also when it is not there any more. */
  reach(number: number): void {
    if (number > this.last) this.last = number;
    if (number < this.capacity) return;
    const capacity = Math.max(number + 1, Math.ceil(this.capacity * 1.5));
    const { states, lengths } = this;
    this.states = new Uint8Array(capacity);
    this.states.set(states);
    this.lengths = new Int32Array(capacity);
    this.lengths.set(lengths);
  }

  isLiving(number: number): boolean {
    return this.states[number] === LIVING;
  }

  /** Whether it lived. */
  remove(number: number): boolean {
    if (!this.isLiving(number)) return false;
    this.states[number] = DEAD;
    this.living -= 1;
    return true;
  }

  numbersWith(state: number, lo: number, hi: number): number[] {
    const found: number[] = [];
    for (let number = lo; number <= hi; number++) if (this.states[number] === state) found.push(number);
    return found;
  }

  change(numbers: readonly number[], state: number): void {
    for (const number of numbers) this.states[number] = state;
  }

  purge(numbers: readonly number[]): void {
    for (const number of numbers) this.totalLength -= this.lengths[number]!;
    this.total -= numbers.length;
    this.change(numbers, ABSENT);
  }

  /** The lengths of those that stay, for the row of a segment. */
  packLengths(lo: number, hi: number): { bytes: Uint8Array; documents: number } {
    const stays = (number: number) => this.states[number] === LIVING || this.states[number] === DEAD;
    let documents = 0;
    for (let number = lo; number <= hi; number++) if (stays(number)) documents += 1;
    const bytes = new Uint8Array(documents * 2 * MAX_VARINT_BYTES);
    let at = 0;
    let before = lo;
    for (let number = lo; number <= hi; number++) {
      if (!stays(number)) continue;
      at = writeVarint(bytes, at, number - before);
      at = writeVarint(bytes, at, this.lengths[number]!);
      before = number;
    }
    return { bytes: bytes.subarray(0, at), documents };
  }

  /** Puts the documents of a segment, and returns how many they are. */
  putPacked(lo: number, hi: number, bytes: Uint8Array): number {
    this.reach(hi);
    const reader = new VarintReader(bytes);
    let number = lo;
    let documents = 0;
    while (!reader.isAtEnd) {
      number += reader.next();
      this.put(number, reader.next());
      documents += 1;
    }
    return documents;
  }
}
