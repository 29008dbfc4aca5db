// Searches of people who type: one at a time in the index, and none for a client that has gone on typing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexSearchRequest } from '../../../../src/contracts/search/index-search.ts';
import type { FoundPages, IndexFind } from '../../../../src/index/page-index.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { type IndexSearchDeps, searchIndex } from '../../../../src/operations/search/index-search/index-search.ts';
import { createPageSharing } from '../../../../src/page/page-owner.ts';
import { createGate } from '../../../../src/runtime/gate/gate.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { callOf } from '../../../support/call.ts';

const page = (url: string) => ({
  ...{ url, title: [], passages: [], host: new URL(url).host, language: '', kind: 'page', fileType: 'html' },
  ...{ date: 0, isPublished: false, isVerified: true, score: 1, isMovedDown: false },
});

const FOUND: FoundPages = {
  hits: [page('https://good.example/'), page('https://bad.example/')],
  ...{ hasMore: false, total: 2, totalIs: 'exact', order: 'words', words: [], isSetApart: false },
  facets: {
    hosts: ['good.example', 'bad.example'].map((value) => ({ value, pages: 1 })),
    ...{ languages: [{ value: '', pages: 2 }], kinds: [], dates: [] },
  },
};

function openSearch(find: (search: IndexFind) => Promise<FoundPages>) {
  const calls = { woken: 0, errors: 0 };
  const deps = {
    index: { find },
    indexGate: createGate({ size: 1, clock: systemClock }),
    indexer: { refresh: async () => {}, wake: () => void calls.woken++ },
    manualIndexed: async () => {},
    manual: { urls: async () => ['https://manual.example/docs/use/start.md'] },
    sharing: createPageSharing({ isolatesTeams: false }),
    clock: systemClock,
    log: { error: () => void calls.errors++ },
    threats: { checkFor: () => ({ allowsByRules: ({ hostname }: URL) => hostname !== 'bad.example' }) },
    security: { record: () => {} },
  } as unknown as IndexSearchDeps;
  const ask = (query: string, signal = new AbortController().signal) => {
    const caller = { team: { id: 'team', name: 'team' }, signal } as Caller;
    return searchIndex(deps, callOf(caller, { body: indexSearchRequest.parse({ query, typing: true }) }));
  };
  return { ask, calls };
}

test('a search that waits behind another never reaches the index once its client is gone', async () => {
  const asked: string[] = [];
  const first = Promise.withResolvers<FoundPages>();
  const { ask } = openSearch(async ({ query }) => {
    asked.push(query.text);
    return asked.length === 1 ? first.promise : FOUND;
  });
  const running = ask('c');
  const stale = new AbortController();
  const dropped = ask('cr', stale.signal);
  const last = ask('cra');
  await new Promise(setImmediate);
  stale.abort(new Error('the client is gone'));
  await assert.rejects(dropped, /the client is gone/);
  first.resolve(FOUND);
  await Promise.all([running, last]);
  assert.deepEqual(asked, ['c', 'cra']);
});

test('pages and hosts that the rules about URLs forbid are not shown', async () => {
  const { ask } = openSearch(async () => FOUND);
  const { data } = await ask('x');
  assert.deepEqual([data.hits.map(({ host }) => host), data.blocked], [['good.example'], 1]);
  assert.deepEqual(data.facets!.hosts, [{ value: 'good.example', pages: 1 }]);
  assert.deepEqual(data.facets!.languages, [{ value: 'und', pages: 2 }]);
});

test('the manual is set apart unless its host is named', async () => {
  const apart: number[] = [];
  const { ask } = openSearch(async ({ setApart }) => {
    apart.push(setApart.length);
    return FOUND;
  });
  await ask('cache');
  await ask('cache site:manual.example');
  assert.deepEqual(apart, [1, 0]);
});

test('a search that fails is reported, and lets the next one in', async () => {
  let times = 0;
  const { ask, calls } = openSearch(async () => {
    times += 1;
    if (times === 1) throw new Error('damaged');
    return FOUND;
  });
  await assert.rejects(ask('x'), /damaged/);
  assert.deepEqual(calls, { woken: 1, errors: 1 });
  assert.equal((await ask('x')).data.total, 2);
});
