// State and length of each doc, in arrays indexed by doc id.
import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './postings/varint.ts';

/** Never existed, or purged. */
export const ABSENT = 0;
export const LIVE = 1;
/** Deleted, but its postings still exist. */
export const DELETED = 2;
/** Deleted, and left out of the segment being written. */
export const PURGING = 3;

const MIN_CAPACITY = 1024;

export class DocTable {
  states = new Uint8Array(MIN_CAPACITY);
  lengths = new Int32Array(MIN_CAPACITY);
  live = 0;
  /** Includes deleted docs that are not purged, as document frequencies do. */
  total = 0;
  totalLength = 0;
  /** The highest id ever used. */
  lastId = 0;

  /** All ids are below it. */
  get capacity(): number {
    return this.states.length;
  }

  put(docId: number, length: number): void {
    this.reach(docId);
    this.states[docId] = LIVE;
    this.lengths[docId] = length;
    this.live += 1;
    this.total += 1;
    this.totalLength += length;
  }

  /** Makes room for `docId`, whether or not that doc still exists. */
  reach(docId: number): void {
    if (docId > this.lastId) this.lastId = docId;
    if (docId < this.capacity) return;
    const capacity = Math.max(docId + 1, Math.ceil(this.capacity * 1.5));
    const { states, lengths } = this;
    this.states = new Uint8Array(capacity);
    this.states.set(states);
    this.lengths = new Int32Array(capacity);
    this.lengths.set(lengths);
  }

  /** Adds terms to a doc. */
  lengthen(docId: number, length: number): void {
    this.lengths[docId]! += length;
    this.totalLength += length;
  }

  isLive(docId: number): boolean {
    return this.states[docId] === LIVE;
  }

  /** Returns whether the doc was live. */
  remove(docId: number): boolean {
    if (!this.isLive(docId)) return false;
    this.states[docId] = DELETED;
    this.live -= 1;
    return true;
  }

  idsWith(state: number, lo: number, hi: number): number[] {
    const found: number[] = [];
    for (let docId = lo; docId <= hi; docId++) if (this.states[docId] === state) found.push(docId);
    return found;
  }

  setState(docIds: readonly number[], state: number): void {
    for (const docId of docIds) this.states[docId] = state;
  }

  purge(docIds: readonly number[]): void {
    for (const docId of docIds) this.totalLength -= this.lengths[docId]!;
    this.total -= docIds.length;
    this.setState(docIds, ABSENT);
  }

  /** The lengths of the docs that stay, for the row of a segment. */
  packLengths(lo: number, hi: number): { bytes: Uint8Array; docs: number } {
    const stays = (docId: number) => this.states[docId] === LIVE || this.states[docId] === DELETED;
    let docs = 0;
    for (let docId = lo; docId <= hi; docId++) if (stays(docId)) docs += 1;
    const bytes = new Uint8Array(docs * 2 * MAX_VARINT_BYTES);
    let at = 0;
    let before = lo;
    for (let docId = lo; docId <= hi; docId++) {
      if (!stays(docId)) continue;
      at = writeVarint(bytes, at, docId - before);
      at = writeVarint(bytes, at, this.lengths[docId]!);
      before = docId;
    }
    return { bytes: bytes.subarray(0, at), docs };
  }

  /** Restores the docs of a segment and returns their number. */
  putPacked(lo: number, hi: number, bytes: Uint8Array): number {
    this.reach(hi);
    const reader = new VarintReader(bytes);
    let docId = lo;
    let docs = 0;
    while (!reader.isAtEnd) {
      docId += reader.next();
      this.put(docId, reader.next());
      docs += 1;
    }
    return docs;
  }
}
