// Files behind links, as anybody with the link fetches them: no key, and no other way in.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Capture } from '../../src/page/captures.ts';
import { noise } from '../conformance/samples.ts';
import { keepFiles } from '../support/kept-files.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHereWith } from '../support/service-here.ts';
import { startWeb, type Web } from '../support/web.ts';

const DAY = 86_400_000;
const PICTURE = { bytes: noise(90_000), type: 'image/png' } satisfies Capture;

let dataDir: string;
let web: Web;
let service: RunningService;
let links: Record<'picture' | 'pdf' | 'expired', string>;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-files-'));
  links = await keepFiles(dataDir, async (save) => ({
    picture: await save(PICTURE),
    pdf: await save({ bytes: noise(500), type: 'application/pdf' }),
    expired: await save(PICTURE, DAY),
  }));
  web = await startWeb();
  service = await startServiceHereWith(web, {
    TRAWL_AUTH: 'required',
    TRAWL_API_KEY: 'operators-own-key',
    TRAWL_DATA_DIR: dataDir,
  });
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Fetches without a key. */
const get = (link: string, init?: RequestInit) => fetch(new URL(link, service.url), init);

const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

const SAFETY = ['x-content-type-options', 'content-security-policy', 'cache-control', 'referrer-policy'];
const SAFE = ['nosniff', "sandbox; default-src 'none'; style-src 'unsafe-inline'", 'private', 'no-referrer'];

test('a link returns the file without a key, with headers that allow only displaying it', async () => {
  const picture = await get(links.picture);
  assert.equal(picture.status, 200);
  assert.deepEqual(headersOf(picture, 'content-type', 'content-length', 'content-disposition'), [
    'image/png',
    '90000',
    'inline; filename="screenshot.png"',
  ]);
  assert.deepEqual(headersOf(picture, ...SAFETY), SAFE);
  assert.deepEqual(await picture.bytes(), PICTURE.bytes);

  const pdf = await get(links.pdf);
  assert.deepEqual(headersOf(pdf, 'content-type', 'content-disposition'), [
    'application/pdf',
    'inline; filename="page.pdf"',
  ]);
  assert.deepEqual(headersOf(pdf, ...SAFETY), SAFE);
  assert.deepEqual(await pdf.bytes(), noise(500));
});

test('HEAD returns the same headers without the bytes', async () => {
  const head = await get(links.picture, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.deepEqual(headersOf(head, 'content-type', 'content-length', ...SAFETY), ['image/png', '90000', ...SAFE]);
  assert.equal((await head.bytes()).byteLength, 0);
});

test('ranges of a file can be requested, and a range outside of it is refused', async () => {
  const ask = async (link: string, headers: Record<string, string>) => {
    const response = await get(link, { headers });
    return { response, bytes: await response.bytes() };
  };
  for (const [link, all] of [[links.picture, PICTURE.bytes] as const, [links.pdf, noise(500)] as const]) {
    const size = all.byteLength;
    for (const [range, from, to] of [['bytes=100-199', 100, 200] as const, ['bytes=-50', size - 50, size] as const]) {
      const { response, bytes } = await ask(link, { range });
      assert.equal(response.status, 206);
      const names = ['content-range', 'content-length', 'accept-ranges'];
      assert.deepEqual(headersOf(response, ...names), [`bytes ${from}-${to - 1}/${size}`, String(to - from), 'bytes']);
      assert.deepEqual(bytes, all.slice(from, to));
    }
  }
  const outside = await ask(links.picture, { range: 'bytes=90000-' });
  assert.deepEqual([outside.response.status, outside.response.headers.get('content-range')], [416, 'bytes */90000']);
  assert.equal(outside.bytes.byteLength, 0);
  // Files have no ETag, so If-Range never matches, and multiple ranges are not supported.
  for (const headers of [
    { range: 'bytes=0-9', 'if-range': '"x"' },
    { range: 'bytes=0-9,20-29' },
    { range: 'lines=1-2' },
  ]) {
    const whole = await ask(links.picture, headers as Record<string, string>);
    assert.deepEqual([whole.response.status, whole.bytes.byteLength], [200, 90_000]);
  }
});

test('links that are expired, changed or invented all get the same 404', async () => {
  const [path, query] = links.picture.split('?') as [string, string];
  const otherId = links.pdf.split('/')[2]!;
  const wrong = [
    links.expired,
    path,
    `${path}?${query.replace('sig=', 'sig=A')}`,
    `${path}?${query.replace('expires=', 'expires=9')}`,
    `${path}?${query}&sig=`,
    links.picture.replace('screenshot.png', 'screenshot.jpg'),
    links.picture.replace(/\/files\/\w+/, `/files/${otherId}`),
    links.picture.replace(/\/files\/\w+/, `/files/${'0'.repeat(32)}`),
    '/files/..%2f..%2fsecret/..%2fstore.db',
  ];
  const answers = await Promise.all(
    wrong.map(async (link) => {
      const response = await get(link);
      return { link, status: response.status, body: await response.text() };
    }),
  );
  for (const { link, status, body } of answers) {
    assert.deepEqual([status, body], [404, answers[0]!.body], link);
  }
  const { success, code, error } = JSON.parse(answers[0]!.body);
  assert.deepEqual([success, code], [false, 'NOT_FOUND']);
  assert.match(error, /does not exist, or the link has expired/);
});

test('methods other than GET and HEAD are refused', async () => {
  const response = await get(links.picture, { method: 'DELETE' });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET']);
});
