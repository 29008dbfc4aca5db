// The whole result of a job as one download, in every format, as somebody loads it into another program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createApiClient, textOf } from '../../src/client/api-client.ts';
import { ApiError } from '../../src/client/api-error.ts';
import { connectOverHttp } from '../../src/client/http-connection.ts';
import { openZip } from '../../src/parse/container/zip.ts';
import { readCsv } from '../support/csv.ts';
import { BATCH, CRAWL, cancel, type EndedJob, pathOf, runBatch, runCrawl, startJob, until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';

const scene = useService();

let docs: Promise<EndedJob> | undefined;
const crawlDocs = () => {
  docs ??= runCrawl(scene.service, {
    url: scene.web.url('docs.test'),
    limit: 20,
    scrapeOptions: { formats: ['markdown', 'html', 'rawHtml', 'links'] },
  });
  return docs;
};

const exported = (path: string, query = '') => scene.service.fetch(`${path}/export${query}`);
const exportDocs = async (query = '') => exported(`${CRAWL}/${(await crawlDocs()).id}`, query);

describe('an export', () => {
  test('is JSON Lines by default: each document of the status pages on a line', async () => {
    const { id, documents } = await crawlDocs();
    const response = await exportDocs();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="crawl-${id}.jsonl"`);
    assert.equal(response.headers.get('x-trawl-job-status'), 'completed');
    assert.equal(response.headers.get('x-trawl-documents'), '20');
    const lines = (await response.text()).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      documents,
    );
  });

  test('as JSON is a list of the documents', async () => {
    const { documents } = await crawlDocs();
    assert.deepEqual(await (await exportDocs('?format=json')).json(), documents);
  });

  test('as CSV has a row a page, and a column for each format', async () => {
    const { documents } = await crawlDocs();
    const response = await exportDocs('?format=csv');
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    const text = Buffer.from(await response.arrayBuffer()).toString();
    assert.ok(text.startsWith('\ufeffurl,sourceURL,title,'));
    const [head, ...rows] = readCsv(text.slice(1));
    assert.deepEqual(head!.slice(-4), ['markdown', 'links', 'html', 'rawHtml']);
    assert.deepEqual(
      rows.map((row) => [row[0], row[5], row.at(-1)]),
      documents.map(({ metadata, rawHtml }) => [metadata.url, String(metadata.statusCode), rawHtml]),
    );
  });

  test('as Markdown has each page below a line with its address', async () => {
    const { documents } = await crawlDocs();
    const text = await (await exportDocs('?format=markdown')).text();
    const pages = documents.map(({ metadata, markdown }) => [metadata.sourceURL, markdown!.trimEnd()]);
    const sections = text.split(/^<!-- (http.*) -->\n/m).slice(1);
    assert.deepEqual(
      sections.map((part) => part.trim()),
      pages.flat().map((part) => part!.trim()),
    );
  });

  test('as llms.txt lists the pages, as llms-full.txt has their texts, and as a sitemap their addresses', async () => {
    const { documents } = await crawlDocs();
    const good = documents.filter(({ metadata }) => metadata.statusCode < 400);
    const urls = good.map(({ metadata }) => metadata.url).sort();
    const list = await exportDocs('?format=llms');
    assert.match(list.headers.get('content-disposition')!, /\.llms\.txt"$/);
    const text = await list.text();
    assert.match(text, /^# .+\n\n/);
    assert.deepEqual([...text.matchAll(/^- \[.+?\]\((.+?)\)/gm)].map(([, url]) => url).sort(), urls);
    const full = await (await exportDocs('?format=llms-full')).text();
    for (const { markdown } of good) assert.ok(full.includes(markdown!.trimEnd()));
    const sitemap = await (await exportDocs('?format=sitemap')).text();
    assert.match(sitemap, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset .*<\/urlset>\n$/s);
    assert.deepEqual([...sitemap.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url]) => url).sort(), urls);
    assert.doesNotMatch(sitemap, /lastmod/, 'no page says when it was changed');
  });

  test('as ZIP has the texts of each page as files, and an index', async () => {
    const { documents } = await crawlDocs();
    const bytes = Buffer.from(await (await exportDocs('?format=zip')).arrayBuffer());
    await checkWithUnzip(bytes);
    const archive = openZip(bytes);
    const text = (name: string) => Buffer.from(archive.read(name)!).toString();
    const index = JSON.parse(text('index.json')) as { files: string[]; metadata: { url: string } }[];
    assert.deepEqual(
      index.map(({ metadata }) => metadata),
      documents.map(({ metadata }) => metadata),
    );
    for (const [at, { files }] of index.entries()) {
      const { markdown, html, rawHtml, links, metadata } = documents[at]!;
      const [md, data, shown, raw] = files.map(text);
      assert.ok(md!.startsWith(`---\nurl: ${JSON.stringify(metadata.sourceURL)}\n`));
      assert.ok(md!.endsWith(`\n---\n\n${markdown!.trimEnd()}\n`));
      assert.deepEqual(JSON.parse(data!), { url: metadata.sourceURL, links, metadata });
      assert.deepEqual([shown, raw], [html, rawHtml]);
    }
    const front = index.find(({ metadata }) => pathOf(metadata.url) === '/')!;
    assert.match(front.files[0]!, /^docs\.test[^/]*\/index\.md$/);
  });

  test('as ZIP has each page below its host, also if the caller wrote its URL without a scheme', async () => {
    const url = scene.web.url('load.test', '/article/3').replace('http://', '');
    const { id } = await runBatch(scene.service, { urls: [url] });
    const bytes = Buffer.from(await (await exported(`${BATCH}/${id}`, '?format=zip')).arrayBuffer());
    const [{ files, metadata }] = JSON.parse(Buffer.from(openZip(bytes).read('index.json')!).toString());
    assert.equal(metadata.sourceURL, url);
    assert.match(files[0], /^load\.test_\d+\/article\/3\.md$/);
  });

  test('is a stream for the client of the command line', async () => {
    const { id, documents } = await crawlDocs();
    const connection = connectOverHttp(scene.service.url);
    const api = createApiClient({ send: connection.send, key: scene.service.key, origin: 'test' });
    const { headers, body } = await api.download('exportCrawl', { params: { id }, query: { format: 'json' } });
    assert.equal(headers['x-trawl-documents'], String(documents.length));
    assert.deepEqual(JSON.parse(await textOf({ body })), documents);
    await assert.rejects(api.download('exportCrawl', { params: { id }, query: { format: 'xml' } }), ApiError);
    await connection.close();
  });

  test('is only described to a request for its headers, with its length', async () => {
    const { id } = await crawlDocs();
    const response = await scene.service.fetch(`${CRAWL}/${id}/export?format=zip`, { method: 'HEAD' });
    assert.deepEqual([response.status, await response.text()], [200, '']);
    assert.equal(response.headers.get('content-type'), 'application/zip');
    const whole = await (await exportDocs('?format=zip')).arrayBuffer();
    assert.equal(response.headers.get('content-length'), String(whole.byteLength));
  });

  test('of a job that has ended is sent in parts, as long as it is the same', async () => {
    const { id } = await crawlDocs();
    const send = (headers: Record<string, string>, format = 'jsonl') =>
      scene.service.fetch(`${CRAWL}/${id}/export?format=${format}`, {
        headers: { origin: 'http://other.test', ...headers },
      });
    const whole = await send({});
    const text = await whole.text();
    const size = Buffer.byteLength(text);
    const etag = whole.headers.get('etag')!;
    assert.equal(whole.headers.get('content-length'), String(size));
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    assert.match(whole.headers.get('access-control-expose-headers')!, /Content-Range.*ETag/);
    const part = await send({ range: 'bytes=10-19' });
    assert.deepEqual([part.status, await part.text()], [206, text.slice(10, 20)]);
    assert.equal(part.headers.get('content-range'), `bytes 10-19/${size}`);
    assert.equal(part.headers.get('x-trawl-documents'), '20');
    const end = await send({ range: 'bytes=-7', 'if-range': etag });
    assert.deepEqual([end.status, await end.text()], [206, text.slice(-7)]);
    const outside = await send({ range: `bytes=${size}-` });
    assert.deepEqual([outside.status, outside.headers.get('content-range')], [416, `bytes */${size}`]);
    const wholes: Record<string, string>[] = [
      { range: 'bytes=10-19', 'if-range': '"another"' },
      { range: 'bytes=10-19', 'if-range': new Date().toUTCString() },
      { range: 'bytes=0-1,5-6' },
      { range: 'pages=1-2' },
    ];
    for (const headers of wholes) {
      const answer = await send(headers);
      assert.deepEqual([answer.status, await answer.text()], [200, text]);
    }
    const unchanged = await send({ 'if-none-match': `"old", ${etag}` });
    assert.deepEqual([unchanged.status, await unchanged.text()], [304, '']);
    assert.notEqual((await send({}, 'csv')).headers.get('etag'), etag);
  });

  test('of a job with zero data retention is not kept, so it has no length', async () => {
    const request = { urls: [scene.web.url('news.test', '/plain')], zeroDataRetention: true };
    const { id } = await runBatch(scene.service, request);
    const response = await scene.service.fetch(`${BATCH}/${id}/export`, { headers: { range: 'bytes=0-1' } });
    assert.deepEqual([response.status, response.headers.get('content-length')], [200, null]);
    assert.ok((await response.text()).length > 10);
  });
});

describe('a refused export', () => {
  const refusal = async (response: Response) => {
    const { code, error } = (await response.json()) as { code: string; error: string };
    return { status: response.status, code, error };
  };

  test('names the formats that there are', async () => {
    const { status, error } = await refusal(await exportDocs('?format=xlsx'));
    assert.deepEqual(
      [status, error],
      [
        400,
        'Bad Request: `format` must be one of: jsonl, json, csv, markdown, chunks, zip, parquet, huggingface, llms, llms-full, sitemap, warc, wacz.',
      ],
    );
  });

  test('is that of a batch as a crawl, and of a job without Markdown as Markdown', async () => {
    const url = scene.web.url('news.test', '/plain');
    const { id } = await runBatch(scene.service, { urls: [url], formats: ['links'] });
    assert.equal((await exported(`${CRAWL}/${id}`)).status, 404);
    const { status, code } = await refusal(await exported(`${BATCH}/${id}`, '?format=markdown'));
    assert.deepEqual([status, code], [400, 'BAD_REQUEST']);
    const csv = await (await exported(`${BATCH}/${id}`, '?format=csv')).text();
    assert.equal(readCsv(csv)[0]!.at(-1), 'links');
  });

  test('to a bucket says that there is none, and where exports can go', async () => {
    const { id } = await crawlDocs();
    const store = (body: object) =>
      scene.service.fetch(`${CRAWL}/${id}/export`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const { status, code, error } = await refusal(await store({ destination: 's3' }));
    assert.deepEqual([status, code], [400, 'NO_EXPORT_BUCKET']);
    assert.match(error, /TRAWL_BLOBS_URL/);
    assert.match((await refusal(await store({ destination: '/etc' }))).error, /Set `destination` to "s3"/);
  });

  test('of a running job says how to get what it has, which partial=true does', async () => {
    const urls = [scene.web.url('news.test', '/plain'), scene.web.url('fault.test', '/stalled-headers')];
    const path = `${BATCH}/${await startJob(scene.service, BATCH, { urls })}`;
    const partial = await until(
      () => exported(path, '?partial=true'),
      ({ headers }) => headers.get('x-trawl-documents') === '1',
    );
    assert.equal(partial.headers.get('x-trawl-job-status'), 'scraping');
    assert.equal((await partial.text()).split('\n').length, 2);
    const { status, code, error } = await refusal(await exported(path));
    assert.deepEqual([status, code], [409, 'JOB_UNFINISHED']);
    assert.match(error, /^The job is still running: 1 of 2 pages are done\. .*`partial=true`/);
    await (await scene.service.fetch(`${path}/pause`, { method: 'POST' })).json();
    const paused = await exported(path, '?partial=true');
    assert.equal(paused.headers.get('x-trawl-job-status'), 'paused');
    assert.equal((await paused.text()).split('\n').length, 2);
    assert.match((await refusal(await exported(path))).error, /^The job is paused: 1 of 2 pages/);
    await cancel(scene.service, path);
    const ended = await exported(path, '?format=json');
    assert.equal(ended.headers.get('x-trawl-job-status'), 'cancelled');
    assert.equal(((await ended.json()) as unknown[]).length, 1);
  });
});

/** A second opinion, where there is one. */
async function checkWithUnzip(bytes: Uint8Array): Promise<void> {
  const file = join(tmpdir(), `trawl-export-${process.pid}.zip`);
  await writeFile(file, bytes);
  try {
    await promisify(execFile)('unzip', ['-tqq', file]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(file);
  }
}
