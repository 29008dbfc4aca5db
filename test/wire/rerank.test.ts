// POST /v2/rerank: what is ranked how, what is refused, and what it costs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RerankRequest, RerankResponse } from '../../src/contracts/search/rerank.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { useService } from '../support/use-service.ts';

const problem = runtimeProblem();
const NEEDS_MODEL = { skip: problem ?? false };
const scene = useService();

const send = (body: object) => scene.service.post<RerankResponse>('/v2/rerank', body);

async function rerank(body: Partial<RerankRequest>): Promise<RerankResponse> {
  const answer = await send(body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const DOCUMENTS = [
  'The opening hours of the town library change in winter.',
  'A punctured bike wheel is repaired in ten minutes with a patch and some glue.',
  { text: 'Mending nets was the work of the whole family.' },
  'The best flat white in town.',
];
const query = 'How do I mend a flat bicycle tyre?';

describe('POST /v2/rerank', () => {
  test('ranks by meaning, and spreads the scores between 0 and 1', NEEDS_MODEL, async () => {
    const { id, object, model, results, usage, meta, creditsUsed } = await rerank({ query, documents: DOCUMENTS });
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(object, 'list');
    assert.equal(model, 'all-MiniLM-L6-v2');
    assert.deepEqual(results.map(({ index }) => index).toSorted(), [0, 1, 2, 3]);
    const [first, ...others] = results;
    assert.equal(first!.index, 1);
    assert.equal(first!.document, undefined);
    assert.ok(others.every(({ relevance_score: score }) => score < first!.relevance_score && score > 0));
    assert.ok(first!.relevance_score < 1 && first!.relevance_score > 3 * others.at(-1)!.relevance_score);
    assert.ok(usage.total_tokens > 20 && usage.total_tokens < 100);
    assert.deepEqual(meta, { api_version: { version: '2' }, billed_units: { search_units: 1 } });
    assert.equal(creditsUsed, 1);
  });

  test('a word that only one document has decides between texts that mean the same', NEEDS_MODEL, async () => {
    const documents = ['Error E1042: the pump does not start.', 'Error E2077: the pump does not start.'];
    for (const [at, code] of ['E1042', 'E2077'].entries()) {
      assert.equal((await rerank({ query: `pump error ${code}`, documents })).results[0]!.index, at);
    }
  });

  test(
    'gives the best `top_n`, with their texts if they are wanted, and any model name back',
    NEEDS_MODEL,
    async () => {
      const asked = { query, documents: DOCUMENTS, top_n: 2, return_documents: true, model: 'jina-reranker-v2' };
      const { results, model } = await rerank(asked);
      assert.equal(model, 'jina-reranker-v2');
      assert.equal(results.length, 2);
      assert.deepEqual(results[0]!.document, { text: DOCUMENTS[1] });
      assert.equal((await rerank({ ...asked, top_n: 99 })).results.length, DOCUMENTS.length);
    },
  );

  test('costs a credit for every hundred documents begun; empty texts have a place, too', NEEDS_MODEL, async () => {
    const documents = Array.from({ length: 101 }, (_, at) => (at % 2 ? `Lamp number ${at}` : ''));
    const { results, creditsUsed } = await rerank({ query: 'lamp number 7', documents });
    assert.equal(creditsUsed, 2);
    assert.equal(results[0]!.index, 7);
    assert.equal(new Set(results.map(({ index }) => index)).size, 101);
  });

  test('without documents there is nothing to rank and nothing to pay', async () => {
    const { results, creditsUsed } = await rerank({ query, documents: [] });
    assert.deepEqual(results, []);
    assert.equal(creditsUsed, 0);
  });

  test('says what is wrong with a request', async () => {
    const documents = ['a'];
    const wrong: [object, RegExp][] = [
      [{ documents }, /`query` is missing/],
      [{ query: '  ', documents }, /`query` is empty/],
      [{ query: 'a'.repeat(600), documents }, /at most 500 characters/],
      [{ query }, /documents/],
      [{ query, documents: 'a' }, /documents/],
      [{ query, documents: [1] }, /documents\.0/],
      [{ query, documents: Array(1_001).fill('a') }, /At most 1000 documents/],
      [{ query, documents: ['a'.repeat(200_001)] }, /at most 200000 characters/],
      [{ query, documents, top_n: 0 }, /top_n/],
    ];
    for (const [body, message] of wrong) {
      const { status, body: answer } = await send(body);
      assert.equal(status, 400, JSON.stringify(body).slice(0, 80));
      assert.match(JSON.stringify(answer), message);
    }
    assert.equal((await fetch(`${scene.service.url}/v2/rerank`, { method: 'POST' })).status, 401);
  });

  test('says that the model is not there', { skip: problem === undefined }, async () => {
    const { status, body } = await send({ query, documents: DOCUMENTS });
    assert.equal(status, 501);
    assert.match(JSON.stringify(body), /ENCODER_UNAVAILABLE/);
  });
});
