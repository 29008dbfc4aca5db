// New and removed documents: written in the caller's transaction, and taken over into memory when that has ended well.
import type { Connection } from '../../store/sqlite/connection.ts';
import { type BatchDocument, batchOf, decodeRow, encodeRow, type TailRow } from './batch.ts';
import type { Documents } from './documents.ts';
import type { Postings } from './postings.ts';
import type { Segments } from './segments.ts';
import { Tail } from './tail.ts';

export type Changes = Pick<Postings, 'last' | 'add' | 'remove' | 'committed' | 'rolledBack'>;

export interface ChangedParts {
  connection: Connection;
  documents: Documents;
  segments: Segments;
  /** New documents go into the last of them. */
  tails: Tail[];
}

/** Reads at once what is in the tail and among the dead. */
export function createChanges(parts: ChangedParts): Changes {
  const { connection, documents, segments, tails } = parts;
  const insertTail = connection.prepare('INSERT INTO tail (lo, bytes) VALUES (?, ?)');
  const insertDead = connection.prepare('INSERT INTO dead (number) VALUES (?)');

  // Of the transaction under way.
  let documentsAdded: BatchDocument[] = [];
  let keysWritten = 0;
  let added = new Set<number>();
  let removed = new Set<number>();
  let last = 0;

  const absorb = (batch: readonly BatchDocument[]) => {
    for (const { number, length } of batch) documents.put(number, length);
    tails.at(-1)!.absorb(batch);
  };
  const replay = ({ known, newKeys, documents: batch }: TailRow) => {
    // Here a new tail was begun, and the one before was not sealed in full.
    if (known === 0 && tails.at(-1)!.documents > 0) tails.push(new Tail());
    const tail = tails.at(-1)!;
    for (const key of newKeys) tail.numberOfKey(key);
    tail.keysWritten = tail.keys.length;
    absorb(batch);
  };
  const bury = (number: number) => {
    const segment = documents.remove(number) ? segments.holding(number) : undefined;
    if (segment) segment.dead += 1;
  };
  const forget = () => {
    documentsAdded = [];
    keysWritten = tails.at(-1)!.keysWritten;
    added = new Set();
    removed = new Set();
    last = documents.last;
  };

  for (const row of rowsAfter(connection, segments.hi)) replay(row);
  for (const { number } of connection.prepare<{ number: number }>('SELECT number FROM dead').all()) bury(number);
  forget();

  return {
    get last() {
      return last;
    },
    add(news) {
      if (news.length === 0) return;
      for (const { number } of news) {
        if (number <= last) throw new RangeError(`The document number ${number} is not above ${last}.`);
        last = number;
        added.add(number);
      }
      const tail = tails.at(-1)!;
      // Another tail may have been begun since the last transaction.
      if (documentsAdded.length === 0) keysWritten = tail.keysWritten;
      const batch = batchOf(news, tail);
      const row = { known: keysWritten, newKeys: tail.keys.slice(keysWritten), documents: batch };
      insertTail.run(news[0]!.number, encodeRow(row));
      keysWritten = tail.keys.length;
      for (const document of batch) documentsAdded.push(document);
    },
    remove(number) {
      if (removed.has(number) || !(added.has(number) || documents.isLiving(number))) return;
      insertDead.run(number);
      removed.add(number);
    },
    committed() {
      if (documentsAdded.length > 0) tails.at(-1)!.keysWritten = keysWritten;
      absorb(documentsAdded);
      for (const number of removed) bury(number);
      forget();
    },
    rolledBack: forget,
  };
}

/** What is not above the segments was sealed. One row at a time: together they may be large. */
function* rowsAfter(connection: Connection, sealed: number): Generator<TailRow> {
  const next = connection.prepare<{ lo: number; bytes: Uint8Array }>(
    'SELECT lo, bytes FROM tail WHERE lo > ? ORDER BY lo LIMIT 1',
  );
  for (let row = next.get(sealed); row; row = next.get(row.lo)) yield decodeRow(row.bytes);
}
