// Port: changes for the index, in order. Each URL has one entry per owner, which gets a new number whenever it changes. Reading
// all entries from the start therefore rebuilds the index.
import type { IndexChange } from '../index/page-index.ts';

export interface FeedState {
  /** The highest number ever assigned. */
  newest: number;
  /** The last change that the index is known to have applied. */
  acknowledged: number;
}

export interface IndexFeed {
  state(): Promise<FeedState>;
  /** Changes after that number, oldest first: at most `limit`, and at most a few megabytes. */
  after(change: number, limit: number): Promise<IndexChange[]>;
  /** The index has applied everything up to that number, so removals up to there can be dropped. */
  acknowledge(change: number): Promise<void>;
}
