// Several processes follow one feed: with an index of each, or with one index that they feed in turns.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { IndexChange, PageIndex } from '../../../../src/index/page-index.ts';
import { createIndexer } from '../../../../src/jobs/indexer.ts';
import type { FeedIndexDeps } from '../../../../src/jobs/indexing/feed-index.ts';
import { SHARED } from '../../../../src/page/page-owner.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import type { IndexFeed } from '../../../../src/store/ports/pages/index-feed.ts';

const never = new AbortController().signal;
const log = createLog('silent');

/** The feed of a store that several indexes follow. */
function openFeed() {
  const changes: IndexChange[] = [];
  const positions = new Map<string, number>();
  let dropped = 0;
  const feed: IndexFeed = {
    state: async (name = '') => ({ newest: changes.length, acknowledged: positions.get(name) ?? 0, dropped }),
    after: async (change, limit) => changes.slice(change, change + limit),
    acknowledge: async (change, name = '') => void positions.set(name, change),
  };
  return {
    feed,
    positions,
    write(...urls: string[]) {
      for (const url of urls)
        changes.push({ change: changes.length + 1, owner: SHARED, url, isVerified: true, firstSeenAt: 0, entry: null });
    },
    dropUpTo: (change: number) => {
      dropped = change;
    },
  };
}

function openIndex(applied = 0) {
  const pages: string[] = [];
  let last = applied;
  let cleared = 0;
  const index = {
    applied: async () => last,
    async apply(given: IndexChange[]) {
      for (const { url, change } of given) if (change > last) pages.push(url);
      last = given.at(-1)!.change;
    },
    async clear() {
      cleared += 1;
      last = 0;
      pages.length = 0;
    },
  } as unknown as PageIndex;
  return { index, pages, cleared: () => cleared };
}

const openIndexer = (t: TestContext, deps: Omit<FeedIndexDeps, 'log'>) => {
  const indexer = createIndexer({ ...deps, isShared: true, log });
  t.after(() => indexer.close());
  return indexer;
};

test('each process feeds its own index and waits for that one only', async (t) => {
  const { feed, positions, write } = openFeed();
  const [a, b] = [openIndex(), openIndex()];
  const ofA = openIndexer(t, { feed, index: a.index, consumer: 'a' });
  const ofB = openIndexer(t, { feed, index: b.index, consumer: 'b' });
  write('one', 'two');
  await ofA.caughtUp(never);
  assert.deepEqual(a.pages, ['one', 'two']);
  assert.deepEqual(b.pages, []);
  await ofB.caughtUp(never);
  assert.deepEqual(b.pages, ['one', 'two']);
  assert.deepEqual(
    [...positions],
    [
      ['a', 2],
      ['b', 2],
    ],
  );
});

test('an index that was away while removals were dropped starts over; one that was not goes on', async (t) => {
  const { feed, write, dropUpTo } = openFeed();
  write('1', '2', '3', '4');
  dropUpTo(3);
  const [late, inTime] = [openIndex(2), openIndex(3)];
  await openIndexer(t, { feed, index: late.index, consumer: 'late' }).caughtUp(never);
  await openIndexer(t, { feed, index: inTime.index, consumer: 'in time' }).caughtUp(never);
  assert.deepEqual([late.cleared(), late.pages], [1, ['1', '2', '3', '4']]);
  assert.deepEqual([inTime.cleared(), inTime.pages], [0, ['4']]);
});

test('an index that all share is fed by one process; the others wait until it has done so', async (t) => {
  const { feed, write } = openFeed();
  const { index, pages } = openIndex();
  const shared = { feed, index, consumer: 'shared' };
  const waited = Promise.withResolvers<void>();
  const feeder = openIndexer(t, { ...shared, turn: { take: async () => true, onWaiting() {} } });
  const other = openIndexer(t, { ...shared, turn: { take: async () => false, onWaiting: waited.resolve } });
  write('one');
  const caughtUp = other.caughtUp(never);
  await waited.promise;
  assert.deepEqual(pages, []);
  await feeder.caughtUp(never);
  await caughtUp;
  assert.deepEqual(pages, ['one']);
});

test('when the process that feeds the index has died, one that waits goes on', async (t) => {
  const { feed, write } = openFeed();
  const { index, pages } = openIndex();
  let isDead = false;
  const turn = {
    take: async () => isDead,
    onWaiting() {
      isDead = true;
    },
  };
  write('one', 'two');
  await openIndexer(t, { feed, index, consumer: 'shared', turn }).caughtUp(never);
  assert.deepEqual(pages, ['one', 'two']);
});

test('an index that starts over and is interrupted has more to do for those who look', async (t) => {
  const { feed, positions, write } = openFeed();
  write('a', 'b');
  positions.set('own', 2);
  const { index } = openIndex();
  index.apply = async () => {
    throw new Error('The process ends.');
  };
  const indexer = openIndexer(t, { feed, index, consumer: 'own' });
  await indexer.refresh(new AbortController().signal, 5_000);
  assert.equal(positions.get('own'), 0);
});
