// Searches by meaning over HTTP: pages get their vectors after they were read, and are then found in other words.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IndexSearchResponse } from '../../src/contracts/search/index-search.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { until } from '../support/jobs.ts';
import { hostPaths, useSearch } from '../support/search/search.ts';

const problem = runtimeProblem();
const NEEDS_MODEL = { skip: problem ?? false };

const scene = useSearch({ TRAWL_SEMANTIC: 'on' }, [
  {
    at: 'shed.test/repair',
    title: 'Repairing a punctured wheel',
    text: 'A patch and some glue mend the inner tube of a bicycle.',
    isShort: true,
  },
  {
    at: 'home.test/flat',
    title: 'A flat in town',
    text: 'The flat has two rooms, a balcony and a view of the harbour.',
    isShort: true,
  },
  { at: 'sea.test/nets', title: 'Nets', text: 'Mending nets was the work of the whole family.', isShort: true },
]);

const find = (body: object) => scene.service.post<IndexSearchResponse>('/v2/index/search', { facets: false, ...body });
async function found(body: object): Promise<string[]> {
  const { status, body: answer } = await find(body);
  assert.equal(status, 200, JSON.stringify(answer));
  return hostPaths(answer.data.hits);
}

describe('searching by meaning', NEEDS_MODEL, () => {
  const query = 'fixing a flat bike tyre';

  test('finds pages in other words, once they have their vectors', async () => {
    assert.deepEqual(await found({ query, mode: 'words' }), ['home.test/flat']);
    await until(
      () => found({ query, mode: 'meaning' }),
      ([first]) => first === 'shed.test/repair',
    );
    const hybrid = await found({ query });
    assert.ok(hybrid.includes('shed.test/repair') && hybrid.includes('home.test/flat'));
    const { body } = await scene.service.post<{ data: { web: { url: string }[] } }>('/v2/search', { query });
    assert.ok(body.data.web.some(({ url }) => url.endsWith('/repair')));
  });

  test('explains the part of the meaning, and holds to conditions', async () => {
    const { body } = await find({ query, mode: 'meaning', explain: true });
    assert.equal(body.data.query.order, 'meaning');
    assert.deepEqual(
      body.data.hits[0]!.explain!.parts.map(({ part }) => part),
      ['meaning'],
    );
    assert.deepEqual(await found({ query: `${query} site:sea.test`, mode: 'meaning' }), []);
    assert.deepEqual(await found({ query: `${query} -glue`, mode: 'meaning' }), []);
    assert.deepEqual(await found({ query, mode: 'meaning', includeDomains: ['home.test'] }), []);
  });

  test('words that are being typed are looked for as words', async () => {
    assert.deepEqual(await found({ query: 'fixing a flat bike tyr', typing: true }), ['home.test/flat']);
  });

  test('a mode that does not exist is refused', async () => {
    assert.equal((await find({ query, mode: 'vibes' })).status, 400);
  });
});
