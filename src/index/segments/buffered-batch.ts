// The new docs of one `add`, and their encoding as a row of the table `tail`, which restores the write buffer after a
// restart. Term ids are valid for the whole buffer: a row names only the terms that are new in it.
import type { NewDoc } from './inverted-index.ts';
import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './postings/varint.ts';
import { decodeWeights, encodeWeights } from './postings/weight-runs.ts';

export interface BufferedDoc {
  docId: number;
  length: number;
  /** Term ids in the buffer, and the weight of each. */
  terms: Uint32Array;
  weights: Uint8Array;
  pairs: Uint8Array;
}

export interface BufferedBatch {
  /** How many terms earlier rows have named. */
  knownKeys: number;
  newKeys: readonly string[];
  docs: readonly BufferedDoc[];
}

/** For a batch, and for each doc in it. */
const NUMBERS = 4;
const NUMBERS_OF_DOC = 5;

/** Assigns term ids; implemented by the write buffer. */
interface TermIds {
  termIdsOf(terms: NewDoc['terms']): Uint32Array;
}

export const toBufferedDocs = (docs: readonly NewDoc[], buffer: TermIds): BufferedDoc[] =>
  docs.map(({ docId, length, terms, pairs }) => ({
    docId,
    length,
    terms: buffer.termIdsOf(terms),
    weights: terms.weights,
    pairs,
  }));

export function encodeBatch({ knownKeys: known, newKeys, docs }: BufferedBatch): Uint8Array {
  const dictionary = Buffer.from(newKeys.join('\0'));
  const own = docs.map((doc) => ({ ...doc, weights: encodeWeights(doc.weights) }));
  const length = own.reduce(
    (sum, { terms, weights, pairs }) =>
      sum + (NUMBERS_OF_DOC + terms.length) * MAX_VARINT_BYTES + weights.length + pairs.length,
    NUMBERS * MAX_VARINT_BYTES + dictionary.length,
  );
  const bytes = new Uint8Array(length);
  let at = writeVarint(bytes, 0, known);
  at = writeVarint(bytes, at, newKeys.length);
  at = writeVarint(bytes, at, dictionary.length);
  bytes.set(dictionary, at);
  at = writeVarint(bytes, at + dictionary.length, docs.length);
  let before = 0;
  for (const { docId, length, terms, weights, pairs } of own) {
    at = writeVarint(bytes, at, docId - before);
    at = writeVarint(bytes, at, length);
    at = writeVarint(bytes, at, terms.length);
    for (const term of terms) at = writeVarint(bytes, at, term);
    for (const part of [weights, pairs]) {
      at = writeVarint(bytes, at, part.length);
      bytes.set(part, at);
      at += part.length;
    }
    before = docId;
  }
  return bytes.subarray(0, at);
}

export function decodeBatch(bytes: Uint8Array): BufferedBatch {
  const reader = new VarintReader(bytes);
  const known = reader.next();
  const keyCount = reader.next();
  const dictionary = reader.text(reader.next());
  const docs: BufferedDoc[] = [];
  let docId = 0;
  for (let left = reader.next(); left > 0; left--) {
    docId += reader.next();
    const length = reader.next();
    const count = reader.next();
    const terms = new Uint32Array(count);
    const weights = new Uint8Array(count);
    for (let i = 0; i < count; i++) terms[i] = reader.next();
    decodeWeights(reader.bytes(reader.next()), weights, 0);
    docs.push({ docId, length, terms, weights, pairs: reader.bytes(reader.next()) });
  }
  return { knownKeys: known, newKeys: keyCount === 0 ? [] : dictionary.split('\0'), docs };
}
