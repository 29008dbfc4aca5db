// What is measured as an index: pages go in, questions are answered, all in one thread of its own.
import type { IndexChange } from '../../src/index/page-index.ts';
import type { BenchQuery } from './index-queries.ts';

export interface IndexEngine {
  apply(changes: IndexChange[]): Promise<void>;
  /** Gives the number of hits. */
  ask(query: BenchQuery): Promise<number>;
  close(): Promise<void>;
}

/** What the module of an engine exports as `open`. */
export type OpenEngine = (file: string) => Promise<IndexEngine>;

export const HITS = 10;
