// The ranking part of the index: new documents in the tail, all others in segments, and one view of both for searches.
import type { Connection } from '../../sqlite/connection.ts';
import type { Postings, RankedWord } from '../postings.ts';
import { type Batch, batchOf, decodeBatch, encodeBatch } from './batch.ts';
import { Documents } from './documents.ts';
import { createListCache } from './list-cache.ts';
import { uniteLists } from './posting-list.ts';
import { type LoadedWord, Ranker } from './rank.ts';
import { SCHEMA } from './schema.ts';
import { createSegments } from './segments.ts';
import { Tail } from './tail.ts';
import { termKey } from './term-key.ts';
import { createTidy, type TidyOptions } from './tidy.ts';

export interface PostingsOptions extends TidyOptions {
  /** For decoded postings of words that are asked for often. */
  cacheBytes: number;
}

const DEFAULTS: PostingsOptions = { sealAt: 20_000, fanIn: 8, stepWork: 250, cacheBytes: 32 * 1024 * 1024 };

export function createPostings(connection: Connection, options: Partial<PostingsOptions> = {}): Postings {
  const settings = { ...DEFAULTS, ...options };
  for (const statement of SCHEMA) connection.prepare(statement).run();

  const documents = new Documents();
  const segments = createSegments(connection, documents);
  const tails = [new Tail()];
  const cache = createListCache(settings.cacheBytes);
  const ranker = new Ranker(documents);
  const insertTail = connection.prepare('INSERT INTO tail (lo, bytes) VALUES (?, ?)');
  const insertDead = connection.prepare('INSERT INTO dead (number) VALUES (?)');

  // What the transaction under way has changed; searches do not see it.
  let added: Batch[] = [];
  let fresh = new Set<number>();
  let removed = new Set<number>();
  let given = 0;

  const absorb = (batch: Batch) => {
    for (const { number, length } of batch.documents) documents.put(number, length);
    tails.at(-1)!.absorb(batch);
  };
  const bury = (number: number) => {
    if (!documents.remove(number)) return;
    const segment = segments.holding(number);
    if (segment) segment.dead += 1;
  };
  const forget = () => {
    added = [];
    fresh = new Set();
    removed = new Set();
    given = documents.last;
  };

  const tailRows = connection.prepare<{ lo: number; bytes: Uint8Array }>(
    'SELECT lo, bytes FROM tail WHERE lo > ? ORDER BY lo LIMIT 1',
  );
  for (let row = tailRows.get(segments.hi); row; row = tailRows.get(row.lo)) absorb(decodeBatch(row.bytes));
  for (const { number } of connection.prepare<{ number: number }>('SELECT number FROM dead').all()) bury(number);
  forget();

  const tidy = createTidy({ connection, documents, segments }, tails, () => cache.clear(), settings);

  const sealedWord = (keys: readonly string[]) => {
    const lists = keys.map((key) => segments.list(key));
    return { df: lists.reduce((sum, { numbers }) => sum + numbers.length, 0), list: uniteLists(lists) };
  };
  const load = ({ forms, weight }: RankedWord): LoadedWord => {
    const keys = [...new Set(forms)].map(termKey);
    const sealed = cache.get(keys.join('\0'), () => sealedWord(keys));
    let df = sealed.df;
    const lists = [sealed.list];
    for (const tail of tails) {
      for (const key of keys) df += tail.frequency(key);
      lists.push(uniteLists(keys.map((key) => tail.list(key))));
    }
    return { df, weight, lists };
  };

  return {
    get count() {
      return documents.living;
    },
    get last() {
      return given;
    },
    add(news) {
      if (news.length === 0) return;
      for (const { number } of news) {
        if (number <= given) throw new RangeError(`The document number ${number} is not above ${given}.`);
        given = number;
        fresh.add(number);
      }
      const batch = batchOf(news);
      insertTail.run(news[0]!.number, encodeBatch(batch));
      added.push(batch);
    },
    remove(number) {
      if (removed.has(number) || !(fresh.has(number) || documents.isLiving(number))) return;
      insertDead.run(number);
      removed.add(number);
    },
    committed() {
      for (const batch of added) absorb(batch);
      for (const number of removed) bury(number);
      forget();
    },
    rolledBack: forget,
    tidy,
    rank: ({ words, ...request }) => ranker.rank(words.map(load), request),
    frequency(term) {
      const key = termKey(term);
      return tails.reduce((sum, tail) => sum + tail.frequency(key), segments.frequency(key));
    },
  };
}
