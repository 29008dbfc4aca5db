// Which links lead to another page of the same list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNextPage } from '../../../../src/crawl/frontier/pagination.ts';

const isNext = (from: string, to: string) =>
  isNextPage(new URL(from, 'https://shop.test/'), new URL(to, 'https://shop.test/'));

function assertNext(expected: boolean, pairs: [from: string, to: string][]) {
  for (const [from, to] of pairs) assert.equal(isNext(from, to), expected, `${from} -> ${to}`);
}

test('numbered pages of a list are next pages of each other', () =>
  assertNext(true, [
    ['/list?page=2', '/list?page=3'],
    ['/list?Page=2', '/list?Page=1'],
    ['/list?sort=price&page=2', '/list?page=9&sort=price'],
    ['/search?q=a&sort=b&start=10', '/search?sort=b&start=20&q=a'],
    ['/search?q=a&offset=40', '/search?q=a&offset=0'],
    ['/blog/page/2/', '/blog/page/3/'],
    ['/blog/page/2', '/blog/page/3/'],
    ['/news/seite/2', '/news/seite/3'],
    ['/catalogue/page-2.html', '/catalogue/page-3.html'],
    ['/blog/page2', '/blog/page3'],
    ['/blog/page2.html', '/blog/page10.html'],
  ]));

test('the URL without a number is the first page of the list', () =>
  assertNext(true, [
    ['/list', '/list?page=2'],
    ['/list?page=2', '/list'],
    ['/list/?sort=price', '/list/?sort=price&p=2'],
    ['/blog/', '/blog/page/2/'],
    ['/blog', '/blog/page2'],
    ['/', '/page/2'],
    ['/catalogue/index.html', '/catalogue/page-2.html'],
  ]));

test('the page itself, other lists and other URLs are not next pages', () =>
  assertNext(false, [
    ['/list?page=2', '/list?page=2'],
    ['/list', '/list'],
    ['/list', '/list#page=2'],
    ['/list?page=2', '/other?page=3'],
    ['/list?page=2', '/list?page=3&colour=red'],
    ['/list', '/list?sort=2'],
    ['/list', '/list?page=next'],
    ['/list', '/list?page=12345678'],
    ['/list?page=2', 'https://other.test/list?page=3'],
    ['/item/17', '/item/18'],
    ['/blog/page/2', '/blog/post/3'],
    ['/blog/page/2/comments', '/blog/page/3/comments'],
    ['/homepage2', '/homepage3'],
  ]));
