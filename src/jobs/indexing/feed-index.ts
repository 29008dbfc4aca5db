// Applies the changes of the feed to the index. If several processes share the index, one of them does it at a time, and the
// others wait for it.
import { setTimeout as wait } from 'node:timers/promises';
import type { PageIndex } from '../../index/page-index.ts';
import type { Log } from '../../runtime/log.ts';
import type { IndexFeed } from '../../store/ports/pages/index-feed.ts';

export interface FeedIndexDeps {
  feed: IndexFeed;
  index: PageIndex;
  /** The name under which the index follows the feed, if there may be others. */
  consumer?: string;
  /** Present if several processes share the index. */
  turn?: {
    /** Takes or renews the right to feed it. False while another process has it. */
    take(): Promise<boolean>;
    /** Called while this process waits for the one that feeds it. */
    onWaiting(): void;
  };
  log: Pick<Log, 'warn'>;
}

const BATCH = 200;
const LOOK_MS = 250;
/** How much an index that takes the place of this one gets between two looks for news. */
const BATCHES_OF_NEXT = 5;

/**
 * Up to the newest change at the start: while a crawl runs, there is always another one. True while an index is being
 * filled that will take the place of this one.
 */
export async function feedIndex(deps: FeedIndexDeps, closing: AbortSignal, onApplied: () => void): Promise<boolean> {
  await feedServing(deps, closing, onApplied);
  return feedNext(deps, closing);
}

async function feedNext({ feed, index }: FeedIndexDeps, closing: AbortSignal): Promise<boolean> {
  for (let batches = 0; batches < BATCHES_OF_NEXT && !closing.aborted; batches += 1) {
    const applied = await index.appliedNext();
    if (applied === undefined) return false;
    await index.applyNext(await feed.after(applied, BATCH));
  }
  return !closing.aborted;
}

async function feedServing(deps: FeedIndexDeps, closing: AbortSignal, onApplied: () => void): Promise<void> {
  const { feed, index, consumer, turn } = deps;
  if (turn && !(await turn.take())) return waitForFeeder(deps, closing, onApplied);
  const { applied, newest } = await readPositions(deps);
  for (let last = applied; last < newest && !closing.aborted; ) {
    const changes = await feed.after(last, BATCH);
    if (changes.length === 0) return;
    // It took too long, and another process goes on by now.
    if (turn && !(await turn.take())) return waitForFeeder(deps, closing, onApplied);
    await index.apply(changes);
    last = changes.at(-1)!.change;
    await feed.acknowledge(last, consumer);
    onApplied();
  }
}

/** Goes on itself if the other one stops before it is done. */
async function waitForFeeder(deps: FeedIndexDeps, closing: AbortSignal, onApplied: () => void): Promise<void> {
  const { feed, consumer, turn } = deps;
  const { newest } = await feed.state(consumer);
  while (!closing.aborted) {
    const { acknowledged } = await feed.state(consumer);
    if (acknowledged >= newest) return;
    if (await turn!.take()) return feedServing(deps, closing, onApplied);
    turn!.onWaiting();
    await wait(LOOK_MS, undefined, { signal: closing }).catch(() => {});
  }
}

/**
 * Read on each run, because a damaged index starts over at 0. An index ahead of the store belongs to another store, or
 * to a later state of this one.
 */
async function readPositions({ feed, index, consumer, log }: FeedIndexDeps) {
  const applied = await index.applied();
  const { newest, dropped, acknowledged } = await feed.state(consumer);
  const startOver = async () => {
    // If this is interrupted, those who look at the feed have to see that there is more to do.
    if (acknowledged > 0) await feed.acknowledge(0, consumer);
    return { applied: 0, newest };
  };
  if (applied === 0) return startOver();
  if (applied <= newest && applied >= dropped) return { applied, newest };
  log.warn(applied > newest ? 'index ahead of the store, rebuilding it' : 'index has missed removals, rebuilding it');
  await index.clear();
  return startOver();
}
