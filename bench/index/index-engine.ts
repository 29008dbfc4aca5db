// An index under test: it takes pages and answers queries in one thread of its own.
import type { IndexChange } from '../../src/index/page-index.ts';
import type { BenchQuery } from './index-queries.ts';

export interface IndexEngine {
  apply(changes: IndexChange[]): Promise<void>;
  /** Returns the number of hits. */
  ask(query: BenchQuery): Promise<number>;
  close(): Promise<void>;
}

/** Exported as `open` by the module of each engine. */
export type OpenEngine = (file: string) => Promise<IndexEngine>;

export const HITS = 10;
