// A bucket that cannot be used ends the start with a sentence that says what to do. A real store is used the same way.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openS3 } from '../../../../../src/store/blobs/s3/open-s3.ts';
import { createS3Requests } from '../../../../../src/store/blobs/s3/s3-requests.ts';
import { StoreError } from '../../../../../src/store/ports/store-error.ts';
import { createPlace, hasS3, NO_S3 } from '../../../../conformance/open-s3.ts';
import { noise } from '../../../../conformance/samples.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { fault, SETTINGS, startObjectServer } from './object-server.ts';

const of = (owner: string) => ({ owner, isInUse: false });

const refused = (open: Promise<unknown>, sentence: RegExp) =>
  assert.rejects(open, (error: Error) => {
    assert.ok(error instanceof StoreError, String(error));
    assert.match(error.message, /^TRAWL_BLOBS_URL cannot be used: /);
    assert.match(error.message, sentence);
    assert.ok(!error.message.includes(SETTINGS.secretAccessKey));
    return true;
  });

test('each way to be refused has a sentence for people', async (t) => {
  const cases: [number, string, RegExp][] = [
    [404, fault('NoSuchBucket'), /there is no bucket "bucket" .* Create it/],
    [403, fault('InvalidAccessKeyId'), /does not accept the key .* percent-encoded/],
    [403, fault('SignatureDoesNotMatch'), /does not accept the key/],
    [403, fault('AccessDenied'), /may not use the bucket .* Allow it to list/],
    [403, fault('RequestTimeTooSkewed'), /clocks .* Set the clock/],
    [301, fault('PermanentRedirect', '<Region>eu-central-1</Region>'), /Add `region=eu-central-1`/],
    [400, fault('AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'), /Add `region=eu-west-1`/],
    [404, '<html>no such page</html>', /answers with an error \(status 404\)/],
  ];
  for (const [status, body, sentence] of cases) {
    const { settings } = await startObjectServer(t, (response) => response.writeHead(status).end(body));
    await refused(openS3(settings, of('me')), sentence);
  }
  await refused(openS3(SETTINGS, of('me')), /nothing usable answers at http:\/\/127\.0\.0\.1:1/);
});

test('a bucket that can only be read is refused', async (t) => {
  const { settings } = await startObjectServer(t, (response, { line }) => {
    if (line.startsWith('PUT')) return response.writeHead(403).end(fault('AccessDenied'));
    if (line.includes('list-type')) return response.end('<ListBucketResult/>');
    response.writeHead(404).end(fault('NoSuchKey'));
  });
  await refused(openS3(settings, of('me')), /may not use the bucket/);
});

test('a real store', { skip: !hasS3 && NO_S3 }, async (t) => {
  await t.test('refuses wrong keys and unknown buckets with a sentence', async (t) => {
    const place = await createPlace(t);
    await refused(openS3({ ...place, secretAccessKey: 'wrong' }, of('me')), /does not accept the key/);
    await refused(openS3({ ...place, accessKeyId: 'wrong' }, of('me')), /does not accept the key/);
    const bucket = 'trawl-no-such-bucket';
    await refused(openS3({ ...place, bucket, root: `/${bucket}` }, of('me')), /there is no bucket/);
  });

  await t.test('a prefix belongs to one installation, which may open it any number of times', async (t) => {
    const place = await createPlace(t);
    const opened = await Promise.all([openS3(place, of('of a test')), openS3(place, of('of a test'))]);
    await refused(openS3(place, of('another')), /belongs to another installation/);
    await Promise.all(opened.map((blobs) => blobs.close()));
    const elsewhere = { ...place, prefix: `${place.prefix}other/` };
    await refused(openS3(elsewhere, { owner: 'of a test', isInUse: true }), /already has objects, but not in/);
  });

  await t.test('a link works without a key, has the given headers, and cannot be changed', async (t) => {
    const place = await createPlace(t, { hasPresignedLinks: true });
    const blobs = await openS3(place, of('of a test'));
    t.after(() => blobs.close());
    await blobs.put('a', noise(1_000));
    const disposition = 'inline; filename="a b.png"';
    const link = (await blobs.link!('a', { seconds: 60, type: 'image/png', disposition }))!;
    const answer = await fetch(link, { headers: { range: 'bytes=10-19' } });
    assert.equal(answer.status, 206);
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), new Uint8Array(noise(1_000).subarray(10, 20)));
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.equal(answer.headers.get('content-disposition'), 'inline; filename="a b.png"');
    const changed = await fetch(link.replace('blobs/a', 'blobs/b'));
    assert.equal(changed.status, 403);
    await changed.body?.cancel();
  });

  await t.test('a file that cannot be sent to its end leaves no parts', async (t) => {
    const place = await createPlace(t);
    const blobs = await openS3(place, of('of a test'));
    t.after(() => blobs.close());
    const path = join(temporaryFolder(t), 'file');
    await writeFile(path, noise(17_000_000));
    await assert.rejects(blobs.put('a', { path, size: 18_000_000 }), /became shorter/);
    const requests = createS3Requests(place);
    t.after(() => requests.close());
    const query = { uploads: '', prefix: place.prefix };
    const listed = await requests.send({ method: 'GET', query }, ({ body }) => body.text());
    assert.match(listed, /ListMultipartUploadsResult/);
    assert.doesNotMatch(listed, /<UploadId>/);
    assert.deepEqual(await blobs.list('', 10), []);
  });
});
