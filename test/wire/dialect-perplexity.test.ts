// The search of Perplexity at /perplexity: the bodies that its clients send, what they read in the answers, and bad input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';
import { APART, useSearch } from '../support/search/search.ts';

const PUBLISHED = new Date('2026-08-01T10:00:00Z');
const PAGES = [
  {
    at: 'loom.test/',
    title: 'The loom',
    text: 'A loom weaves thread into cloth.\nThe shuttle of the loom is made of beech.',
    published: PUBLISHED,
  },
  { at: 'mill.test/loom', title: 'The mill', text: 'A loom in the mill runs by water.' },
];
const scene = useSearch(APART, PAGES);

interface Result {
  title: string;
  url: string;
  snippet: string;
  date: string | null;
  last_updated: string | null;
}
interface Found {
  id: string;
  results: Result[];
  error?: { message: string; type: string; code: number };
}

async function send<T = Found>(body: unknown, { headers, ...more }: RawRequest = {}, path = '/search') {
  const answer = await sendRaw(scene.service.url, `/perplexity${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${scene.service.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });
  return { ...answer, body: answer.json<T>() };
}

async function fine<T = Found>(body: unknown): Promise<T> {
  const answer = await send<T>(body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

test('answers what Open WebUI and LiteLLM read', async () => {
  const { id, results } = await fine({ query: 'loom', max_results: 1, country: null, nosuch: 1 });
  assert.ok(id);
  assert.equal(results.length, 1);
  assert.deepEqual(Object.keys(results[0]!), ['title', 'url', 'snippet', 'date', 'last_updated']);
  assert.match(results[0]!.snippet, /loom/i);
  assert.equal(results[0]!.date, null);
  assert.deepEqual((await fine({ query: 'nothingatall' })).results, []);
});

test('with a number of tokens, pages are read for what fits, and their dates are known', async () => {
  const domains = { search_domain_filter: ['loom.test'] };
  const { results } = await fine({ query: 'loom shuttle beech', max_tokens_per_page: 1024, ...domains });
  assert.match(results[0]!.snippet, /made of beech/);
  assert.deepEqual([results[0]!.date, results[0]!.last_updated], ['2026-08-01', null]);
  const short = await fine({ query: 'loom shuttle beech', max_tokens_per_page: 5, ...domains });
  assert.ok(short.results[0]!.snippet.length < 25);
  const shared = await fine({ query: 'loom', max_tokens: 3 });
  assert.deepEqual([shared.results.length, shared.results[1]!.snippet], [2, '']);
});

test('several queries are answered by a list for each, and filters are heeded', async () => {
  const several = await fine<{ results: Result[][] }>({ query: ['loom', 'mill'] });
  assert.deepEqual([several.results.length, several.results[1]![0]!.title], [2, 'The mill']);
  assert.equal((await fine({ query: ['loom'] })).results.length, 2);
  const hosts = async (more: object) =>
    (await fine({ query: 'loom', ...more })).results.map((result) => new URL(result.url).hostname);
  assert.deepEqual(await hosts({ search_domain_filter: ['-mill.test'] }), ['loom.test']);
  assert.deepEqual(await hosts({ search_domain_filter: ['mill.test', '-loom.test'] }), ['mill.test']);
  assert.deepEqual(await hosts({ search_after_date_filter: '1/1/2019', search_before_date_filter: '1/2/2019' }), []);
  assert.deepEqual(await hosts({ search_after_date_filter: '7/1/2026', search_before_date_filter: '8/31/2026' }), [
    'loom.test',
  ]);
  assert.ok((await hosts({ search_recency_filter: 'year', search_language_filter: ['en'] })).length > 0);
  const cut = await send({ query: 'loom '.repeat(200) });
  assert.match(cut.headers['x-trawl-warning']!, /cut after 500/);
});

test('bad input, wrong keys and keys that may not search are refused in the shape of Perplexity', async () => {
  const bad: [body: unknown, error: RegExp][] = [
    [{}, /query/],
    ['{', /JSON/],
    [{ query: '' }, /query/],
    [{ query: [] }, /query/],
    [{ query: Array(6).fill('a') }, /query/],
    [{ query: 'a', max_results: 0 }, /max_results/],
    [{ query: 'a', country: 'atlantis' }, /country/],
    [{ query: 'a', search_recency_filter: 'decade' }, /search_recency_filter/],
    [{ query: 'a', search_after_date_filter: '2026-01-01' }, /MM\/DD\/YYYY/],
    [{ query: 'a', search_after_date_filter: '13/40/2026' }, /valid date/],
    [{ query: 'a', search_domain_filter: ['a b'] }, /hostname/],
  ];
  for (const [body, error] of bad) {
    const answer = await send(body);
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 400], answer.text);
    assert.match(answer.body.error!.message, error);
  }
  const wrong = await send({ query: 'a', api_key: scene.service.key }, { headers: { authorization: 'Bearer wrong' } });
  assert.deepEqual([wrong.status, wrong.body.error?.type], [401, 'unauthorized']);
  const inBody = await send({ query: 'a', api_key: scene.service.key }, { headers: { authorization: '' } });
  assert.equal(inBody.status, 401);
  const { body } = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
    limits: { operations: ['scrape'] },
  });
  const refused = await send({ query: 'a' }, { headers: { authorization: `Bearer ${body.data.key}` } });
  assert.equal(refused.status, 403);
  assert.equal((await send({}, {}, '/chat/completions')).status, 404);
});
