// Results of providers, ranked also by their meaning.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeProblem } from '../../../../src/encoders/model-runtime/model-runtime.ts';
import { createQueryMeanings } from '../../../../src/operations/search/meaning/query-meanings.ts';
import { rankResults } from '../../../../src/operations/search/meaning/rank-results.ts';
import type { Fused } from '../../../../src/search/fuse.ts';
import type { ResultCandidate } from '../../../../src/search/match/visible-result.ts';
import { INDEX_NAME } from '../../../../src/search/providers/provider-names.ts';
import { parseQuery } from '../../../../src/search/query/query.ts';
import { shareEncoders } from '../../../support/threads.ts';

const NEEDS_MODEL = { skip: runtimeProblem() ?? false };
const query = parseQuery('how to mend a flat bicycle tyre');
const caller = { team: { id: 'team' }, signal: new AbortController().signal };
const TITLES = ['A flat in town', 'Opening hours of the library', 'Repairing a punctured bike wheel', 'Flat white'];
const found = (provider = 'brave'): Fused<ResultCandidate>[] =>
  TITLES.map((title, at) => ({
    result: { url: `https://far.test/${at}`, title, description: '' } as ResultCandidate,
    score: 1 / (61 + at),
    given: [{ provider, rank: at + 1 }],
  }));
const titles = (results: Fused<ResultCandidate>[]) => results.map(({ result }) => result.title);
const known = (...cosines: (number | undefined)[]) => ({ nearness: async () => cosines });

test('a result that means what was asked for rises, and its parts add up to its score', NEEDS_MODEL, async () => {
  const meanings = createQueryMeanings(shareEncoders().sentences, 'on');
  const ranked = await rankResults(meanings, query, found(), caller);
  assert.ok(titles(ranked).indexOf(TITLES[2]!) < 2, titles(ranked).join());
  for (const { score, meaning, given } of ranked) {
    assert.ok(Math.abs(score - meaning! - 1 / (60 + given[0]!.rank)) < 1e-12);
  }
  assert.deepEqual(titles(await rankResults(meanings, query, found(), caller)), titles(ranked));
});

test('ranks count more than the meaning, and results that could not be compared in time keep their places', async () => {
  assert.deepEqual(titles(await rankResults(known(0, 0, 0, 0.9), query, found(), caller))[0], TITLES[0]);
  assert.deepEqual(titles(await rankResults(known(), query, found(), caller)), TITLES);
  assert.deepEqual(titles(await rankResults(known(0.3, 0.2), query, found(), caller)), TITLES);
});

test('what only the index has found is not compared again', async () => {
  const own = found(INDEX_NAME);
  const never = { nearness: () => assert.fail() };
  assert.equal(await rankResults(never, query, own, caller), own);
});

test('a model that is being loaded is not waited for twice in a search, and is used when it is there', async () => {
  const loading = Promise.withResolvers<void>();
  const asked: string[] = [];
  const sentences = {
    name: 'test',
    unavailable: () => undefined,
    async encode(texts: readonly string[]) {
      asked.push(...texts);
      await loading.promise;
      return texts.map((text) => Int8Array.of(text.includes('bike') || text === query.text ? 1 : 0, 1));
    },
  };
  const meanings = createQueryMeanings(sentences, 'auto');
  assert.equal(await meanings.of(query, caller), undefined);
  assert.deepEqual(titles(await rankResults(meanings, query, found(), caller)), TITLES);
  assert.equal(asked.length, 1);
  loading.resolve();
  await loading.promise;
  assert.ok(await meanings.of(query, caller));
  assert.equal(titles(await rankResults(meanings, query, found(), caller)).indexOf(TITLES[2]!), 1);
});
