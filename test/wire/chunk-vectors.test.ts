// Chunks with vectors over HTTP: from the operator's server and from our own encoder, what is embedded again, and what is kept.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Chunk } from '../../src/contracts/formats/chunk.ts';
import { runtimeProblem } from '../../src/encoders/model-runtime/model-runtime.ts';
import { type EmbeddingTestServer, lettersOf, startEmbeddingServer } from '../support/models/embedding-server.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { useService } from '../support/use-service.ts';
import { HTML, reply, type Site } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const NEEDS_MODEL = { skip: runtimeProblem() ?? false };
const about = (topic: string) =>
  `<h2>${topic}</h2><p>${Array.from({ length: 8 }, (_, at) => `Part ${at} of what is known about ${topic}.`).join(' ')}</p>`;
const lamps = (...topics: string[]) =>
  `<!doctype html><html lang="en"><title>Lamps</title><body><main><h1>Lamps</h1>
  <p>Write to keeper@harbour.example for a key.</p>${topics.map(about).join('')}</main></body></html>`;
let topics = ['Oil', 'Glass'];
const site: Site = { '/': (exchange) => reply(lamps(...topics), { type: HTML })(exchange) };

const usual = useService({}, undefined, { 'lamps.test': { '/': reply(lamps('Oil'), { type: HTML }) } });
let web: Web;
let server: EmbeddingTestServer;
let service: RunningService;

before(async () => {
  [web, server] = await Promise.all([startWeb({ 'lamps.test': site }), startEmbeddingServer()]);
  service = await startServiceHereWith(web, { ...server.settings(), TRAWL_TEAM_FEATURES: 'zdr' });
});
after(async () => {
  await service?.stop();
  await Promise.all([web?.stop(), server?.close()]);
});

const format = { type: 'chunks', maxTokens: 60, embeddings: true };

interface Answer {
  error?: string;
  data: { chunks: Chunk[]; warning?: string };
}

async function scrape(options: object = {}): Promise<Answer['data']> {
  const url = web.url('lamps.test', '/');
  const { status, body } = await service.scrape<Answer>({ url, maxAge: 0, formats: [format], ...options });
  assert.equal(status, 200, body.error);
  return body.data;
}

/** The texts that the server was asked about meanwhile. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const before = server.asked.length;
  await work();
  return server.asked.slice(before).flat();
}

const rounded = (vector: number[] | undefined) => vector?.map((number) => Math.round(number * 1e6));

test('chunks have the vectors of their context and text, and a page that is read again has only new chunks embedded', async () => {
  const texts = await asked(async () => {
    const { chunks, warning } = await scrape();
    assert.equal(warning, undefined);
    assert.ok(chunks.length >= 3);
    for (const { context, text, embedding, embeddingModel } of chunks) {
      assert.deepEqual(rounded(embedding), rounded(lettersOf(`${context}\n\n${text}`)));
      assert.equal(embeddingModel, 'letters');
    }
    assert.equal(new Set(chunks.map(({ embedding }) => `${embedding}`)).size, chunks.length);
  });
  assert.ok(texts.length >= 3);
  assert.deepEqual(await asked(() => scrape()), []);
  topics = ['Oil', 'Glass', 'Wicks'];
  const added = await asked(() => scrape());
  assert.ok(added.length > 0 && added.every((text) => text.includes('Wicks')), added.join('\n---\n'));
});

test('nothing is sent unless it is asked for, and text is redacted before', async () => {
  assert.deepEqual(await asked(() => scrape({ formats: [{ type: 'chunks', maxTokens: 61 }] })), []);
  const redacted = await asked(() => scrape({ redactPII: { entities: ['EMAIL'], mode: 'fast' } }));
  assert.ok(redacted.length > 0 && redacted.some((text) => text.includes('<EMAIL>')));
  assert.ok(redacted.every((text) => !text.includes('keeper@harbour.example')));
});

test('vectors of private pages are not kept, and others go with the stored pages of the site', async () => {
  await scrape();
  for (const options of [{ zeroDataRetention: true }, { storeInCache: false }, { headers: { 'X-A': '1' } }]) {
    assert.ok((await asked(() => scrape(options))).length > 0, JSON.stringify(options));
  }
  assert.deepEqual(await asked(() => scrape()), []);
  const host = encodeURIComponent(new URL(web.url('lamps.test', '/')).host);
  const { status } = await service.fetch(`/v2/index/pages?host=${host}`, { method: 'DELETE' });
  assert.equal(status, 200);
  assert.ok((await asked(() => scrape())).length > 0);
});

test('a server that fails takes nothing but the vectors', async () => {
  server.answer({ status: 400, body: { error: { message: 'no' } } });
  topics = ['Storms'];
  const { chunks, warning } = await scrape();
  server.answer(undefined);
  assert.ok(chunks.length > 0 && chunks.some(({ embedding }) => embedding === undefined));
  assert.match(warning!, /`embedding` is missing in \d of \d chunks\. The language model letters does not accept/);
  assert.equal((await scrape()).warning, undefined);
});

test('without a server, our own encoder makes them', NEEDS_MODEL, async () => {
  const url = usual.web.url('lamps.test', '/');
  const { status, body } = await usual.service.scrape<Answer>({ url, formats: [format] });
  assert.equal(status, 200, body.error);
  for (const { embedding, embeddingModel } of body.data.chunks) {
    assert.equal(embeddingModel, 'all-MiniLM-L6-v2');
    assert.equal(embedding?.length, 384);
    assert.ok(Math.abs(Math.hypot(...embedding) - 1) < 0.01);
  }
});
