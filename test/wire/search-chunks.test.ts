// Searches that return the best chunks of what they find: of pages of the index, and of results that were scraped.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FoundChunk } from '../../src/contracts/formats/chunk.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { until } from '../support/jobs.ts';
import { useSearch } from '../support/search/search.ts';

const NEEDS_MODEL = { skip: runtimeProblem() ?? false };
const filler = (topic: string) =>
  Array.from({ length: 40 }, (_, at) => `Note ${at} of the ${topic} is kept here.`).join(' ');
const section = (heading: string, text: string) => `<h2>${heading}</h2><p>${text}</p>`;

const scene = useSearch({ TRAWL_SEMANTIC: 'on' }, [
  {
    at: 'harbour.test/lamps',
    title: 'Lamps of the harbour',
    text: 'Everything about the lamps.',
    html: [
      section('Wicks', `A wick lasts nine nights. ${filler('wicks')}`),
      section('Glasses', `A cracked glass is replaced by the keeper@harbour.example at dawn. ${filler('glasses')}`),
      section('Oil', `Whale oil burns with a bright flame. ${filler('oils')}`),
    ].join(''),
    isShort: true,
  },
  { at: 'harbour.test/nets', title: 'Nets', text: 'Glass floats carry the nets of the lamps.', isShort: true },
]);

interface Answer {
  creditsUsed?: number;
  data: { chunks?: FoundChunk[]; hits?: { url: string }[]; web?: { url: string }[] };
}

async function chunksOf(path: string, body: object): Promise<FoundChunk[]> {
  const { status, body: answer } = await scene.service.post<Answer>(path, { returns: 'chunks', ...body });
  assert.equal(status, 200, JSON.stringify(answer));
  assert.ok((answer.data.hits ?? answer.data.web)!.length > 0);
  return answer.data.chunks!;
}

describe('chunks of what was found', () => {
  const query = 'cracked glass of lamps';

  test('come from the text of the index, best first, under their headings', async () => {
    for (const path of ['/v2/search', '/v2/index/search']) {
      const chunks = await chunksOf(path, { query, limit: 5, ...(path === '/v2/index/search' && { mode: 'words' }) });
      const [first] = chunks;
      assert.ok(first!.url.endsWith('/lamps'), JSON.stringify(chunks));
      assert.equal(first!.title, 'Lamps of the harbour');
      assert.match(first!.text, /A cracked glass is replaced/);
      assert.ok(first!.headings.includes('Glasses'), first!.headings.join());
      assert.equal(first!.score, 1);
      assert.ok(chunks.length > 1 && chunks.length <= 5);
      assert.ok(chunks.every(({ score, tokens }, at) => tokens <= 200 && score <= (chunks[at - 1]?.score ?? 1)));
      assert.ok(chunks.some(({ url }) => url.endsWith('/nets')));
      assert.equal(new Set(chunks.map(({ id }) => id)).size, chunks.length);
      assert.deepEqual(
        await chunksOf(path, { query, limit: 5, ...(path === '/v2/index/search' && { mode: 'words' }) }),
        chunks,
      );
    }
  });

  test('are only there if they are asked for, and cost nothing', async () => {
    const plain = await scene.service.post<Answer>('/v2/search', { query });
    assert.equal(plain.body.data.chunks, undefined);
    const { body } = await scene.service.post<Answer>('/v2/search', { query, returns: 'chunks' });
    assert.deepEqual([body.creditsUsed, body.data.web], [plain.body.creditsUsed, plain.body.data.web]);
    assert.equal((await scene.service.post('/v2/search', { query, returns: 'vectors' })).status, 400);
  });

  test('are redacted: the text of the index is not used then, but what was scraped', async () => {
    const redactPII = { entities: ['EMAIL'], mode: 'fast' };
    const scraped = await chunksOf('/v2/search', { query, scrapeOptions: { formats: ['markdown'], redactPII } });
    assert.match(scraped[0]!.text, /replaced by the <EMAIL> at dawn/);
    assert.deepEqual(await chunksOf('/v2/search', { query, scrapeOptions: { redactPII } }), []);
  });

  test('are found in other words', NEEDS_MODEL, async () => {
    const query = 'which fuel gives light';
    const request = { query, mode: 'meaning', returns: 'chunks' };
    const { body } = await until(
      () => scene.service.post<Answer>('/v2/index/search', request),
      ({ body: { data } }) => data.chunks!.length > 0,
    );
    assert.match(body.data.chunks![0]!.text, /Whale oil burns/);
  });
});
