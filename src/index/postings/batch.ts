// The new documents of one `add`, and how they are kept in a row of the tail until they are sealed. Terms are numbered
// through the whole tail: a row names only those that are new in it.
import type { NewDocument } from './postings.ts';
import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './varint.ts';

export interface BatchDocument {
  number: number;
  length: number;
  /** Their numbers in the tail, and the weight of each. */
  terms: Uint32Array;
  weights: Uint8Array;
}

export interface TailRow {
  /** How many terms were named in the rows before. */
  known: number;
  newKeys: readonly string[];
  documents: readonly BatchDocument[];
}

/** Whoever gives terms their numbers: the tail. */
interface TermNumbers {
  numbersOf(terms: NewDocument['terms']): Uint32Array;
}

export const batchOf = (documents: readonly NewDocument[], tail: TermNumbers): BatchDocument[] =>
  documents.map(({ number, length, terms }) => ({
    number,
    length,
    terms: tail.numbersOf(terms),
    weights: terms.weights,
  }));

export function encodeRow({ known, newKeys, documents }: TailRow): Uint8Array {
  const dictionary = Buffer.from(newKeys.join('\0'));
  const postings = documents.reduce((sum, { terms }) => sum + terms.length, 0);
  const head = 4 + documents.length * 3;
  const bytes = new Uint8Array(dictionary.length + head * MAX_VARINT_BYTES + postings * (MAX_VARINT_BYTES + 1));
  let at = writeVarint(bytes, 0, known);
  at = writeVarint(bytes, at, newKeys.length);
  at = writeVarint(bytes, at, dictionary.length);
  bytes.set(dictionary, at);
  at = writeVarint(bytes, at + dictionary.length, documents.length);
  let before = 0;
  for (const { number, length, terms, weights } of documents) {
    at = writeVarint(bytes, at, number - before);
    at = writeVarint(bytes, at, length);
    at = writeVarint(bytes, at, terms.length);
    for (let i = 0; i < terms.length; i++) {
      at = writeVarint(bytes, at, terms[i]!);
      bytes[at++] = weights[i]!;
    }
    before = number;
  }
  return bytes.subarray(0, at);
}

export function decodeRow(bytes: Uint8Array): TailRow {
  const reader = new VarintReader(bytes);
  const known = reader.next();
  const keyCount = reader.next();
  const dictionary = reader.text(reader.next());
  const documents: BatchDocument[] = [];
  let number = 0;
  for (let left = reader.next(); left > 0; left--) {
    number += reader.next();
    const length = reader.next();
    const count = reader.next();
    const terms = new Uint32Array(count);
    const weights = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      terms[i] = reader.next();
      weights[i] = reader.byte();
    }
    documents.push({ number, length, terms, weights });
  }
  return { known, newKeys: keyCount === 0 ? [] : dictionary.split('\0'), documents };
}
