// Added and deleted docs: written in the caller's transaction, applied to memory after its commit.

import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { assert } from '../../util/assert.ts';
import { type BufferedBatch, type BufferedDoc, decodeBatch, encodeBatch, toBufferedDocs } from './buffered-batch.ts';
import type { DocTable } from './doc-table.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Segments } from './segments.ts';
import { WriteBuffer } from './write-buffer.ts';

/** Texts of links are not part of the text in which phrases are looked for. */
const NO_PAIRS = new Uint8Array(0);

export type PendingChanges = Pick<
  InvertedIndex,
  'lastDocId' | 'add' | 'remove' | 'canAmend' | 'amend' | 'committed' | 'rolledBack'
>;

export interface PendingChangesParts {
  connection: SqliteConnection;
  docs: DocTable;
  segments: Segments;
  /** New docs go into the last one. */
  buffers: WriteBuffer[];
}

/** Replays the write buffer and the deletions from their tables first. */
export function createPendingChanges(parts: PendingChangesParts): PendingChanges {
  const { connection, docs, segments, buffers } = parts;
  const insertBatch = connection.prepare('INSERT INTO tail (lo, bytes) VALUES (?, ?)');
  const insertAmended = connection.prepare('INSERT INTO amended (doc, bytes) VALUES (?, ?)');
  const insertDeleted = connection.prepare('INSERT INTO dead (number) VALUES (?)');

  // Changes of the current transaction.
  let addedDocs: BufferedDoc[] = [];
  let amendedDocs: BufferedDoc[] = [];
  let loggedKeys = 0;
  let added = new Set<number>();
  let removed = new Set<number>();
  let last = 0;

  const applyDocs = (batch: readonly BufferedDoc[]) => {
    for (const { docId, length } of batch) docs.put(docId, length);
    buffers.at(-1)!.append(batch);
  };
  const replay = ({ knownKeys, newKeys, docs: batch }: BufferedBatch) => {
    // A new buffer started here, before the previous one was fully flushed.
    if (knownKeys === 0 && buffers.at(-1)!.docs > 0) buffers.push(new WriteBuffer());
    const buffer = buffers.at(-1)!;
    for (const key of newKeys) buffer.termIdOf(key);
    buffer.loggedKeys = buffer.keys.length;
    applyDocs(batch);
  };
  const applyAmended = (doc: BufferedDoc) => {
    buffers.find((buffer) => buffer.has(doc.docId))!.amend(doc);
    docs.lengthen(doc.docId, doc.length);
  };
  const canAmend = (docId: number) => buffers.at(-1)!.has(docId) && docs.isLive(docId) && !removed.has(docId);
  const markDeleted = (docId: number) => {
    const segment = docs.remove(docId) ? segments.segmentOf(docId) : undefined;
    if (segment) segment.deleted += 1;
  };
  const reset = () => {
    addedDocs = [];
    amendedDocs = [];
    loggedKeys = buffers.at(-1)!.loggedKeys;
    added = new Set();
    removed = new Set();
    last = docs.lastId;
  };

  for (const row of rowsAfter(connection, segments.hi)) replay(row);
  for (const doc of amendedAfter(connection, segments.hi, buffers)) applyAmended(doc);
  for (const { docId } of connection.prepare<{ docId: number }>('SELECT number AS docId FROM dead').all())
    markDeleted(docId);
  reset();

  return {
    get lastDocId() {
      return last;
    },
    add(newDocs) {
      if (newDocs.length === 0) return;
      for (const { docId } of newDocs) {
        assert(docId > last, `Doc id ${docId} is not above the last one, ${last}.`);
        last = docId;
        added.add(docId);
      }
      const buffer = buffers.at(-1)!;
      // A new buffer may have started since the last transaction.
      if (addedDocs.length === 0) loggedKeys = buffer.loggedKeys;
      const batch = toBufferedDocs(newDocs, buffer);
      const row = { knownKeys: loggedKeys, newKeys: buffer.keys.slice(loggedKeys), docs: batch };
      insertBatch.run(newDocs[0]!.docId, encodeBatch(row));
      loggedKeys = buffer.keys.length;
      for (const doc of batch) addedDocs.push(doc);
    },
    remove(docId) {
      if (removed.has(docId) || !(added.has(docId) || docs.isLive(docId))) return;
      insertDeleted.run(docId);
      removed.add(docId);
    },
    canAmend,
    amend({ docId, length, terms }) {
      assert(canAmend(docId), `Doc ${docId} is not in the write buffer.`);
      const buffer = buffers.at(-1)!;
      const doc = { docId, length, terms: buffer.termIdsOf(terms), weights: terms.weights, pairs: NO_PAIRS };
      insertAmended.run(docId, encodeAmended(doc, buffer.keys));
      amendedDocs.push(doc);
    },
    committed() {
      if (addedDocs.length > 0) buffers.at(-1)!.loggedKeys = loggedKeys;
      applyDocs(addedDocs);
      for (const doc of amendedDocs) applyAmended(doc);
      for (const docId of removed) markDeleted(docId);
      reset();
    },
    rolledBack: reset,
  };
}

/** Batches not yet flushed to a segment. One row at a time, since together they may be large. */
function* rowsAfter(connection: SqliteConnection, flushed: number): Generator<BufferedBatch> {
  const next = connection.prepare<{ lo: number; bytes: Uint8Array }>(
    'SELECT lo, bytes FROM tail WHERE lo > ? ORDER BY lo LIMIT 1',
  );
  for (let row = next.get(flushed); row; row = next.get(row.lo)) yield decodeBatch(row.bytes);
}

/** A row names its terms itself, because no order among it and the rows of `tail` is saved. */
const encodeAmended = ({ docId, length, terms, weights }: BufferedDoc, keys: readonly string[]): Uint8Array =>
  encodeBatch({
    knownKeys: 0,
    newKeys: Array.from(terms, (termId) => keys[termId]!),
    docs: [{ docId, length, terms: terms.map((_, at) => at), weights, pairs: NO_PAIRS }],
  });

/** Amendments of docs not yet flushed. */
function* amendedAfter(
  connection: SqliteConnection,
  flushed: number,
  buffers: readonly WriteBuffer[],
): Generator<BufferedDoc> {
  const rows = connection.prepare<{ bytes: Uint8Array }>('SELECT bytes FROM amended WHERE doc > ? ORDER BY seq');
  for (const { bytes } of rows.all(flushed)) {
    const { newKeys, docs } = decodeBatch(bytes);
    for (const doc of docs) {
      const buffer = buffers.find((one) => one.has(doc.docId))!;
      yield { ...doc, terms: Uint32Array.from(newKeys, (key) => buffer.termIdOf(key)) };
    }
  }
}
