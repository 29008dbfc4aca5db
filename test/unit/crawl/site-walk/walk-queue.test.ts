// The order in which the pages of a site are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedTask } from '../../../../src/crawl/frontier/frontier.ts';
import {
  createWalkQueue,
  type PageYield,
  type WalkPage,
  type WalkQueue,
} from '../../../../src/crawl/site-walk/walk-queue.ts';

const NOTHING: PageYield = { newUrls: 0, newUrlsElsewhere: 0 };
const some = (news: number): PageYield => ({ newUrls: news, newUrlsElsewhere: news });

const page = (path: string, more: Partial<WalkPage> = {}): WalkPage => ({
  ...seedTask(new URL(path, 'https://site.test'), { similar: true, ignoreQuery: false }),
  ...more,
});

function queueOf(...pages: WalkPage[]): WalkQueue {
  const queue = createWalkQueue();
  for (const each of pages) queue.offer(each);
  return queue;
}

const pathOf = (taken: WalkPage | undefined) => taken?.url.replace('https://site.test', '');

/** Takes and settles pages until none is left, each with the yield that `harvest` returns. */
function readAll(queue: WalkQueue, harvest: (path: string) => PageYield = () => NOTHING): string[] {
  const paths: string[] = [];
  for (let taken = queue.take(); taken; taken = queue.take()) {
    const path = pathOf(taken)!;
    paths.push(path);
    queue.settle(taken, harvest(path));
  }
  return paths;
}

const numbered = (folder: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => page(`/${folder}/${from + index}`));

test('a page offered under several URLs is taken once', () => {
  const queue = queueOf(page('/a'), page('/a/'), page('/A/index.html'), page('/a?utm_source=x'));
  assert.deepEqual(readAll(queue), ['/a']);
  queue.offer(page('/a'));
  assert.equal(queue.take(), undefined);
  assert.ok(queue.isKnown(page('/a').key));
});

test('an excluded page is not taken', () => {
  const queue = createWalkQueue();
  queue.exclude(page('/new').key);
  queue.offer(page('/new'));
  assert.equal(queue.take(), undefined);
});

test('pagination pages come first, before the other pages of their family', () => {
  const queue = queueOf(page('/about'), page('/item/1'), page('/shop?color=red'), page('/shop?page=2', { steps: 1 }));
  assert.deepEqual(readAll(queue), ['/shop?page=2', '/about', '/item/1', '/shop?color=red']);
});

test('each family is tried once before any is tried twice', () => {
  const queue = queueOf(...numbered('item', 1, 3), ...numbered('news', 1, 2), page('/about'));
  const taken = [queue.take(), queue.take(), queue.take(), queue.take()].map(pathOf);
  assert.deepEqual(taken, ['/item/1', '/news/1', '/about', '/item/2']);
});

test('the family with the highest average yield comes next, and one on trial before one that yielded nothing', () => {
  const queue = queueOf(...numbered('item', 1, 3), ...numbered('news', 1, 3), ...numbered('tag', 1, 3));
  const [item, news, tag] = [queue.take()!, queue.take()!, queue.take()!];
  queue.settle(item, NOTHING);
  queue.settle(news, some(5));
  assert.equal(pathOf(queue.take()), '/news/2');
  queue.settle(page('/news/2'), some(1));
  assert.equal(pathOf(queue.take()), '/news/3');
  assert.equal(pathOf(queue.take()), '/tag/2', 'its yield is not known yet');
  queue.settle(tag, NOTHING);
  assert.deepEqual([queue.take(), queue.take()].map(pathOf), ['/item/2', '/item/3']);
});

test('among equal families the page closest to the start comes first', () => {
  const queue = queueOf(page('/far/1', { depth: 3 }), page('/near/1', { depth: 1 }), page('/middle/1', { depth: 2 }));
  assert.deepEqual(readAll(queue), ['/near/1', '/middle/1', '/far/1']);
});

test('a family is dropped after exactly 30 pages in a row that yielded nothing', () => {
  const queue = queueOf(...numbered('item', 1, 100));
  assert.equal(readAll(queue).length, 30);
  queue.offer(page('/item/101'));
  assert.equal(queue.take(), undefined);

  const lucky = queueOf(...numbered('item', 1, 100));
  assert.equal(readAll(lucky, (path) => (path === '/item/30' ? some(1) : NOTHING)).length, 60);
});

test('at most 30 pages of a family without any yield are in flight', () => {
  const queue = queueOf(...numbered('item', 1, 100));
  const taken = Array.from({ length: 40 }, () => queue.take());
  assert.equal(taken.filter(Boolean).length, 30);
  queue.settle(taken[0]!, some(3));
  assert.ok(queue.take());
});

test('URLs that only share a folder are never dropped', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word-${'abcdefgh'[index % 8]}${'ijklmnop'[index >> 3]}`);
  assert.equal(readAll(queueOf(...words.map((word) => page(`/${word}`)))).length, 60);
});

test('an endless calendar of identical pages is dropped, a long story with new text is not', () => {
  const endless = (gistOf: (month: number) => string) => {
    const queue = queueOf(page('/month/0'));
    return readAll(queue, (path) => {
      const month = Number(path.split('/').at(-1));
      if (month < 200) queue.offer(page(`/month/${month + 1}`));
      return { newUrls: 1, newUrlsElsewhere: 0, gist: gistOf(month) };
    }).length;
  };
  assert.equal(
    endless(() => 'an empty month'),
    31,
    'the first page had new text',
  );
  assert.equal(
    endless((month) => `chapter ${month}`),
    201,
  );
});

test('identical text does not count against pages that lead to other families', () => {
  const queue = queueOf(...numbered('list', 1, 100));
  assert.equal(readAll(queue, () => ({ newUrls: 1, newUrlsElsewhere: 1, gist: 'a list' })).length, 100);
});

test('a list that yields nothing new loses its priority', () => {
  const rounds = [2, 3, 4, 5, 6].map((number) => page(`/tag?page=${number}`, { steps: 1 }));
  const queue = queueOf(...rounds, page('/item/1'));
  assert.deepEqual(
    readAll(queue, (path) => (path === '/item/1' ? some(1) : NOTHING)),
    ['/tag?page=2', '/tag?page=3', '/tag?page=4', '/item/1', '/tag?page=5', '/tag?page=6'],
  );
});

test('a page that is put back is taken again', () => {
  const queue = queueOf(page('/a'));
  const taken = queue.take()!;
  assert.equal(queue.take(), undefined);
  queue.putBack(taken);
  assert.equal(queue.take(), taken);
});

test('at most 10,000 pages wait, and taking one makes room for another', () => {
  const queue = queueOf(...numbered('item', 1, 10_001));
  assert.ok(!queue.isKnown(page('/item/10001').key));
  queue.take();
  queue.offer(page('/item/10001'));
  assert.ok(queue.isKnown(page('/item/10001').key));
});
