// Walking a site: how many pages are read, how many at once, and when the walk ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { seedTask } from '../../../../src/crawl/frontier/frontier.ts';
import { type Walk, type WalkReport, walkSite } from '../../../../src/crawl/site-walk/site-walk.ts';
import { createWalkQueue, type WalkPage } from '../../../../src/crawl/site-walk/walk-queue.ts';
import { soon } from '../../net/local.ts';

const LIMITS = { pages: 1_000, barren: 100, atOnce: 4 };
const page = (path: string) => seedTask(new URL(path, 'https://site.test'), { similar: true, ignoreQuery: false });
const report = (news: number, more: Partial<WalkReport> = {}): WalkReport => ({
  wasFetched: true,
  newUrls: news,
  newUrlsElsewhere: news,
  ...more,
});

/** URLs without numbers: each page is its own family, so that only the walk decides when to end. */
const manyPages = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    page(`/${index.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[+digit]!)}/`),
  );

interface Setting extends Partial<Omit<Walk, 'queue' | 'limits'>> {
  limits?: Partial<Walk['limits']>;
  signal?: AbortSignal;
}

async function walk(pages: WalkPage[], { limits, signal = soon(), ...more }: Setting = {}) {
  const queue = createWalkQueue();
  for (const each of pages) queue.offer(each);
  const paths: string[] = [];
  const read: Walk['read'] = async (taken, stop) => {
    paths.push(new URL(taken.url).pathname);
    await setImmediate();
    return more.read ? more.read(taken, stop) : report(1);
  };
  const end = await walkSite({ queue, isEnough: () => false, ...more, read, limits: { ...LIMITS, ...limits } }, signal);
  return { end, paths };
}

test('all pages are read, including those found on the way', async () => {
  const queue = createWalkQueue();
  queue.offer(page('/a'));
  const paths: string[] = [];
  const read = async ({ url }: WalkPage) => {
    const path = new URL(url).pathname;
    paths.push(path);
    if (path.length < 6) for (const letter of ['b', 'c']) queue.offer(page(`${path}${letter}`));
    return report(2);
  };
  assert.equal(await walkSite({ queue, read, isEnough: () => false, limits: LIMITS }, soon()), 'done');
  assert.equal(paths.length, 31);
  assert.equal(new Set(paths).size, 31);
});

test('at most `atOnce` pages are read at the same time', async () => {
  let active = 0;
  let most = 0;
  await walk(manyPages(20), {
    async read() {
      active += 1;
      most = Math.max(most, active);
      await setImmediate();
      active -= 1;
      return report(1);
    },
  });
  assert.equal(most, 4);
});

test('at most `pages` pages are fetched; pages that needed no request do not count', async () => {
  const some = await walk(manyPages(50), { limits: { pages: 7 } });
  assert.deepEqual([some.end, some.paths.length], ['page-limit', 7]);
  const exactly = await walk(manyPages(7), { limits: { pages: 7 } });
  assert.deepEqual([exactly.end, exactly.paths.length], ['done', 7], 'nothing was left out');
  let number = 0;
  const read = async () => report(1, { wasFetched: number++ % 2 === 0 });
  const mixed = await walk(manyPages(50), { limits: { pages: 7, atOnce: 1 }, read });
  assert.deepEqual([mixed.end, mixed.paths.length], ['page-limit', 13]);
});

test('a walk ends after `barren` pages in a row without new URLs, or four times as many that needed no request', async () => {
  const limits = { barren: 5, atOnce: 1 };
  const none = await walk(manyPages(50), { limits, read: async () => report(0) });
  assert.deepEqual([none.end, none.paths.length], ['done', 5]);
  let number = 0;
  const read = async () => report(number++ === 3 ? 1 : 0);
  assert.equal((await walk(manyPages(50), { limits, read })).paths.length, 9, 'new URLs reset the count');
  const known = await walk(manyPages(50), { limits, read: async () => report(0, { wasFetched: false }) });
  assert.equal(known.paths.length, 20);
});

test('a walk ends when enough was found, and aborts the pages in flight', async () => {
  let found = 0;
  let ended = 0;
  const { end } = await walk(manyPages(50), {
    signal: new AbortController().signal,
    isEnough: () => found >= 3,
    read: async (_page, stop) => {
      found += 1;
      if (found <= 3) return report(1);
      await new Promise((_, reject) => {
        const leave = () => reject(stop.reason);
        if (stop.aborted) leave();
        stop.addEventListener('abort', leave);
      }).finally(() => {
        ended += 1;
      });
      return report(1);
    },
  });
  assert.equal(end, 'enough');
  assert.equal(ended, found - 3);
});

test('a page of a busy site is tried once more', async () => {
  const { paths } = await walk([page('/a'), page('/b')], {
    limits: { atOnce: 1 },
    read: async ({ url }) => report(0, { isBusy: url.endsWith('/a') }),
  });
  assert.deepEqual(paths.sort(), ['/a', '/a', '/b']);
});

test('an abort rejects the walk with its reason, an error in `read` with that error', async () => {
  const leaving = new AbortController();
  const read: Walk['read'] = (_page, stop) =>
    new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
  const walking = walk(manyPages(10), { read, signal: leaving.signal });
  await setImmediate();
  leaving.abort(new Error('gone'));
  await assert.rejects(walking, { message: 'gone' });
  await assert.rejects(
    walk(manyPages(10), {
      read: async () => {
        throw new TypeError('a fault');
      },
    }),
    { message: 'a fault' },
  );
  await assert.rejects(walk([], { signal: AbortSignal.abort(new Error('before')) }), { message: 'before' });
});
