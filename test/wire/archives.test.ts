// Archives: what was received for a scrape or a crawl, exactly; as files, as a source instead of the web, and from elsewhere.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { openZip } from '../../src/parse/container/zip.ts';
import { BROWSER_SETTINGS, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { CRAWL, type JobDocument, runCrawl } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { type ReadRecord, readWarc } from '../support/warc.ts';
import { KEPT, KEPT_BODIES } from '../support/web/kept-pages.ts';

const scene = useService(BROWSER_SETTINGS, undefined, KEPT);
const url = (path = '/') => scene.web.url('kept.test', path);
const HEAD_END = '\r\n\r\n';

interface Archive {
  id: string;
  kind: string;
  records: number;
  removed: number;
  warnings: string[];
}

const scrape = async (body: object) => {
  const { body: answer } = await scene.service.scrape<{ data: JobDocument; code?: string }>(body);
  return answer;
};
const archived = async (path: string, more: object = {}) => {
  const { data } = await scrape({ url: url(path), archive: true, ...more });
  return data.metadata.scrapeId;
};
const get = async <T>(path: string): Promise<T> => (await (await scene.service.fetch(path)).json()) as T;
const download = async (path: string) => Buffer.from(await (await scene.service.fetch(path)).arrayBuffer());
const warcOf = async (id: string) => readWarc(await download(`/v2/archives/${id}/export?format=warc`));
const ofType = (records: ReadRecord[], type: string) =>
  records.filter(({ headers }) => headers.get('warc-type') === type);
const targets = (records: ReadRecord[]) =>
  records.map(({ headers }) => new URL(headers.get('warc-target-uri')!).pathname);
const split = ({ content }: ReadRecord) => {
  const end = content.indexOf(HEAD_END) + HEAD_END.length;
  return { head: content.toString('latin1', 0, end), body: content.subarray(end) };
};
const upload = async (bytes: Uint8Array, name: string) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await scene.service.fetch('/v2/archives', { method: 'POST', body: form });
  return { status: response.status, body: (await response.json()) as { code?: string; error?: string; data: Archive } };
};

describe('the archive of a scrape', () => {
  test('has the response as it was received: its header lines in their spelling, and the body with its content coding', async () => {
    const records = await warcOf(
      await archived('/', { fastMode: true, headers: { 'X-Token': 'a secret of the caller' } }),
    );
    assert.deepEqual(
      records.map(({ headers }) => headers.get('warc-type')),
      ['warcinfo', 'response', 'request'],
    );
    const { head, body } = split(records[1]!);
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
    for (const line of ['Content-Encoding: gzip', 'X-Odd-Case: Kept', 'set-cookie: a=1', 'set-cookie: b=2'])
      assert.ok(head.includes(`\r\n${line}\r\n`), head);
    assert.ok(body.equals(KEPT_BODIES['/']!));
    const digest = createHash('sha256').update(body).digest('hex');
    assert.equal(records[1]!.headers.get('warc-payload-digest'), `sha256:${digest}`);
    const request = records[2]!.content.toString();
    assert.match(request, /^GET \/ HTTP\/1\.1\r\nHost: kept\.test:\d+\r\n/);
    assert.doesNotMatch(request, /secret|x-token/i);
  });

  test('has redirects with their bodies', async () => {
    const records = ofType(await warcOf(await archived('/gone', { fastMode: true })), 'response');
    assert.deepEqual(targets(records), ['/gone', '/oil']);
    const { head, body } = split(records[0]!);
    assert.match(head, /^HTTP\/1\.1 301 /);
    assert.equal(body.toString(), 'It has moved.');
  });

  test('has what a rendered page has loaded, and the same picture only once', NEEDS_BROWSER, async () => {
    const records = await warcOf(await archived('/', { waitFor: 300 }));
    const responses = ofType(records, 'response');
    for (const record of responses) {
      const { head, body } = split(record);
      const [path] = targets([record]);
      const expected = KEPT_BODIES[path!];
      if (expected) assert.ok(body.equals(expected), path);
      // Undone, so the header has another name.
      assert.doesNotMatch(head, /\r\ntransfer-encoding:/i);
    }
    const revisits = ofType(records, 'revisit');
    assert.deepEqual(
      [...targets(responses), ...targets(revisits)].filter((path) => path !== '/favicon.ico').toSorted(),
      Object.keys(KEPT_BODIES).toSorted(),
    );
    assert.equal(revisits.length, 1);
    const [again] = revisits;
    const first = responses.find(
      ({ headers }) => headers.get('warc-record-id') === again!.headers.get('warc-refers-to'),
    );
    assert.equal(again!.headers.get('warc-payload-digest'), first!.headers.get('warc-payload-digest'));
  });

  test(
    'has what the browser tells of a rendered page over https: without its content coding, which is named',
    NEEDS_BROWSER,
    async () => {
      const secure = scene.web.secureUrl('kept.test', '/');
      const { data } = await scrape({ url: secure, archive: true, waitFor: 300 });
      const responses = ofType(await warcOf(data.metadata.scrapeId), 'response');
      const home = responses.findLast((record) => targets([record])[0] === '/')!;
      const { head, body } = split(home);
      assert.match(head, /\r\nx-orig-content-encoding: gzip\r\n/i);
      assert.ok(body.equals(gunzipSync(KEPT_BODIES['/']!)));
      assert.ok(targets(responses).includes('/data.json'));
      const again = await scrape({ url: secure, source: { archive: data.metadata.scrapeId }, waitFor: 300 });
      assert.match(again.data.markdown!, /The lamp is 42 metres high\./);
    },
  );

  test('is not made without being asked for, and is refused where nothing may be stored', async () => {
    const { data } = await scrape({ url: url('/oil') });
    assert.equal((await get<{ code: string }>(`/v2/archives/${data.metadata.scrapeId}`)).code, 'ARCHIVE_NOT_FOUND');
    const refused = await scrape({ url: url('/oil'), archive: true, zeroDataRetention: true });
    assert.equal(refused.code, 'ARCHIVE_NEEDS_STORAGE');
  });
});

describe('a WACZ file', () => {
  let id: string;
  let file: Buffer;
  before(async () => {
    id = (await runCrawl(scene.service, { url: url(), limit: 5, archive: true })).id;
    file = await download(`${CRAWL}/${id}/export?format=wacz`);
  });

  test('names all of its parts with their digests', () => {
    const zip = openZip(file);
    const read = (name: string) => Buffer.from(zip.read(name)!);
    const datapackage = JSON.parse(read('datapackage.json').toString());
    assert.deepEqual([datapackage.profile, datapackage.wacz_version], ['data-package', '1.1.1']);
    for (const { path, hash, bytes } of datapackage.resources) {
      const part = read(path);
      assert.deepEqual([`sha256:${createHash('sha256').update(part).digest('hex')}`, part.byteLength], [hash, bytes]);
    }
    const digest = JSON.parse(read('datapackage-digest.json').toString());
    const own = createHash('sha256').update(read('datapackage.json')).digest('hex');
    assert.deepEqual(digest, { path: 'datapackage.json', hash: `sha256:${own}` });
    const [header, ...pages] = read('pages/pages.jsonl')
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(header.format, 'json-pages-1.0');
    assert.deepEqual(new Set(pages.map((page) => page.title)), new Set(['Lamps', 'Oil']));
  });

  test('stores archives and index uncompressed, and each line of the index leads to its record', () => {
    const zip = openZip(file);
    const records = Buffer.from(zip.read('archive/data-00000.warc.gz')!);
    assert.ok(file.includes(records), 'as it is');
    const packed = Buffer.from(zip.read('indexes/index.cdx.gz')!);
    assert.ok(file.includes(packed), 'as it is');
    const lines = gunzipSync(packed).toString().trim().split('\n');
    assert.deepEqual(
      lines,
      lines.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
    );
    for (const line of lines) {
      const found = JSON.parse(line.slice(line.indexOf('{')));
      const [at, length] = [Number(found.offset), Number(found.length)];
      const text = gunzipSync(records.subarray(at, at + length)).toString('latin1');
      assert.ok(text.includes(`WARC-Target-URI: ${found.url}\r\n`), line);
      assert.equal(text.includes('WARC-Type: revisit'), found.mime === 'warc/revisit');
    }
  });

  test('is the same each time, and is served in parts', async () => {
    const path = `${CRAWL}/${id}/export?format=wacz`;
    const whole = await scene.service.fetch(path);
    assert.equal(whole.headers.get('content-length'), String(file.byteLength));
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(file));
    const part = await scene.service.fetch(path, { headers: { range: 'bytes=100-199' } });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 100-199/${file.byteLength}`]);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(file.subarray(100, 200)));
    const outside = await scene.service.fetch(path, { headers: { range: `bytes=${file.byteLength}-` } });
    assert.equal(outside.status, 416);
  });

  test('can be uploaded elsewhere: pages are read from it without a request', async () => {
    const { status, body } = await upload(file, 'lamps.wacz');
    assert.deepEqual([status, body.data.kind, body.data.warnings], [200, 'upload', []]);
    const before = scene.web.requests('kept.test');
    const source = { archive: body.data.id };
    const read = await scrape({ url: url('/gone'), source });
    assert.match(read.data.markdown!, /# Oil/);
    assert.equal(read.data.metadata.url, url('/oil'));
    const crawled = await runCrawl(scene.service, { url: url(), source, limit: 5 });
    assert.deepEqual(crawled.documents.map(({ metadata }) => metadata.url).toSorted(), [url(), url('/oil')].toSorted());
    const missed = await scrape({ url: url('/secret'), source });
    assert.equal(missed.code, 'ARCHIVE_MISS');
    assert.equal(scene.web.requests('kept.test'), before);
  });

  test('is read by a browser, too, which reaches nothing else', NEEDS_BROWSER, async () => {
    const rendered = await archived('/', { waitFor: 300 });
    const before = scene.web.requests('kept.test');
    const { data } = await scrape({ url: url(), source: { archive: rendered }, waitFor: 300 });
    assert.match(data.markdown!, /The lamp is 42 metres high\./);
    assert.equal(scene.web.requests('kept.test'), before);
  });
});

test('a page that is deleted leaves a note in archives, and the export says so', async () => {
  const id = await archived('/oil', { fastMode: true });
  const deleted = await scene.service.fetch(`/v2/index/pages?url=${encodeURIComponent(url('/oil'))}`, {
    method: 'DELETE',
  });
  assert.equal(deleted.status, 200, await deleted.text());
  const { data } = await get<{ data: Archive }>(`/v2/archives/${id}`);
  assert.equal(data.removed, 1);
  const response = await scene.service.fetch(`/v2/archives/${id}/export?format=warc`);
  assert.equal(response.headers.get('x-trawl-removed'), '1');
  const records = await readWarc(Buffer.from(await response.arrayBuffer()));
  assert.deepEqual(
    records.map(({ headers }) => headers.get('warc-type')),
    ['warcinfo', 'metadata'],
  );
  assert.deepEqual(Object.keys(JSON.parse(records[1]!.content.toString())), ['removed', 'digest']);
  assert.equal(records[1]!.headers.get('warc-target-uri'), url('/oil'));
  assert.equal((await scrape({ url: url('/oil'), source: { archive: id } })).code, 'ARCHIVE_MISS');
});

test('archives are listed, shown and deleted, and belong to their team', async () => {
  const id = await archived('/oil', { fastMode: true });
  const listed = await get<{ data: Archive[] }>('/v2/archives?limit=100');
  assert.ok(listed.data.some((archive) => archive.id === id && archive.kind === 'scrape' && archive.records === 1));
  const page = await get<{ data: Archive[]; next: string }>('/v2/archives?limit=1');
  assert.deepEqual([page.data.length, page.data[0]!.id], [1, listed.data[0]!.id]);
  assert.equal(
    (await get<{ data: Archive[] }>(`/v2/archives?limit=1&cursor=${page.next}`)).data[0]!.id,
    listed.data[1]!.id,
  );
  assert.equal((await scene.service.fetch(`/v2/archives/${id}`, { method: 'DELETE' })).status, 200);
  for (const path of [`/v2/archives/${id}`, `/v2/archives/${id}/export`, `/v2/scrape/${id}/export`])
    assert.equal((await get<{ code: string }>(path)).code, 'ARCHIVE_NOT_FOUND');
});
