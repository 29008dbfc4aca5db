// The web archive of a job, read back by a strict reader.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32 } from '../../../../../src/archive/warc-writer.ts';
import type { ResultSlice } from '../../../../../src/operations/job/export/read-slices.ts';
import { writeWarc } from '../../../../../src/operations/job/export/warc.ts';
import { uuidv7 } from '../../../../../src/util/ids.ts';
import { type ReadRecord, readWarc } from '../../../../support/warc.ts';

const JOB = { id: '0190a0b0-0000-7000-8000-000000000000', kind: 'crawl', createdAt: Date.UTC(2026, 0, 1) } as const;
const READ_AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

async function* sliceOf(documents: object[]): AsyncGenerator<ResultSlice> {
  const texts = documents.map((document) => Buffer.from(JSON.stringify(document)));
  let end = -1;
  const ends = texts.map((text) => {
    end += text.byteLength + 1;
    return end;
  });
  yield { json: Buffer.from(texts.join(',')), ends };
}

async function written(documents: object[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeWarc(sliceOf(documents), JOB)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const headersOf = ({ headers }: ReadRecord, ...names: string[]) => names.map((name) => headers.get(name));

const metadata = (url: string, more = {}) => ({
  url,
  sourceURL: url,
  statusCode: 200,
  scrapeId: uuidv7(READ_AT),
  ...more,
});

test('a page becomes a resource, conversions that refer to it, and its facts', async () => {
  const page = {
    ...{ rawHtml: '<p>Grüße</p>\r\n\r\n', html: '<p>Grüße</p>', markdown: 'Grüße 🐟', links: ['http://a.test/2'] },
    metadata: metadata('http://a.test/ä b?q=ü#part', { title: 'Fish' }),
  };
  const [info, resource, html, markdown, facts, ...rest] = await readWarc(await written([page]));
  assert.deepEqual(rest, []);
  assert.deepEqual(headersOf(info!, 'warc-type', 'content-type', 'warc-date'), [
    'warcinfo',
    'application/warc-fields',
    '2026-01-01T00:00:00.000Z',
  ]);
  assert.match(info!.content.toString(), /^software: Trawl\/.*\r\nformat: WARC File Format 1\.1\r\n/);
  const target = 'http://a.test/%C3%A4%20b?q=%C3%BC';
  assert.deepEqual(headersOf(resource!, 'warc-type', 'content-type', 'warc-date', 'warc-target-uri'), [
    'resource',
    'text/html; charset=utf-8',
    '2026-01-02T03:04:05.006Z',
    target,
  ]);
  assert.equal(resource!.content.toString(), page.rawHtml);
  const source = resource!.headers.get('warc-record-id');
  for (const record of [html, markdown]) {
    assert.deepEqual(headersOf(record!, 'warc-type', 'warc-refers-to', 'warc-target-uri'), [
      'conversion',
      source,
      target,
    ]);
  }
  assert.deepEqual([html!.content.toString(), markdown!.content.toString()], [page.html, page.markdown]);
  assert.deepEqual(headersOf(facts!, 'warc-type', 'content-type', 'warc-refers-to'), [
    'metadata',
    'application/json',
    source,
  ]);
  assert.deepEqual(JSON.parse(facts!.content.toString()), { links: page.links, metadata: page.metadata });
});

test('the same job makes the same file, and two pages with one address have records of their own', async () => {
  const pages = [1, 2].map((number) => ({ markdown: `Page ${number}`, metadata: metadata('http://a.test/') }));
  const file = await written(pages);
  assert.deepEqual(file, await written(pages));
  const records = await readWarc(file);
  assert.deepEqual(
    records.map(({ headers }) => headers.get('warc-type')),
    ['warcinfo', 'conversion', 'metadata', 'conversion', 'metadata'],
  );
  // Without the HTML, the facts describe the Markdown.
  assert.equal(records[1]!.headers.get('warc-refers-to'), undefined);
  assert.equal(records[2]!.headers.get('warc-refers-to'), records[1]!.headers.get('warc-record-id'));
});

test('bytes of files, pages from the cache, lost pages and hostile addresses are written as what they are', async () => {
  const file = Buffer.from([0, 1, 2, 255]);
  const documents = [
    {
      rawBase64: file.toString('base64'),
      metadata: metadata('http://a.test/f.pdf', { contentType: 'application/pdf' }),
    },
    { rawBase64: '', metadata: metadata('http://a.test/g', { contentType: 'x\r\nEvil: 1' }) },
    { markdown: '', metadata: metadata('http://a.test/\r\nEvil: 1', { cachedAt: '2025-05-06T07:08:09.000Z' }) },
    { warning: 'The stored content of this page is lost.', metadata: {} },
  ];
  const records = await readWarc(await written(documents));
  const resources = records.filter(({ headers }) => headers.get('warc-type') === 'resource');
  assert.deepEqual(
    resources.map((record) => [record.headers.get('content-type'), record.content.toString('hex')]),
    [
      ['application/pdf', '000102ff'],
      ['application/octet-stream', ''],
    ],
  );
  const conversion = records.find(({ headers }) => headers.get('warc-type') === 'conversion')!;
  assert.deepEqual(headersOf(conversion, 'warc-target-uri', 'warc-date', 'content-length'), [
    'http://a.test/Evil:%201',
    '2025-05-06T07:08:09.000Z',
    '0',
  ]);
  assert.deepEqual(JSON.parse(records.at(-1)!.content.toString()), documents[3]);
});

test('a job without pages has an archive without pages', async () => {
  assert.equal((await readWarc(await written([]))).length, 1);
});

test('base 32 is that of RFC 4648 without padding', () => {
  const samples = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  };
  for (const [text, expected] of Object.entries(samples)) assert.equal(base32(Buffer.from(text)), expected);
});
