// Many rows of postings in one row of the table: most terms are rare, and would take less than a row of their own does.
import type { PostingRow } from './posting-list.ts';
import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './varint.ts';

export interface PostingBlock {
  /** The first one. */
  term: string;
  bytes: Uint8Array;
}

/** Longer ones leave more of each page of the file empty, shorter ones take more rows. A longer row is a block by itself. */
const BLOCK_BYTES = 1_000;
/** The numbers before the term and the postings of a row. */
const NUMBERS = 8;

/** Puts rows together, which come in order of their terms. */
export class BlockPacker {
  #term = '';
  #bytes = new Uint8Array(BLOCK_BYTES);
  #length = 0;
  // In UTF-8, as terms are sorted in the file.
  #before = Buffer.alloc(0);

  /** Returns the block that is full without this row. */
  add(row: PostingRow): PostingBlock | undefined {
    const name = Buffer.from(row.term);
    const most = name.length + row.gaps.length + row.weights.length + NUMBERS * MAX_VARINT_BYTES;
    const full = this.#length > 0 && this.#length + most > BLOCK_BYTES ? this.take() : undefined;
    if (this.#length === 0) this.#begin(row.term, most);
    this.#length = this.#write(row, name);
    this.#before = name;
    return full;
  }

  /** The rows since the last block; undefined if there are none. */
  take(): PostingBlock | undefined {
    if (this.#length === 0) return undefined;
    const block = { term: this.#term, bytes: this.#bytes.slice(0, this.#length) };
    this.#length = 0;
    return block;
  }

  #begin(term: string, most: number): void {
    this.#term = term;
    this.#before = Buffer.alloc(0);
    if (most > this.#bytes.length) this.#bytes = new Uint8Array(most);
  }

  #write({ df, first, last, weight, gaps, weights }: PostingRow, name: Buffer): number {
    const bytes = this.#bytes;
    const shared = sharedLength(this.#before, name);
    let at = this.#length;
    for (const number of [shared, name.length - shared, df, first, last - first, weight, gaps.length])
      at = writeVarint(bytes, at, number);
    if (weight === 0) at = writeVarint(bytes, at, weights.length);
    bytes.set(name.subarray(shared), at);
    at += name.length - shared;
    bytes.set(gaps, at);
    bytes.set(weights, at + gaps.length);
    return at + gaps.length + weights.length;
  }
}

function sharedLength(before: Buffer, name: Buffer): number {
  const most = Math.min(before.length, name.length);
  let shared = 0;
  while (shared < most && before[shared] === name[shared]) shared += 1;
  return shared;
}

/** Reads the rows of a block one by one. */
export class BlockReader {
  readonly #reader: VarintReader;
  readonly #bytes: Uint8Array;
  #name = Buffer.alloc(64);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#reader = new VarintReader(bytes);
  }

  /** Undefined at the end. */
  next(): PostingRow | undefined {
    const head = this.#next();
    return head && rowOf(head, this.#nameOf(head).toString(), this.#bytes);
  }

  /** Call it on a block that has not been read. */
  find(term: string): PostingRow | undefined {
    const wanted = Buffer.from(term);
    // How many bytes at the start of the name before are those of the wanted one, which comes after it.
    let common = 0;
    for (let head = this.#next(); head; head = this.#next()) {
      const { shared, own, start } = head;
      if (shared < common) return undefined;
      if (shared > common) continue;
      while (common < wanted.length && common < shared + own && this.#bytes[start + common - shared] === wanted[common])
        common += 1;
      if (common === wanted.length && common === shared + own) return rowOf(head, term, this.#bytes);
    }
    return undefined;
  }

  #next(): RowHead | undefined {
    const reader = this.#reader;
    if (reader.isAtEnd) return undefined;
    const shared = reader.next();
    const own = reader.next();
    const df = reader.next();
    const first = reader.next();
    const last = first + reader.next();
    const weight = reader.next();
    const gaps = reader.next();
    const weights = weight === 0 ? reader.next() : 0;
    const start = reader.skip(own);
    reader.skip(gaps + weights);
    return { shared, own, start, df, first, last, weight, gaps, weights };
  }

  /** The first bytes of the name before, and its own. */
  #nameOf({ shared, own, start }: RowHead): Buffer {
    if (shared + own > this.#name.length) this.#name = Buffer.concat([this.#name], (shared + own) * 2);
    this.#name.set(this.#bytes.subarray(start, start + own), shared);
    return this.#name.subarray(0, shared + own);
  }
}

/** What comes before the postings of a row. */
interface RowHead extends Omit<PostingRow, 'term' | 'gaps' | 'weights'> {
  /** How many bytes the name shares with the one before, how many it has beyond them, and where these are. */
  shared: number;
  own: number;
  start: number;
  /** Lengths of what follows the name. */
  gaps: number;
  weights: number;
}

function rowOf(head: RowHead, term: string, bytes: Uint8Array): PostingRow {
  const { df, first, last, weight } = head;
  const start = head.start + head.own;
  const end = start + head.gaps;
  return {
    ...{ term, df, first, last, weight },
    gaps: bytes.subarray(start, end),
    weights: bytes.subarray(end, end + head.weights),
  };
}
