// Rerankers' wires at /rerank, /v1/rerank and /jina/v1/rerank: the bodies of Jina, Cohere and TEI, and what their clients read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawAnswer, type RawRequest, sendRaw } from '../support/raw-request.ts';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import type { Web } from '../support/web.ts';

let web: Web;
let service: RunningService;

before(async () => {
  web = await startSharedWeb();
  service = await joinService(web, {});
});
after(async () => {
  await service?.stop();
  await web?.stop();
});

const QUERY = 'measuring angles at sea';
const DOCUMENTS = ['Bread is baked from flour.', 'A sextant measures angles at sea.', { text: 'The sea is deep.' }];

const post = (path: string, body: unknown, { headers, ...more }: RawRequest = {}): Promise<RawAnswer> =>
  sendRaw(service.url, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });

interface Ranked {
  id: string;
  model: string;
  object: string;
  results: { index: number; relevance_score: number; document?: { text: string } }[];
  usage: { total_tokens: number; prompt_tokens: number };
  meta: { api_version: { version: string }; billed_units: { search_units: number } };
}

async function rank(body: object, path = '/v1/rerank'): Promise<Ranked> {
  const answer = await post(path, body);
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers['content-type']!, /^application\/json/);
  return answer.json<Ranked>();
}

describe('Jina and Cohere', () => {
  test('get every index once, the best first, at each address', async () => {
    const paths = [
      '/v1/rerank',
      '/rerank',
      '/jina/v1/rerank',
      '//v1/rerank/',
      '/rerank/rerank',
      `/v1/key/${service.key}/rerank`,
    ];
    for (const path of paths) {
      const { results, model, object, usage, meta, id } = await rank(
        {
          model: 'rerank-v3.5',
          query: QUERY,
          documents: DOCUMENTS,
          max_chunks_per_doc: 10,
          priority: 0,
          truncation: true,
        },
        path,
      );
      assert.deepEqual(results.map(({ index }) => index).toSorted(), [0, 1, 2], path);
      assert.equal(results[0]!.index, 1);
      const scores = results.map(({ relevance_score: score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
      assert.ok(scores.every((score) => score >= 0 && score <= 1));
      assert.deepEqual(
        [model, object, meta],
        ['rerank-v3.5', 'list', { api_version: { version: '2' }, billed_units: { search_units: 1 } }],
      );
      assert.ok(id.length > 0 && usage.total_tokens > 0);
      assert.ok(results.every((result) => result.document === undefined));
    }
  });

  test('get the documents as each of them is used to', async () => {
    const jina = await rank({
      model: 'jina-reranker-v2-base-multilingual',
      query: QUERY,
      documents: DOCUMENTS,
      top_n: 1,
    });
    assert.deepEqual(
      jina.results.map(({ document }) => document),
      [{ text: DOCUMENTS[1] }],
    );
    const told = await rank({ model: 'jina-reranker', query: QUERY, documents: DOCUMENTS, return_documents: false });
    assert.ok(told.results.every((result) => result.document === undefined));
    const cohere = await rank({ query: QUERY, documents: DOCUMENTS, return_documents: true, top_n: 50 });
    assert.ok(cohere.results.every((result) => typeof result.document?.text === 'string'));
    assert.deepEqual((await rank({ query: QUERY, documents: [] })).results, []);
  });

  test('may send hundreds of documents and a long query', async () => {
    const many = Array.from(
      { length: 101 },
      (_, at) => `Sentence ${at} is about ${at % 7 === 0 ? 'angles' : 'bread'}.`,
    );
    const answer = await post('/v1/rerank', { query: `angles ${'at sea '.repeat(200)}`, documents: many });
    assert.match(answer.headers['x-trawl-warning']!, /cut after 500/);
    const { results, meta } = answer.json<Ranked>();
    assert.deepEqual([results.length, meta.billed_units.search_units], [101, 2]);
  });
});

test('clients of TEI get a bare list, and are told about the model first', async () => {
  const info = await sendRaw(service.url, '/rerank/info');
  const { model_type: type, max_client_batch_size: batch } = info.json<{
    model_type: object;
    max_client_batch_size: number;
  }>();
  assert.deepEqual([Object.keys(type), batch], [['reranker'], 1_000]);
  const texts = DOCUMENTS.map((each) => (typeof each === 'string' ? each : each.text));
  const answer = await post('/rerank', { query: QUERY, texts, return_text: true, truncate: true, raw_scores: true });
  assert.equal(answer.status, 200, answer.text);
  const list = answer.json<{ index: number; score: number; text: string }[]>();
  assert.deepEqual([list.length, list[0]!.index, list[0]!.text], [3, 1, texts[1]]);
  assert.match(answer.headers['x-trawl-warning']!, /raw_scores/);
  const bare = (await post('/rerank/rerank', { query: QUERY, texts })).json<object[]>();
  assert.deepEqual(Object.keys(bare[0]!), ['index', 'score']);
});

test('says what is wrong in the members that each client reads', async () => {
  const bad: [unknown, number][] = [
    [{}, 400],
    [{ documents: DOCUMENTS }, 400],
    [{ query: ' ', documents: DOCUMENTS }, 400],
    [{ query: QUERY, documents: 'text' }, 400],
    [{ query: QUERY, documents: [{ image: 'x' }] }, 400],
    [{ query: QUERY, documents: [7] }, 400],
    [{ query: QUERY, documents: Array(1_001).fill('a') }, 400],
    [{ query: QUERY, documents: DOCUMENTS, top_n: 0 }, 400],
    [{ query: QUERY, texts: [{}] }, 400],
    ['{"query":', 400],
    ['[]', 400],
  ];
  for (const [body, status] of bad) {
    const answer = await post('/rerank', body);
    assert.equal(answer.status, status, answer.text);
    const { detail, message, error, error_type: type } = answer.json();
    assert.deepEqual([typeof detail, detail, detail, type], ['string', message, error, 'Validation']);
  }
  const wrong = { headers: { authorization: 'Bearer wrong' } };
  assert.equal((await post('/v1/rerank', { query: QUERY, documents: DOCUMENTS }, wrong)).status, 401);
  assert.equal((await post('/rerank', {}, { method: 'GET', body: '' })).status, 405);
  assert.equal((await post('/rerank/nothing', {})).status, 404);
});

test('is a rerank of the key: limits, prices and the call under /v2 are the same', async () => {
  const made = await service.post<{ data: { key: string } }>('/v2/team/keys', { limits: { operations: ['scrape'] } });
  const headers = { authorization: `Bearer ${made.body.data.key}` };
  const refused = await post('/v1/rerank', { query: QUERY, documents: DOCUMENTS }, { headers });
  assert.equal(refused.status, 403);
  assert.match(String(refused.json().message), /search/);
  const own = await post('/v2/rerank', {
    model: 'm',
    query: QUERY,
    documents: DOCUMENTS,
    max_tokens_per_doc: 9,
    priority: 0,
  });
  assert.equal(own.status, 200, own.text);
  assert.deepEqual(
    own.json<Ranked>().results,
    (await rank({ model: 'm', query: QUERY, documents: DOCUMENTS })).results,
  );
});
