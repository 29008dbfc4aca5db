// Port: what the index has to know, in order. Each address has one entry, which gets a new number whenever it changes;
// reading all of them from the beginning therefore builds the index anew.
import type { IndexChange } from '../index/page-index.ts';

export interface FeedState {
  /** The highest number that was ever given. */
  newest: number;
  /** What the index was last known to have. */
  acknowledged: number;
}

export interface IndexFeed {
  state(): Promise<FeedState>;
  /** The changes after that number, oldest first: at most `limit` of them, and no more than a few megabytes. */
  after(change: number, limit: number): Promise<IndexChange[]>;
  /** The index has everything up to that number: what it was told to forget is forgotten here, too. */
  acknowledge(change: number): Promise<void>;
}
