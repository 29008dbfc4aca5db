// Every way to write TRAWL_BLOBS_URL, and what is wrong with others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../../src/config/settings.ts';
import { parseBlobsUrl } from '../../../../src/config/storage/blobs-url.ts';

test('a host with a port has the bucket in its path, a host without one is a bucket of Amazon', () => {
  const cases: Record<string, string[]> = {
    's3://k:s@minio.test:9000/pages': ['https://minio.test:9000', '/pages', 'pages', '', 'us-east-1'],
    's3://k:s@127.0.0.1:9000/pages/?tls=off': ['http://127.0.0.1:9000', '/pages', 'pages', '', 'us-east-1'],
    's3://k:s@[::1]:9000/pages/a/b?region=x-1': ['https://[::1]:9000', '/pages', 'pages', 'a/b/', 'x-1'],
    's3://k:s@minio.test:443/pages': ['https://minio.test', '/pages', 'pages', '', 'us-east-1'],
    's3://k:s@pages': ['https://pages.s3.us-east-1.amazonaws.com', '', 'pages', '', 'us-east-1'],
    's3://k:s@pages/one?region=eu-west-1': [
      'https://pages.s3.eu-west-1.amazonaws.com',
      '',
      'pages',
      'one/',
      'eu-west-1',
    ],
    's3://k:s@a.b.pages': ['https://s3.us-east-1.amazonaws.com', '/a.b.pages', 'a.b.pages', '', 'us-east-1'],
    's3://k:s@pages/x?endpoint=https://s3.test/base/': ['https://s3.test', '/base/pages', 'pages', 'x/', 'us-east-1'],
  };
  for (const [url, expected] of Object.entries(cases)) {
    const { origin, root, bucket, prefix, region, hasPresignedLinks } = parseBlobsUrl(url);
    assert.deepEqual([origin, root, bucket, prefix, region], expected, url);
    assert.equal(hasPresignedLinks, false);
  }
  assert.ok(parseBlobsUrl('s3://k:s@pages?links=presigned').hasPresignedLinks);
});

test('keys and secrets are percent-encoded', () => {
  assert.deepEqual(parseBlobsUrl('s3://k%40y:a%2Fb+c%25@pages').credentials, {
    accessKeyId: 'k@y',
    secretAccessKey: 'a/b+c%',
  });
  assert.throws(() => parseBlobsUrl('s3://k:100%@pages'), /written as %25/);
});

test('what cannot be used says why', () => {
  const cases: Record<string, RegExp> = {
    'https://k:s@pages': /must be a URL such as/,
    's3:pages': /must be a URL such as/,
    's3://k:s@host:9000': /must name a bucket/,
    's3://k:s@host:9000/': /must name a bucket/,
    's3://k:s@host:9000/b/../..': /must name a bucket/,
    's3://k:s@host:9000/pages/a b': /may only contain/,
    's3://k:s@host:9000/pages//a': /may only contain/,
    's3://k:s@host:9000/pages/%2e%2e/a': /may only contain|must name/,
    's3://k@pages': /a key and its secret/,
    's3://k:s@pages?tls=no': /tls must be/,
    's3://k:s@pages?links=all': /links must be/,
    's3://k:s@pages?Region=x': /unknown parameter "Region"/,
    's3://k:s@pages?region=a.b/c': /region must be/,
    's3://k:s@pages?endpoint=ftp://x': /endpoint must be/,
  };
  for (const [url, reason] of Object.entries(cases)) assert.throws(() => parseBlobsUrl(url), reason, url);
});

test('without a key in the URL, the variables of Amazon count, and nothing prints the secret', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' };
  const { blobs } = readConfig({ TRAWL_BLOBS_URL: 's3://pages', ...keys });
  assert.deepEqual([blobs?.accessKeyId, blobs?.secretAccessKey, blobs?.sessionToken], ['k', 's', 't']);
  const own = readConfig({ TRAWL_BLOBS_URL: 's3://a:b@pages', ...keys }).blobs;
  assert.deepEqual([own?.accessKeyId, own?.secretAccessKey, own?.sessionToken], ['a', 'b', undefined]);
  assert.throws(() => readConfig({ TRAWL_BLOBS_URL: 's3://pages' }), /has no key\. Write s3:/);
  assert.throws(
    () => readConfig({ TRAWL_BLOBS_URL: 's3://a:hidden@pages?x=1' }),
    (error: Error) => /^TRAWL_BLOBS_URL cannot be used/.test(error.message) && !error.message.includes('hidden'),
  );
  assert.equal(readConfig({}).blobs, undefined);
});
