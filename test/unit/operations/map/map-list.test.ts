// The list of URLs that a map returns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMapList, describePage, type MapList } from '../../../../src/operations/map/map-list.ts';
import type { PageHeader, PageMetadata, TransformResult, VerdictKind } from '../../../../src/page/page.ts';

const at = (path: string) => new URL(path, 'https://site.test');
const paths = (list: MapList) => list.links().map(({ url }) => url.replace('https://site.test', ''));

function listOf(given: string[], { limit = 100, ignoreQuery = true } = {}): MapList {
  const list = createMapList(limit, ignoreQuery);
  for (const path of given) list.add(at(path));
  return list;
}

test('each URL is listed once, as first written, without its fragment', () => {
  const list = listOf(['/b#top', '/a', '/A/', '/a/index.html', '/b']);
  assert.deepEqual(paths(list), ['/b', '/a']);
  assert.equal(list.add(at('/c')), true);
  assert.equal(list.add(at('/c')), false);
});

test('query strings are ignored or not', () => {
  const given = ['/list?page=2', '/list?page=3', '/empty?', '/list', '/other?a=1&utm_source=x', '/other?a=1'];
  assert.deepEqual(paths(listOf(given)), ['/list', '/empty', '/other']);
  assert.deepEqual(paths(listOf(given, { ignoreQuery: false })), [
    '/list?page=2',
    '/list?page=3',
    '/empty?',
    '/list',
    '/other?a=1&utm_source=x',
  ]);
});

test('the first known title and description stay, and missing ones are added', () => {
  const list = createMapList(10, true);
  list.add(at('/a'), { title: 'First' });
  list.add(at('/a'), { title: 'Second', description: 'Of both' });
  assert.deepEqual(list.links(), [{ url: 'https://site.test/a', title: 'First', description: 'Of both' }]);
});

test('the title of page 2 of a list does not describe the list', () => {
  const list = createMapList(10, true);
  list.add(at('/list?page=2'), { title: 'Page 2' });
  assert.deepEqual(list.links(), [{ url: 'https://site.test/list' }]);
  const whole = createMapList(10, false);
  whole.add(at('/list?page=2'), { title: 'Page 2' });
  assert.equal(whole.links()[0]?.title, 'Page 2');
});

test('the list stops at its limit', () => {
  const list = listOf(['/a', '/b', '/c'], { limit: 2 });
  assert.deepEqual([list.size, list.isFull, paths(list)], [2, true, ['/a', '/b']]);
});

test('a removed URL does not come back; removing page 99 of a list does not remove the list', () => {
  const list = listOf(['/a', '/list']);
  list.remove(at('/a'));
  list.remove(at('/list?page=99'));
  assert.equal(list.add(at('/a')), false);
  assert.deepEqual([paths(list), list.size], [['/list'], 1]);
});

test('only a real page describes its URL', () => {
  const about = (metadata: PageMetadata, status = 200, kind: VerdictKind = 'content') =>
    describePage({
      header: { status } as PageHeader,
      outcome: { metadata, verdict: { kind, reason: '' } } as TransformResult,
    });
  const metadata = { title: 'Title', description: ['One', 'two'], keywords: 'x' };
  assert.deepEqual(about(metadata), { title: 'Title', description: 'One, two' });
  assert.deepEqual(about(metadata, 404), {});
  assert.deepEqual(about(metadata, 200, 'login-wall'), {});
  assert.deepEqual(about({}), {});
});

test('long texts are cut between two characters', () => {
  const list = createMapList(10, true);
  list.add(at('/a'), { title: `x${'😀'.repeat(1_000)}` });
  const { title = '' } = list.links()[0]!;
  assert.ok(title.length <= 1_000 && title.isWellFormed());
});
