// A file uploaded before its parse: by anybody with the address, once, before it expires, across restarts and power cuts.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { startClockedService } from '../support/clocked-service.ts';
import { usesEngines } from '../support/engines.ts';
import { fullTest, test } from '../support/full-run.ts';
import { type RunningProgram, startService } from '../support/service.ts';
import { startWeb } from '../support/web.ts';

const MINUTE = 60_000;

let dataDir: string;
let service: RunningProgram;
const start = () =>
  startService({ TRAWL_DATA_DIR: dataDir, TRAWL_API_KEY: 'fc-of-this-test', TRAWL_MAX_UPLOAD_MB: '1' });

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-parse-'));
  service = await start();
});
after(async () => {
  await service?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Address {
  uploadUrl: string;
  uploadRef: string;
  expiresAt: string;
}
interface Answer {
  success: boolean;
  code?: string;
  error?: string;
  data: { markdown: string; metadata: Record<string, unknown> };
}

const address = async (request: object = { filename: 'table.csv' }): Promise<Address> => {
  const { status, body } = await service.post<{ data: Address; error: string }>('/v2/parse/upload-url', request);
  assert.equal(status, 200, body.error);
  return body.data;
};

/** Uploads without a key. */
const put = async (url: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { method: 'PUT', body: Buffer.from(body), headers });
  return { status: response.status, body: (await response.json()) as Answer };
};

const parse = (uploadRef: string, options: object = {}) => service.post<Answer>('/v2/parse', { uploadRef, ...options });

/** With a shared database, they are not in the data folder. */
const assertStoredFiles = (count: number) => {
  if (!usesEngines) assert.equal(storedFiles(), count);
};
const storedFiles = () =>
  readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;

test('a file is uploaded without a key, parsed with one, and gone afterwards', async () => {
  const { uploadUrl, uploadRef } = await address({ filename: 'Tabelle über Tiere.csv', contentType: 'text/csv' });
  assert.ok(uploadUrl.startsWith(`${service.url}/v2/parse/upload/`));
  assert.deepEqual(await put(uploadUrl, 'a,b\n1,2\n'), { status: 200, body: { success: true } });
  assertStoredFiles(1);

  const { status, body } = await parse(uploadRef, { formats: ['markdown'], timeout: 60_000 });
  assert.equal(status, 200, body.error);
  assert.equal(body.data.markdown, '| a | b |\n| --- | --- |\n| 1 | 2 |');
  assert.equal(body.data.metadata.sourceFile, 'Tabelle über Tiere.csv');
  assertStoredFiles(0);
  const again = await parse(uploadRef);
  assert.deepEqual([again.status, again.body.code], [404, 'NOT_FOUND']);
  assert.equal((await put(uploadUrl, 'more')).status, 404);
});

test('a second file, a file that is too large or of another size, and one for an invalid address are refused', async () => {
  const { uploadUrl, uploadRef } = await address();
  const tooLarge = await put(uploadUrl, 'x'.repeat(1024 * 1024 + 1));
  assert.deepEqual([tooLarge.status, tooLarge.body.code], [400, 'BAD_REQUEST']);
  assert.match(tooLarge.body.error!, /larger than 1 MB/);
  assert.equal((await put(uploadUrl, 'a,b\n')).status, 200);
  assert.match((await put(uploadUrl, 'c,d\n')).body.error!, /already/);
  assert.equal((await put(uploadUrl.replace(/.$/, '!'), 'x')).status, 404);
  assert.equal((await put(uploadUrl.replace(/\?.*/, ''), 'x')).status, 404);
  assert.equal((await parse(uploadRef)).status, 200);

  const announced = await address({ filename: 'a.txt', declaredSizeBytes: 5 });
  assert.match((await put(announced.uploadUrl, '1234')).body.error!, /5 bytes/);
  assert.equal((await put(announced.uploadUrl, '12345', { 'content-type': 'application/json' })).status, 200);
  assert.equal((await parse(announced.uploadRef)).body.data.markdown, '12345');
});

test('a refused parse can be tried again, one of an unsupported file cannot', async () => {
  const { uploadUrl, uploadRef } = await address({ filename: 'a.txt' });
  assert.match((await parse(uploadRef)).body.error!, /No file has been uploaded/);
  await put(uploadUrl, 'words');
  assert.equal((await parse(uploadRef, { mobile: true })).body.code, 'PARSE_UNSUPPORTED_OPTIONS');
  assert.equal((await parse(uploadRef, { timeout: 5 })).body.code, 'BAD_REQUEST');
  assert.equal((await parse(uploadRef)).body.data.markdown, 'words');

  const program = await address({ filename: 'program' });
  await put(program.uploadUrl, Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'latin1'));
  assert.equal((await parse(program.uploadRef)).body.code, 'UNSUPPORTED_FILE_TYPE');
  assert.equal((await parse(program.uploadRef)).body.code, 'NOT_FOUND');
});

test('a request for an upload address is validated', async () => {
  const ask = async (body: object) => (await service.post('/v2/parse/upload-url', body)).body;
  assert.match(String((await ask({})).error), /`filename`/);
  assert.equal((await ask({ filename: '' })).code, 'BAD_REQUEST');
  assert.equal((await ask({ filename: 'x'.repeat(513) })).code, 'BAD_REQUEST');
  assert.match(String((await ask({ filename: 'x', declaredSizeBytes: 52_428_801 })).error), /larger than 1 MB/);
  const unknown = await fetch(`${service.url}/v2/parse/upload-url`, { method: 'POST' });
  assert.equal(unknown.status, 401);
});

fullTest('uploaded files survive a restart and a power cut, and incomplete ones leave nothing behind', async () => {
  const [one, two] = [await address(), await address()];
  assert.equal((await put(one.uploadUrl, 'a,b\n1,2\n')).status, 200);
  await service.stop();
  service = await start();
  const at = (url: string) => service.url + new URL(url).pathname + new URL(url).search;
  assert.equal((await put(at(two.uploadUrl), 'c,d\n3,4\n')).status, 200);
  await service.kill();
  const leftover = join(dataDir, 'incoming', 'half-written');
  writeFileSync(leftover, 'half');
  service = await start();
  assert.deepEqual(readdirSync(join(dataDir, 'incoming')), []);
  for (const [{ uploadRef }, row] of [
    [one, /1 \| 2/],
    [two, /3 \| 4/],
  ] as const) {
    const { status, body } = await parse(uploadRef);
    assert.equal(status, 200, body.error);
    assert.match(body.data.markdown, row);
  }
  assertStoredFiles(0);
});

test('an upload address expires and then no longer counts towards the limit of ten', async (t) => {
  const web = await startWeb();
  const clocked = await startClockedService(web);
  t.after(async () => {
    await clocked.remove();
    await web.stop();
  });
  const ask = async () => {
    const response = await fetch(`${clocked.url}/v2/parse/upload-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'a.txt' }),
    });
    return { response, body: (await response.json()) as { code?: string; data: Address } };
  };
  const addresses = [];
  for (let nth = 0; nth < 10; nth++) addresses.push((await ask()).body.data);
  const full = await ask();
  assert.deepEqual([full.response.status, full.body.code], [429, 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED']);
  assert.ok(Number(full.response.headers.get('retry-after')) > 0);
  assert.equal(Math.round((Date.parse(addresses[0]!.expiresAt) - clocked.now()) / MINUTE), 10);

  clocked.turnAhead(10 * MINUTE);
  assert.equal((await put(addresses[0]!.uploadUrl, 'x')).status, 404);
  assert.equal((await ask()).response.status, 200);
});
