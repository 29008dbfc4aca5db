// The index follows the store: what was written is taken in, in order, whatever fails on the way.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexChange, PageIndex } from '../../../src/index/page-index.ts';
import { createIndexer, type Indexer } from '../../../src/jobs/indexer.ts';
import type { IndexFeed } from '../../../src/store/index-feed.ts';

interface Stage {
  indexer: Indexer;
  /** As a transaction of the store would. */
  write(...urls: string[]): void;
  /** What can be found. */
  known(): string[];
  settled(): number;
  /** Called with each batch, before it is taken in. */
  onApply(step: (changes: IndexChange[]) => void | Promise<void>): void;
  /** Called before the list is read. */
  onLook(step: () => Promise<void>): void;
  /** What a damaged file does: everything is gone, and the number with it. */
  forget(): void;
  counts: { applied: number; cleared: number; warnings: number; errors: number };
}

const never = new AbortController().signal;

/** A store and an index as far as the port goes, in memory. */
function openStage(context: TestContext, { applied = 0 } = {}): Stage {
  const changes: IndexChange[] = [];
  const pages = new Set<string>();
  const counts = { applied: 0, cleared: 0, warnings: 0, errors: 0 };
  let last = applied;
  let settled = 0;
  let step: (changes: IndexChange[]) => void | Promise<void> = () => {};
  let look = async () => {};
  const feed: IndexFeed = {
    state: async () => ({ newest: changes.length, acknowledged: settled }),
    after: async (change, limit) => {
      await look();
      return changes.slice(change, change + limit);
    },
    acknowledge: async (change) => {
      settled = change;
    },
  };
  const index = {
    async applied() {
      counts.applied += 1;
      return last;
    },
    async apply(given: IndexChange[]) {
      await step(given);
      assert.equal(given[0]!.change, last + 1, 'nothing is passed over');
      for (const { url } of given) pages.add(url);
      last = given.at(-1)!.change;
    },
    async clear() {
      counts.cleared += 1;
      last = 0;
      pages.clear();
    },
  } as unknown as PageIndex;
  const log = {
    warn: () => void counts.warnings++,
    error: () => void counts.errors++,
  } as unknown as Parameters<typeof createIndexer>[0]['log'];
  const indexer = createIndexer({ feed, index, log });
  context.after(() => indexer.close());
  return {
    indexer,
    write(...urls) {
      for (const url of urls) changes.push({ change: changes.length + 1, url, firstSeenAt: 0, entry: null });
      indexer.wake();
    },
    known: () => [...pages],
    settled: () => settled,
    onApply(next) {
      step = next;
    },
    onLook(next) {
      look = next;
    },
    forget() {
      last = 0;
      pages.clear();
    },
    counts,
  };
}

test('a search that comes after a change finds it', async (context) => {
  const stage = openStage(context);
  stage.write('a', 'b');
  await stage.indexer.refresh(5_000, never);
  assert.deepEqual(stage.known(), ['a', 'b']);
  assert.equal(stage.settled(), 2);
});

test('a search with nothing new asks nobody', async (context) => {
  const stage = openStage(context);
  await stage.indexer.refresh(5_000, never);
  const { applied } = stage.counts;
  await stage.indexer.refresh(5_000, never);
  assert.equal(stage.counts.applied, applied);
});

test('a search does not wait for long, and what was late comes all the same', async (context) => {
  const stage = openStage(context);
  const open = Promise.withResolvers<void>();
  stage.onApply(() => open.promise);
  stage.write('a');
  await stage.indexer.refresh(10, never);
  assert.deepEqual(stage.known(), []);
  open.resolve();
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.known(), ['a']);
});

test('a change that comes while another is taken in is taken in, too', async (context) => {
  const stage = openStage(context);
  let isFirst = true;
  stage.onApply(() => {
    if (isFirst) stage.write('late');
    isFirst = false;
  });
  stage.write('early');
  await stage.indexer.caughtUp(never);
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.known(), ['early', 'late']);
});

test('whoever waits for all of it has it, however many ask', async (context) => {
  const stage = openStage(context);
  stage.write(...Array.from({ length: 450 }, (_, n) => `page ${n}`));
  await Promise.all(Array.from({ length: 20 }, () => stage.indexer.caughtUp(never)));
  assert.equal(stage.known().length, 450);
});

test('without being asked, changes are taken in a moment later', async (context) => {
  const stage = openStage(context);
  stage.write('a');
  for (let tries = 0; tries < 3_000 && stage.known().length === 0; tries += 1) await sleep(20);
  assert.deepEqual(stage.known(), ['a']);
});

test('an index that has lost everything is filled again from the first change', async (context) => {
  const stage = openStage(context);
  stage.write('a', 'b');
  await stage.indexer.caughtUp(never);
  // It found itself damaged in the middle of a change and has begun anew.
  stage.onApply(() => {
    stage.onApply(() => {});
    stage.forget();
    throw new Error('damaged');
  });
  stage.write('c');
  await stage.indexer.refresh(5_000, never);
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.known(), ['a', 'b', 'c']);
});

test('an index of a later state than the store is made anew', async (context) => {
  const stage = openStage(context, { applied: 7 });
  stage.write('a');
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.known(), ['a']);
  assert.deepEqual([stage.counts.cleared, stage.counts.warnings], [1, 1]);
});

test('who has gone waits for nothing', async (context) => {
  const stage = openStage(context);
  stage.onApply(() => new Promise(() => {}));
  stage.write('a');
  const gone = new AbortController();
  const waiting = stage.indexer.refresh(60_000, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  stage.onApply(() => {});
});

test('at the start only what is missing makes it open the index', async (context) => {
  const stage = openStage(context);
  await stage.indexer.resume();
  await sleep(20);
  assert.equal(stage.counts.applied, 0);
});

test('a search also waits for a run that is still looking at what there is', async (context) => {
  const { indexer, write, known, onLook } = openStage(context);
  await indexer.refresh(10_000, never);
  const looking = Promise.withResolvers<void>();
  const mayLook = Promise.withResolvers<void>();
  onLook(() => {
    looking.resolve();
    return mayLook.promise;
  });
  write('https://a.test/');
  const first = indexer.refresh(10_000, never);
  await looking.promise;
  let seen: string[] | undefined;
  const second = indexer.refresh(10_000, never).then(() => {
    seen = known();
  });
  await sleep(10);
  assert.equal(seen, undefined, 'it came back before the page was taken in');
  mayLook.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(seen, ['https://a.test/']);
});
