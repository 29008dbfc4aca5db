// Our own index as a search source: its results are filtered like others, and its failure does not fail a search.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchRequest } from '../../../../src/contracts/search/search.ts';
import type { IndexSearch, PageHit, PageIndex } from '../../../../src/index/page-index.ts';
import { askIndex, type IndexDeps } from '../../../../src/operations/search/own-index.ts';
import { readSearch } from '../../../../src/operations/search/search-request.ts';
import { createPageSharing } from '../../../../src/page/page-owner.ts';
import { systemClock } from '../../../../src/util/clock.ts';

const hit = (name: string, more: Partial<PageHit> = {}): PageHit => ({
  url: `https://example.com/${name}`,
  title: name,
  description: 'Its own words.',
  date: 1,
  isPublished: false,
  fileType: 'html',
  isVerified: true,
  score: 1,
  coverage: 1,
  ...more,
});

const VIEWER = createPageSharing({ isolatesTeams: false }).viewerOf('team');

function ask(index: Partial<PageIndex>, { drop = '', signal = new AbortController().signal } = {}) {
  const request = searchRequest.parse({ query: 'x', limit: 5 });
  const { query, sources } = readSearch(request, 0);
  const calls = { woken: 0, errors: 0 };
  const deps = {
    index,
    indexer: { refresh: async () => {}, wake: () => void calls.woken++ },
    meanings: { of: async () => undefined },
    manualIndexed: async () => {},
    manual: { has: () => false },
    clock: systemClock,
    log: { error: () => void calls.errors++ },
  } as unknown as IndexDeps;
  const keep = ({ title }: { title: string }) => (title === drop ? 'it is dropped' : undefined);
  return {
    calls,
    asked: askIndex(deps, 'team', { viewer: VIEWER, verifiedOnly: false }, request, query, sources[0]!, keep, signal),
  };
}

test('hits become results, with their ranks and best passages', async () => {
  let search: IndexSearch | undefined;
  const { asked } = ask(
    {
      web: async (given) => {
        search = given;
        return [hit('a', { highlight: 'The passage.' }), hit('b'), hit('c')];
      },
    },
    { drop: 'b' },
  );
  const { lists, run } = await asked;
  assert.deepEqual(
    lists[0]!.items.map(({ rank, result }) => [rank, result.title, result.description]),
    [
      [1, 'a', 'The passage.'],
      [3, 'c', 'Its own words.'],
    ],
  );
  assert.deepEqual(run.dropped, [{ url: 'https://example.com/b', rank: 2, reason: 'it is dropped' }]);
  assert.deepEqual([run.provider, run.state, run.kept.length, search!.limit], ['index', 'answered', 2, 5]);
});

test('an unreadable index is reported as failed and logged, and the indexer is woken', async () => {
  const { asked, calls } = ask({ web: () => Promise.reject(new Error('damaged')) });
  const { lists, run } = await asked;
  assert.deepEqual(
    [lists.flatMap(({ items }) => items), run.state, run.problem],
    [[], 'failed', 'it could not be read'],
  );
  assert.deepEqual(calls, { woken: 1, errors: 1 });
});

test('a page with half of the query words or less gets a low weight', async () => {
  const { asked } = ask({
    web: async () => [hit('all'), hit('half', { coverage: 0.5 }), hit('most', { coverage: 0.75 })],
  });
  const { lists } = await asked;
  const named = lists.map(({ items, weight = 1 }) => [weight, items.map(({ result, rank }) => [rank, result.title])]);
  assert.deepEqual(named, [
    [
      1,
      [
        [1, 'all'],
        [3, 'most'],
      ],
    ],
    [0.3, [[2, 'half']]],
  ]);
});

test('after the caller has left, nothing is logged', async () => {
  const gone = AbortSignal.abort(new Error('gone'));
  const { asked, calls } = ask({ web: () => Promise.reject(new Error('damaged')) }, { signal: gone });
  await assert.rejects(asked, /gone/);
  assert.equal(calls.errors, 0);
});
