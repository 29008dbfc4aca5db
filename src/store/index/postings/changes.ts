// New and removed documents: written in the caller's transaction, and taken over into memory when that has ended well.
import type { Connection } from '../../sqlite/connection.ts';
import type { Postings } from '../postings.ts';
import { type Batch, batchOf, decodeBatch, encodeBatch } from './batch.ts';
import type { Documents } from './documents.ts';
import type { Segments } from './segments.ts';
import type { Tail } from './tail.ts';

export type Changes = Pick<Postings, 'last' | 'add' | 'remove' | 'committed' | 'rolledBack'>;

export interface ChangedParts {
  connection: Connection;
  documents: Documents;
  segments: Segments;
  /** New documents go into the last of them. */
  tails: readonly Tail[];
}

/** Reads at once what is in the tail and among the dead. */
export function createChanges(parts: ChangedParts): Changes {
  const { connection, documents, segments, tails } = parts;
  const insertTail = connection.prepare('INSERT INTO tail (lo, bytes) VALUES (?, ?)');
  const insertDead = connection.prepare('INSERT INTO dead (number) VALUES (?)');

  // Of the transaction under way.
  let batches: Batch[] = [];
  let added = new Set<number>();
  let removed = new Set<number>();
  let last = 0;

  const absorb = (batch: Batch) => {
    for (const { number, length } of batch.documents) documents.put(number, length);
    tails.at(-1)!.absorb(batch);
  };
  const bury = (number: number) => {
    const segment = documents.remove(number) ? segments.holding(number) : undefined;
    if (segment) segment.dead += 1;
  };
  const forget = () => {
    batches = [];
    added = new Set();
    removed = new Set();
    last = documents.last;
  };

  for (const batch of batchesAfter(connection, segments.hi)) absorb(batch);
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
      const batch = batchOf(news);
      insertTail.run(news[0]!.number, encodeBatch(batch));
      batches.push(batch);
    },
    remove(number) {
      if (removed.has(number) || !(added.has(number) || documents.isLiving(number))) return;
      insertDead.run(number);
      removed.add(number);
    },
    committed() {
      for (const batch of batches) absorb(batch);
      for (const number of removed) bury(number);
      forget();
    },
    rolledBack: forget,
  };
}

/** What is not above the segments was sealed. One row at a time: together they may be large. */
function* batchesAfter(connection: Connection, sealed: number): Generator<Batch> {
  const next = connection.prepare<{ lo: number; bytes: Uint8Array }>(
    'SELECT lo, bytes FROM tail WHERE lo > ? ORDER BY lo LIMIT 1',
  );
  for (let row = next.get(sealed); row; row = next.get(row.lo)) yield decodeBatch(row.bytes);
}
