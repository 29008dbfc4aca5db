// What an object store does wrong costs a moment or an error, never a damaged body and never an endless wait.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fullTest, test } from '../../../../support/full-run.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { blobsOn, fault, SETTINGS, startObjectServer } from './object-server.ts';

const BYTES = Buffer.from('the bytes of a page');
const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE' };

test('a request that fails for a moment is repeated, with all its bytes', async (t) => {
  const failures = [
    { status: 500, body: fault('InternalError') },
    { status: 503, body: fault('SlowDown') },
    { status: 502, body: '<html>a proxy</html>' },
  ];
  const { settings, asked } = await startObjectServer(t, (response, _asked, count) => {
    const failure = failures[count - 1];
    response.writeHead(failure?.status ?? 200).end(failure?.body);
  });
  await blobsOn(t, settings).put('a', BYTES);
  assert.deepEqual(
    asked.map(({ line, body }) => [line, String(body)]),
    Array(4).fill(['PUT /bucket/p/blobs/a', String(BYTES)]),
  );
});

test('after a few attempts the caller gets an error', async (t) => {
  const { settings, asked } = await startObjectServer(t, (response) => response.writeHead(503).end(fault('SlowDown')));
  await assert.rejects(blobsOn(t, settings).read('a'), UNAVAILABLE);
  assert.equal(asked.length, 4);
});

test('what is refused for good is asked once', async (t) => {
  const { settings, asked } = await startObjectServer(t, (response) =>
    response.writeHead(403).end(fault('AccessDenied')),
  );
  await assert.rejects(blobsOn(t, settings).put('a', BYTES), { ...UNAVAILABLE, message: /AccessDenied/ });
  assert.equal(asked.length, 1);
});

test('a missing bucket is an error, a missing object is none', async (t) => {
  const { settings } = await startObjectServer(t, (response, { line }) =>
    response.writeHead(404).end(fault(line.includes('lost') ? 'NoSuchBucket' : 'NoSuchKey')),
  );
  const blobs = blobsOn(t, settings);
  assert.equal(await blobs.read('a'), undefined);
  await assert.rejects(blobs.read('lost'), UNAVAILABLE);
});

test('a truncated body is read again, and never taken for the whole', async (t) => {
  const { settings, asked } = await startObjectServer(t, (response, { line }, count) => {
    response.writeHead(200, { 'content-length': BYTES.length });
    if (count === 2 && line.endsWith('once')) return response.end(BYTES);
    response.write(BYTES.subarray(0, 5), () => response.destroy());
  });
  const blobs = blobsOn(t, settings);
  assert.deepEqual(Buffer.from((await blobs.read('once'))!), BYTES);
  assert.equal(asked.length, 2);
  await assert.rejects(blobs.read('always'), UNAVAILABLE);
  await assert.rejects(buffer((await blobs.stream('always'))!), 'a stream ends with an error');
});

test('a stream that breaks off goes on where it ended, and leaves when its reader does', async (t) => {
  let isWhole = false;
  const { settings, asked } = await startObjectServer(t, (response, _asked, _count, request) => {
    const [, start = '0', end = String(BYTES.length - 1)] =
      /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = BYTES.subarray(Number(start), Number(end) + 1);
    const range = { 'content-range': `bytes ${start}-${end}/${BYTES.length}` };
    response.writeHead(request.headers.range ? 206 : 200, { 'content-length': part.length, ...range });
    if (isWhole) response.end(part);
    else response.write(part.subarray(0, 5), () => setImmediate(() => response.destroy()));
  });
  const blobs = blobsOn(t, settings);
  assert.deepEqual(await buffer((await blobs.stream('a'))!), BYTES);
  assert.equal(asked.length, Math.ceil(BYTES.length / 5));
  assert.deepEqual(await buffer((await blobs.stream('a', { start: 2, end: 13 }))!), BYTES.subarray(2, 14));
  isWhole = true;
  for await (const _piece of (await blobs.stream('a'))!) break;
});

fullTest('a store that says nothing, or stops in the middle, is given up', async (t) => {
  const { settings, asked } = await startObjectServer(t, (response, { line }) => {
    if (line.endsWith('silent')) return;
    response.writeHead(200, { 'content-length': BYTES.length });
    response.write(BYTES.subarray(0, 5));
  });
  const blobs = blobsOn(t, settings);
  await Promise.all(['silent', 'stalls'].map((name) => assert.rejects(blobs.read(name), UNAVAILABLE, name)));
  await assert.rejects(buffer((await blobs.stream('stalls'))!));
  assert.equal(asked.length, 10, 'a stream asks for the rest once more, and does not get it');
});

test('an answer that is not what was asked for is no answer', async (t) => {
  const entry = (size: string, time: string) =>
    `<ListBucketResult><Contents><Key>p/blobs/a</Key><Size>${size}</Size><LastModified>${time}</LastModified></Contents></ListBucketResult>`;
  const answers = [
    '',
    '<html><body>Welcome</body></html>',
    '{"ok":true}',
    '<ListBucketResult><Contents>',
    '<ListBucketResult><Contents/></ListBucketResult>',
    entry('-1', '2026-01-01T00:00:00Z'),
    entry('x', '2026-01-01T00:00:00Z'),
    entry('1', 'yesterday'),
    fault('InternalError'),
  ];
  for (const text of answers) {
    const { settings } = await startObjectServer(t, (response) => response.end(text));
    await assert.rejects(blobsOn(t, settings).list('', 10), UNAVAILABLE, text);
  }
});

test('a list that repeats or leaves the prefix does not go on for ever', async (t) => {
  const ways = ['p/blobs/../../other/c', 'p/blobs/a/..', 'p/blobs/./b'];
  const contents = ['p/blobs/a', 'other/b', 'p/blobs/b', ...ways].map(
    (key) => `<Contents><Key>${key}</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
  );
  const { settings, asked } = await startObjectServer(t, (response) =>
    response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`),
  );
  const listed = await blobsOn(t, settings).list('', 1_000_000);
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.equal(asked.length, 2);
});

test('a store that ignores ranges is an error', async (t) => {
  const { settings } = await startObjectServer(t, (response) => response.end(BYTES));
  await assert.rejects(blobsOn(t, settings).stream('a', { start: 2, end: 4 }), UNAVAILABLE);
});

test('a removal in one request may fail for some objects', async (t) => {
  const { settings } = await startObjectServer(t, (response) =>
    response.end(
      '<DeleteResult><Error><Key>a</Key><Code>NoSuchKey</Code></Error><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>',
    ),
  );
  await assert.rejects(blobsOn(t, settings).remove(['a', 'b']), UNAVAILABLE);
});

test('a store without removals of several gets them one by one', async (t) => {
  const { settings, asked } = await startObjectServer(t, (response, { line }) =>
    response.writeHead(line.startsWith('POST') ? 501 : 204).end(),
  );
  await blobsOn(t, settings).remove(['a', 'b']);
  assert.deepEqual(
    asked.map(({ line }) => line),
    ['POST /bucket?delete=', 'DELETE /bucket/p/blobs/a', 'DELETE /bucket/p/blobs/b'],
  );
});

const UPLOAD = '<InitiateMultipartUploadResult><UploadId>u 1</UploadId></InitiateMultipartUploadResult>';

test('an upload in parts that fails is given up at the store, after its last part has ended', async (t) => {
  const path = join(temporaryFolder(t), 'file');
  await writeFile(path, Buffer.alloc(200));
  for (const failing of ['partNumber=3', 'complete']) {
    const { settings, asked } = await startObjectServer(t, (response, { line }) => {
      if (line.includes('uploads=')) return response.end(UPLOAD);
      if (line.includes(failing)) return response.writeHead(403).end(fault('AccessDenied'));
      // An error after the status has been sent.
      if (line.startsWith('POST')) return response.end(fault('InternalError'));
      response.writeHead(200, { etag: '"tag"' }).end();
    });
    await assert.rejects(blobsOn(t, settings).put('a', { path, size: 200 }), UNAVAILABLE, failing);
    assert.equal(asked.at(-1)!.line, 'DELETE /bucket/p/blobs/a?uploadId=u+1', failing);
  }
});

test('a file that became shorter is not stored', async (t) => {
  const path = join(temporaryFolder(t), 'file');
  await writeFile(path, Buffer.alloc(100));
  const { settings, asked } = await startObjectServer(t, (response, { line }) =>
    line.includes('uploads=') ? response.end(UPLOAD) : response.writeHead(200, { etag: '"tag"' }).end(),
  );
  const blobs = blobsOn(t, settings);
  await assert.rejects(blobs.put('a', { path, size: 120 }), { code: 'UNKNOWN_ERROR' });
  assert.match(asked.at(-1)!.line, /^DELETE/);
});

test('closing ends what waits', async (t) => {
  const { settings } = await startObjectServer(t, () => {});
  const blobs = blobsOn(t, settings);
  const reading = assert.rejects(blobs.read('a'), UNAVAILABLE);
  await blobs.close();
  await reading;
});

test('nobody listens', async (t) => {
  await assert.rejects(blobsOn(t, SETTINGS).put('a', BYTES), UNAVAILABLE);
});
