// The documents that are in no segment yet, in memory. The postings of all terms share one array: each term has a chain
// of slices there, which double in size, so that a rare term takes little room and a common one is read in one go.
import type { Batch } from './batch.ts';
import { EMPTY_LIST, type PostingList } from './posting-list.ts';
import { detached } from './term-key.ts';

// The last slot of a slice says where the next one begins.
const FIRST_SLICE = 2;
const LARGEST_SLICE = 1024;

export class Tail {
  documents = 0;
  lo = 0;
  hi = 0;
  /** Of its terms, in the order of their coming. */
  readonly keys: string[] = [];
  #numbers = new Int32Array(1024);
  readonly #terms = new Map<string, number>();
  // By term: where its first slice begins, where its next posting goes, where that slice ends, and its postings.
  #starts = new Int32Array(1024);
  #places = new Int32Array(1024);
  #ends = new Int32Array(1024);
  #counts = new Int32Array(1024);
  // A posting: the place of the document among those of the tail, and the weight in the lowest eight bits.
  #slots = new Int32Array(4096);
  #used = 0;

  /** Numbers must ascend from batch to batch. */
  absorb({ keys, documents }: Batch): void {
    if (documents.length === 0) return;
    const terms = Int32Array.from(keys, (key) => this.#terms.get(key) ?? this.#newTerm(key));
    this.#numbers = reaching(this.#numbers, this.documents + documents.length);
    if (this.documents === 0) this.lo = documents[0]!.number;
    this.hi = documents.at(-1)!.number;
    for (const document of documents) {
      const base = this.documents << 8;
      this.#numbers[this.documents++] = document.number;
      for (let i = 0; i < document.terms.length; i++) {
        this.#append(terms[document.terms[i]!]!, base | document.weights[i]!);
      }
    }
  }

  frequency(key: string): number {
    const term = this.#terms.get(key);
    return term === undefined ? 0 : this.#counts[term]!;
  }

  list(key: string): PostingList {
    const term = this.#terms.get(key);
    if (term === undefined) return EMPTY_LIST;
    const count = this.#counts[term]!;
    const numbers = new Int32Array(count);
    const weights = new Uint8Array(count);
    let start = this.#starts[term]!;
    let size = FIRST_SLICE;
    for (let done = 0; done < count; ) {
      const end = Math.min(count, done + size - 1);
      for (let slot = start; done < end; slot++, done++) {
        const posting = this.#slots[slot]!;
        numbers[done] = this.#numbers[posting >>> 8]!;
        weights[done] = posting & 255;
      }
      start = this.#slots[start + size - 1]!;
      size = sizeAfter(size);
    }
    return { numbers, weights };
  }

  #newTerm(key: string): number {
    const term = this.keys.length;
    this.#starts = reaching(this.#starts, term + 1);
    this.#places = reaching(this.#places, term + 1);
    this.#ends = reaching(this.#ends, term + 1);
    this.#counts = reaching(this.#counts, term + 1);
    this.#starts[term] = this.#newSlice(term, FIRST_SLICE);
    const copy = detached(key);
    this.#terms.set(copy, term);
    this.keys.push(copy);
    return term;
  }

  #newSlice(term: number, size: number): number {
    const start = this.#used;
    this.#used += size;
    this.#slots = reaching(this.#slots, this.#used);
    this.#places[term] = start;
    this.#ends[term] = start + size;
    return start;
  }

  #append(term: number, posting: number): void {
    let place = this.#places[term]!;
    const link = this.#ends[term]! - 1;
    if (place === link) {
      place = this.#newSlice(term, sizeOfSlice(this.#counts[term]!));
      this.#slots[link] = place;
    }
    this.#slots[place] = posting;
    this.#places[term] = place + 1;
    this.#counts[term]!++;
  }
}

const sizeAfter = (size: number): number => Math.min(size * 2, LARGEST_SLICE);

/** Of the slice that begins after so many postings. */
function sizeOfSlice(postings: number): number {
  let size = FIRST_SLICE;
  for (let before = size - 1; before < postings && size < LARGEST_SLICE; before += size - 1) size = sizeAfter(size);
  return sizeAfter(size);
}

function reaching(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Int32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
