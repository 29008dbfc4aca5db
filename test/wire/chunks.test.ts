// The format `chunks` over HTTP: beside the Markdown and without it, redacted, for uploads and PDFs, and as the export of a job.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chunk } from '../../src/contracts/formats/chunk.ts';
import { BATCH, CRAWL, runBatch, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { HTML, reply } from '../support/web/reply.ts';

const paragraph = (topic: string) =>
  `<p>${Array.from({ length: 4 }, (_, at) => `Part ${at + 1} of what there is to know about ${topic}.`).join(' ')}</p>`;
const guide = (title: string) => `<!doctype html><html lang="en"><title>${title}</title><body><main><h1>${title}</h1>
<p>Write to keeper@harbour.example for a key.</p>
<h2>Oil</h2>${paragraph('the oil of the lamp')}<h2>Glass</h2>${paragraph('the glass of the lamp')}
<h3>Sizes</h3><table><tr><th>Glass</th><th>Height</th></tr>${Array.from(
  { length: 12 },
  (_, at) => `<tr><td>Glass number ${at}</td><td>${at} inches</td></tr>`,
).join('')}</table><p><a href="/other">Other lamps</a></p></main></body></html>`;

const scene = useService({}, undefined, {
  'lamps.test': {
    '/': reply(guide('Lamps'), { type: HTML }),
    '/other': reply(guide('Other lamps'), { type: HTML }),
  },
});

interface Answer {
  code?: string;
  error?: string;
  data: { markdown?: string; chunks: Chunk[]; warning?: string; metadata: { title: string; creditsUsed: number } };
}

async function scrape(options: object, url = scene.web.url('lamps.test', '/')): Promise<Answer & { status: number }> {
  const { status, body } = await scene.service.scrape<Answer>({ url, ...options });
  return { status, ...body };
}
const small = { type: 'chunks', maxTokens: 80 };

test('the chunks of a page are its Markdown, with and without the Markdown, and cost nothing', async () => {
  const { data } = await scrape({ formats: ['markdown', small] });
  assert.ok(data.chunks.length > 3);
  assert.equal(data.chunks.map(({ start, end }) => data.markdown!.slice(start, end)).join(''), data.markdown);
  assert.ok(data.chunks.every(({ tokens }) => tokens <= 80));
  assert.deepEqual(data.chunks.at(-1)!.headings, ['Lamps', 'Glass', 'Sizes']);
  assert.equal(data.chunks.at(-1)!.context, 'Lamps > Glass > Sizes');
  assert.match(data.chunks.at(-1)!.text, /^\| Glass \| Height \|\n\| --- \| --- \|\n\| Glass number/);
  assert.equal(data.metadata.creditsUsed, 1);
  const alone = await scrape({ formats: [small] });
  assert.deepEqual([alone.data.chunks, alone.data.markdown], [data.chunks, undefined]);
  const usual = await scrape({ formats: ['chunks'] });
  assert.ok(usual.data.chunks.length < data.chunks.length);
});

test('options that are out of bounds are refused', async () => {
  for (const [options, field] of [
    [{ maxTokens: 49 }, 'maxTokens'],
    [{ maxTokens: 8001 }, 'maxTokens'],
    [{ overlap: -1 }, 'overlap'],
    [{ maxTokens: 100, overlap: 50 }, 'overlap'],
  ] as const) {
    const { status, code, error } = await scrape({ formats: [{ type: 'chunks', ...options }] });
    assert.deepEqual([status, code], [400, 'BAD_REQUEST']);
    assert.match(error!, new RegExp(field));
  }
});

test('what is redacted in the Markdown is redacted in the chunks', async () => {
  const redactPII = { entities: ['EMAIL'], mode: 'fast' };
  const { status, data, error } = await scrape({ formats: ['markdown', small], redactPII });
  assert.equal(status, 200, error);
  assert.match(data.chunks[0]!.text, /Write to <EMAIL> for a key/);
  assert.equal(data.chunks.map(({ start, end }) => data.markdown!.slice(start, end)).join(''), data.markdown);
});

test('the chunks of a PDF have their pages, and those of an upload none', async () => {
  const pdf = await scrape({ formats: ['chunks'] }, scene.web.url('files.test', '/paper.pdf'));
  assert.deepEqual(
    pdf.data.chunks.map(({ page, text }) => [page, text]),
    [[1, 'A paper about harbours']],
  );
  const form = new FormData();
  form.set('file', new File(['# Notes\n\nOil the lamp.\n'], 'notes.md'));
  form.set('options', JSON.stringify({ formats: ['chunks'] }));
  const response = await scene.service.fetch('/v2/parse', { method: 'POST', body: form });
  const { data } = (await response.json()) as Answer;
  assert.deepEqual(
    data.chunks.map(({ page, headings, text }) => [page, headings, text]),
    [[undefined, ['Notes'], '# Notes\n\nOil the lamp.']],
  );
});

test('an export of the chunks of a crawl has one a line, with the URL and title of its page', async () => {
  const { id, documents } = await runCrawl(scene.service, {
    url: scene.web.url('lamps.test', '/'),
    scrapeOptions: { formats: [small] },
  });
  assert.equal(documents.length, 2);
  const response = await scene.service.fetch(`${CRAWL}/${id}/export?format=chunks`);
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="crawl-${id}.chunks.jsonl"`);
  const lines = (await response.text()).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    documents.flatMap(({ metadata, ...document }) =>
      (document as unknown as Answer['data']).chunks.map((chunk) => ({
        ...{ url: metadata.url, title: (metadata as { title?: string }).title },
        ...chunk,
      })),
    ),
  );
});

test('a job without chunks is not exported as chunks', async () => {
  const { id } = await runBatch(scene.service, { urls: [scene.web.url('lamps.test', '/')] });
  const response = await scene.service.fetch(`${BATCH}/${id}/export?format=chunks`);
  const { code, error } = (await response.json()) as Answer;
  assert.deepEqual([response.status, code], [400, 'BAD_REQUEST']);
  assert.match(error!, /started without the format `chunks`/);
});
