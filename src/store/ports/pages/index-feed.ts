// Port: changes for the index, in order. Each URL has one entry per owner, which gets a new number whenever it changes. Reading
// all entries from the start therefore rebuilds the index.
import type { IndexChange } from '../../../index/page-index.ts';

export interface FeedState {
  /** The highest number ever assigned. Everything that was stored before the call has this number or a lower one. */
  newest: number;
  /** The last change that the index is known to have applied. */
  acknowledged: number;
  /**
   * Removals up to this number may be gone. An index that has applied something, but less than this, has missed some and
   * must start over. 0 where the only index acknowledges nothing before it has it.
   */
  dropped: number;
}

/**
 * Several indexes may follow the feed under names of their own, such as one in each process. One that has not been heard of
 * for a day no longer counts. Stores with a single index ignore the name.
 */
export interface IndexFeed {
  /** Without a name, `acknowledged` is what all indexes have applied. */
  state(consumer?: string): Promise<FeedState>;
  /** Changes after that number, oldest first: at most `limit`, and at most a few megabytes. */
  after(change: number, limit: number): Promise<IndexChange[]>;
  /**
   * The index has applied everything up to that number, so removals up to there can be dropped. A lower number than before is
   * late and changes nothing, except for 0: the index starts over.
   */
  acknowledge(change: number, consumer?: string): Promise<void>;
}
