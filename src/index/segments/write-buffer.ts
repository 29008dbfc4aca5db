// Docs that are in no segment yet, in memory. The postings of all terms share one array: each term has a chain of
// slices that double in size, so rare terms take little space and common ones are read in long runs.

import { MAX_WEIGHT } from '../ranking/bm25.ts';
import { Amendments } from './amendments.ts';
import type { BufferedDoc } from './buffered-batch.ts';
import type { CountedTerms } from './inverted-index.ts';
import { BufferedPairs } from './pairs/buffered-pairs.ts';
import { hasPairs } from './pairs/packed-pairs.ts';
import { EMPTY_LIST, type PostingList } from './postings/posting-list.ts';
import { detached, termKey } from './postings/term-key.ts';

// The last slot of a slice holds the start of the next one.
const FIRST_SLICE = 2;
const LARGEST_SLICE = 1024;

// The fields of a chain lie together, since terms arrive in random order: start of the first slice, position of the
// next posting, last slot of the current slice, number of postings.
const CHAIN = 4;
const START = 0;
const NEXT = 1;
const LINK = 2;
const COUNT = 3;

export class WriteBuffer {
  docs = 0;
  postings = 0;
  lo = 0;
  hi = 0;
  /** Term keys by term id, in order of arrival. */
  readonly keys: string[] = [];
  /** How many keys the rows of the table `tail` have named. */
  loggedKeys = 0;
  readonly #terms = new Map<string, number>();
  // Maps ids of the last used vocabulary to term ids plus 1.
  #vocabulary: readonly string[] = [];
  #translated = new Int32Array(1024);
  #docIds = new Int32Array(1024);
  #chains = new Int32Array(4096);
  // A posting: the position of the doc in the buffer, and the weight in the low eight bits.
  #slots = new Int32Array(4096);
  #used = 0;
  readonly #amendments = new Amendments();
  readonly #pairs = new BufferedPairs();

  /** Doc ids must ascend from batch to batch. */
  append(docs: readonly BufferedDoc[]): void {
    if (docs.length === 0) return;
    const chains = this.#chains;
    this.#docIds = grown(this.#docIds, this.docs + docs.length);
    if (this.docs === 0) this.lo = docs[0]!.docId;
    this.hi = docs.at(-1)!.docId;
    for (const { docId, terms, weights, pairs } of docs) {
      this.#pairs.add(pairs);
      const base = this.docs << 8;
      this.#docIds[this.docs++] = docId;
      this.postings += terms.length;
      let slots = this.#slots;
      for (let i = 0; i < terms.length; i++) {
        const chain = terms[i]! * CHAIN;
        let slot = chains[chain + NEXT]!;
        if (slot === chains[chain + LINK]) {
          slot = this.#extend(chain);
          slots = this.#slots;
        }
        slots[slot] = base | weights[i]!;
        chains[chain + NEXT] = slot + 1;
        chains[chain + COUNT]!++;
      }
    }
  }

  /** New terms get an id, whether or not a doc with them follows. */
  termIdsOf({ vocabulary, termIds: vocabularyIds }: CountedTerms): Uint32Array {
    if (vocabulary !== this.#vocabulary) {
      this.#vocabulary = vocabulary;
      this.#translated.fill(0);
    }
    this.#translated = grown(this.#translated, vocabulary.length);
    const translated = this.#translated;
    const termIds = new Uint32Array(vocabularyIds.length);
    for (let i = 0; i < vocabularyIds.length; i++) {
      const id = vocabularyIds[i]!;
      if (translated[id] === 0) translated[id] = this.termIdOf(termKey(vocabulary[id]!)) + 1;
      termIds[i] = translated[id]! - 1;
    }
    return termIds;
  }

  termIdOf(key: string): number {
    const known = this.#terms.get(key);
    if (known !== undefined) return known;
    const termId = this.keys.length;
    const copy = detached(key);
    this.#terms.set(copy, termId);
    this.keys.push(copy);
    this.#chains = grown(this.#chains, (termId + 1) * CHAIN);
    return termId;
  }

  has(docId: number): boolean {
    return this.docs > 0 && this.lo <= docId && docId <= this.hi;
  }

  /** Whether a doc of this buffer has all of these pairs, which ascend. */
  hasPairs(docId: number, hashes: readonly number[]): boolean {
    return hasPairs(this.#pairs.of(lowerBound(this.#docIds, this.docs, docId)), hashes);
  }

  eachDoc(visit: (docId: number, pairs: Uint8Array) => void): void {
    for (let position = 0; position < this.docs; position++) visit(this.#docIds[position]!, this.#pairs.of(position));
  }

  /** Adds occurrences to a doc of this buffer. */
  amend({ docId, terms, weights }: BufferedDoc): void {
    const position = lowerBound(this.#docIds, this.docs, docId);
    for (let i = 0; i < terms.length; i++) {
      const termId = terms[i]!;
      const known = this.#amendments.weight(termId, position) ?? this.#weightInChain(termId, position);
      const isNewDoc = known === 0;
      if (isNewDoc) this.postings += 1;
      this.#amendments.set(termId, position, Math.min(MAX_WEIGHT, known + weights[i]!), isNewDoc);
    }
  }

  docFrequency(key: string): number {
    const termId = this.#terms.get(key);
    return termId === undefined ? 0 : this.#chains[termId * CHAIN + COUNT]! + this.#amendments.newDocs(termId);
  }

  /** Keys with a prefix and how many docs have them. */
  keysStarting(prefix: string): { key: string; df: number }[] {
    return this.keys.filter((key) => key.startsWith(prefix)).map((key) => ({ key, df: this.docFrequency(key) }));
  }

  list(key: string): PostingList {
    const termId = this.#terms.get(key);
    if (termId === undefined) return EMPTY_LIST;
    const postings = this.#amendments.applied(termId, this.#chain(termId));
    const docIds = new Int32Array(postings.length);
    const weights = new Uint8Array(postings.length);
    for (let i = 0; i < postings.length; i++) {
      docIds[i] = this.#docIds[postings[i]! >>> 8]!;
      weights[i] = postings[i]! & 255;
    }
    return { docIds, weights };
  }

  /** The postings in the chain of a term. */
  #chain(termId: number): Int32Array {
    const chain = termId * CHAIN;
    const slots = this.#slots;
    const count = this.#chains[chain + COUNT]!;
    const postings = new Int32Array(count);
    let start = this.#chains[chain + START]!;
    let size = FIRST_SLICE;
    for (let done = 0; done < count; ) {
      const end = Math.min(count, done + size - 1);
      for (let slot = start; done < end; slot++, done++) postings[done] = slots[slot]!;
      start = slots[start + size - 1]!;
      size = sizeAfter(size);
    }
    return postings;
  }

  #weightInChain(termId: number, position: number): number {
    const postings = this.#chain(termId);
    const posting = postings[lowerBound(postings, postings.length, position << 8)] ?? 0;
    return posting >>> 8 === position ? posting & 255 : 0;
  }

  #newSlice(chain: number, size: number): number {
    const start = this.#used;
    this.#used += size;
    this.#slots = grown(this.#slots, this.#used);
    this.#chains[chain + NEXT] = start;
    this.#chains[chain + LINK] = start + size - 1;
    return start;
  }

  #extend(chain: number): number {
    const link = this.#chains[chain + LINK]!;
    const count = this.#chains[chain + COUNT]!;
    const start = this.#newSlice(chain, sizeOfSlice(count));
    if (count === 0) this.#chains[chain + START] = start;
    else this.#slots[link] = start;
    return start;
  }
}

/** The index of the first of `count` ascending values that is not below `wanted`. */
function lowerBound(values: Int32Array, count: number, wanted: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sizeAfter = (size: number): number => Math.min(size * 2, LARGEST_SLICE);

/** Size of the slice that starts after this many postings. */
function sizeOfSlice(postings: number): number {
  let size = FIRST_SLICE;
  for (let before = 0; before < postings && size < LARGEST_SLICE; size = sizeAfter(size)) before += size - 1;
  return size;
}

function grown(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Int32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
