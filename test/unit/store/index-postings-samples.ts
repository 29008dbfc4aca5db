// Small indexes to rank in, and documents for them.
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { createPostings, type PostingsOptions } from '../../../src/index/postings/create.ts';
import type { NewDocument, Postings, RankRequest } from '../../../src/index/postings/postings.ts';
import { type Connection, createConnection } from '../../../src/store/sqlite/connection.ts';

export interface Opened {
  database: DatabaseSync;
  connection: Connection;
  postings: Postings;
}

export function open(t: TestContext, options: Partial<PostingsOptions> = {}, file = ':memory:'): Opened {
  const database = new DatabaseSync(file);
  t.after(() => database.isOpen && database.close());
  const connection = createConnection(database);
  return { database, connection, postings: createPostings(connection, options) };
}

/** As a document is easily written down. */
export interface SampleDocument extends Omit<NewDocument, 'terms'> {
  /** Each term with its weighted count. */
  terms: ReadonlyMap<string, number>;
}

export const newDocument = ({ terms, ...rest }: SampleDocument): NewDocument => ({
  ...rest,
  terms: {
    vocabulary: [...terms.keys()],
    numbers: Uint32Array.from(terms.keys(), (_, i) => i),
    weights: Uint8Array.from(terms.values()),
  },
});

/** A document of these words, each as often as it stands there. */
export function documentOf(number: number, text: string): SampleDocument {
  const words = text.split(' ').filter(Boolean);
  const terms = new Map<string, number>();
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { number, terms, length: words.length };
}

export function add({ connection, postings }: Opened, ...documents: SampleDocument[]): void {
  connection.transaction(() => postings.add(documents.map(newDocument)));
  postings.committed();
}

export function remove({ connection, postings }: Opened, ...numbers: number[]): void {
  connection.transaction(() => {
    for (const number of numbers) postings.remove(number);
  });
  postings.committed();
}

export function tidyAll({ postings }: Opened): void {
  while (postings.tidy());
}

export const request = (words: string, more: Partial<RankRequest> = {}): RankRequest => ({
  words: words.split(' ').map((word) => ({ forms: word.split('|'), weight: 1 })),
  depth: 10,
  ...more,
});

export const numbersFor = ({ postings }: Opened, words: string, more: Partial<RankRequest> = {}): number[] =>
  postings.rank(request(words, more)).hits.map(({ number }) => number);

export const countRows = ({ database }: Opened, table: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n);
