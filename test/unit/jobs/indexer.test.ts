// The index follows the store: changes are applied in order, whatever fails on the way.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexChange, PageIndex } from '../../../src/index/page-index.ts';
import { createIndexer, type Indexer } from '../../../src/jobs/indexer.ts';
import { SHARED } from '../../../src/page/page-owner.ts';
import type { IndexFeed } from '../../../src/store/ports/pages/index-feed.ts';

interface Stage {
  indexer: Indexer;
  /** Adds changes, as a transaction of the store would. */
  write(...urls: string[]): void;
  /** Adds changes, as a job would. */
  writeByJob(...urls: string[]): void;
  /** URLs that can be found. */
  indexed(): string[];
  acknowledged(): number;
  /** Called with each batch before it is applied. */
  onApply(step: (changes: IndexChange[]) => void | Promise<void>): void;
  /** Called before the feed is read. */
  onRead(step: () => Promise<void>): void;
  /** Loses all pages and the number of the last change, as a damaged file does. */
  forget(): void;
  counts: { applied: number; cleared: number; warnings: number; errors: number };
}

const never = new AbortController().signal;

/** A feed and an index in memory. */
function openStage(context: TestContext, { applied = 0 } = {}): Stage {
  const changes: IndexChange[] = [];
  const pages = new Set<string>();
  const counts = { applied: 0, cleared: 0, warnings: 0, errors: 0 };
  let last = applied;
  let acknowledged = 0;
  let step: (changes: IndexChange[]) => void | Promise<void> = () => {};
  let beforeRead = async () => {};
  const feed: IndexFeed = {
    state: async () => ({ newest: changes.length, acknowledged, dropped: 0 }),
    after: async (change, limit) => {
      await beforeRead();
      return changes.slice(change, change + limit);
    },
    acknowledge: async (change) => {
      acknowledged = change;
    },
  };
  const index = {
    async applied() {
      counts.applied += 1;
      return last;
    },
    appliedNext: async () => undefined,
    async apply(given: IndexChange[]) {
      await step(given);
      assert.equal(given[0]!.change, last + 1, 'no change is skipped');
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
  const add = (urls: readonly string[]) => {
    for (const url of urls)
      changes.push({ change: changes.length + 1, owner: SHARED, url, isVerified: true, firstSeenAt: 0, entry: null });
  };
  return {
    indexer,
    write(...urls) {
      add(urls);
      indexer.wake();
    },
    writeByJob(...urls) {
      add(urls);
      indexer.wakeLater();
    },
    indexed: () => [...pages],
    acknowledged: () => acknowledged,
    onApply(next) {
      step = next;
    },
    onRead(next) {
      beforeRead = next;
    },
    forget() {
      last = 0;
      pages.clear();
    },
    counts,
  };
}

test('a search after a change finds it', async (context) => {
  const stage = openStage(context);
  stage.write('a', 'b');
  await stage.indexer.refresh(never, 5_000);
  assert.deepEqual(stage.indexed(), ['a', 'b']);
  assert.equal(stage.acknowledged(), 2);
});

test('a search without new changes does not touch the index', async (context) => {
  const stage = openStage(context);
  await stage.indexer.refresh(never, 5_000);
  const { applied } = stage.counts;
  await stage.indexer.refresh(never, 5_000);
  assert.equal(stage.counts.applied, applied);
});

test('a search waits for a limited time, and late changes are still applied', async (context) => {
  const stage = openStage(context);
  const open = Promise.withResolvers<void>();
  stage.onApply(() => open.promise);
  stage.write('a');
  await stage.indexer.refresh(never, 10);
  assert.deepEqual(stage.indexed(), []);
  open.resolve();
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.indexed(), ['a']);
});

test('a search does not wait for the pages of a running job', async (context) => {
  const stage = openStage(context);
  await stage.indexer.refresh(never, 5_000);
  const started = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  stage.onApply(() => {
    started.resolve();
    return open.promise;
  });
  stage.writeByJob('a');
  await stage.indexer.refresh(never, 60_000);
  const whole = stage.indexer.caughtUp(never);
  await started.promise;
  // Nor while they are ingested.
  await stage.indexer.refresh(never, 60_000);
  assert.deepEqual(stage.indexed(), []);
  open.resolve();
  await whole;
  assert.deepEqual(stage.indexed(), ['a']);
});

test('a search waits for a page that was scraped during a job, and not for those after it', async (context) => {
  const stage = openStage(context);
  await stage.indexer.refresh(never, 5_000);
  let count = 0;
  stage.onApply(() => stage.writeByJob(`later ${count++}`));
  stage.writeByJob('job');
  stage.write('scraped');
  await stage.indexer.refresh(never, 60_000);
  assert.deepEqual(stage.indexed(), ['job', 'scraped']);
});

test('a search still waits for a page whose first attempt failed', async (context) => {
  const stage = openStage(context);
  await stage.indexer.refresh(never, 5_000);
  stage.onApply(() => {
    stage.onApply(() => {});
    throw new Error('disk full');
  });
  stage.write('a');
  await stage.indexer.refresh(never, 5_000);
  await stage.indexer.refresh(never, 5_000);
  assert.deepEqual(stage.indexed(), ['a']);
});

test('a change that arrives while another is applied is applied too', async (context) => {
  const stage = openStage(context);
  let isFirst = true;
  stage.onApply(() => {
    if (isFirst) stage.write('late');
    isFirst = false;
  });
  stage.write('early');
  await stage.indexer.caughtUp(never);
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.indexed(), ['early', 'late']);
});

test('any number of callers can wait until the index has caught up', async (context) => {
  const stage = openStage(context);
  stage.write(...Array.from({ length: 450 }, (_, n) => `page ${n}`));
  await Promise.all(Array.from({ length: 20 }, () => stage.indexer.caughtUp(never)));
  assert.equal(stage.indexed().length, 450);
});

test('changes are applied in the background a moment later', async (context) => {
  const stage = openStage(context);
  stage.write('a');
  for (let tries = 0; tries < 3_000 && stage.indexed().length === 0; tries += 1) await sleep(20);
  assert.deepEqual(stage.indexed(), ['a']);
});

test('an index that lost everything is rebuilt from the first change', async (context) => {
  const stage = openStage(context);
  stage.write('a', 'b');
  await stage.indexer.caughtUp(never);
  // The index finds itself damaged in the middle of a change and starts over.
  stage.onApply(() => {
    stage.onApply(() => {});
    stage.forget();
    throw new Error('damaged');
  });
  stage.write('c');
  await stage.indexer.refresh(never, 5_000);
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.indexed(), ['a', 'b', 'c']);
});

test('an index that is ahead of the store is rebuilt', async (context) => {
  const stage = openStage(context, { applied: 7 });
  stage.write('a');
  await stage.indexer.caughtUp(never);
  assert.deepEqual(stage.indexed(), ['a']);
  assert.deepEqual([stage.counts.cleared, stage.counts.warnings], [1, 1]);
});

test('an aborted search stops waiting', async (context) => {
  const stage = openStage(context);
  stage.onApply(() => new Promise(() => {}));
  stage.write('a');
  const gone = new AbortController();
  const waiting = stage.indexer.refresh(gone.signal, 60_000);
  gone.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  stage.onApply(() => {});
});

test('an index that is up to date is not opened at startup', async (context) => {
  const stage = openStage(context);
  await stage.indexer.resume();
  await sleep(20);
  assert.equal(stage.counts.applied, 0);
});

test('a search also waits for a run that is still reading the feed', async (context) => {
  const { indexer, write, indexed, onRead } = openStage(context);
  await indexer.refresh(never, 10_000);
  const reading = Promise.withResolvers<void>();
  const mayRead = Promise.withResolvers<void>();
  onRead(() => {
    reading.resolve();
    return mayRead.promise;
  });
  write('https://a.test/');
  const first = indexer.refresh(never, 10_000);
  await reading.promise;
  let seen: string[] | undefined;
  const second = indexer.refresh(never, 10_000).then(() => {
    seen = indexed();
  });
  await sleep(10);
  assert.equal(seen, undefined, 'it returned before the page was applied');
  mayRead.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(seen, ['https://a.test/']);
});
