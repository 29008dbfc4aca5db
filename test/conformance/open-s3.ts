// Opens a bucket of a real object store for the suites: TRAWL_TEST_S3=s3://KEY:SECRET@host:port/bucket names it. Each test gets
// a prefix of its own, which is emptied afterwards.
import type { TestContext } from 'node:test';
import { parseBlobsUrl, withCredentials } from '../../src/config/storage/blobs-url.ts';
import { type Installation, openS3 } from '../../src/store/blobs/s3/open-s3.ts';
import { createS3Requests } from '../../src/store/blobs/s3/s3-requests.ts';
import type { S3Settings } from '../../src/store/blobs/s3/s3-settings.ts';
import type { BlobStore } from '../../src/store/ports/files/blob-store.ts';
import { randomToken } from '../../src/util/ids.ts';

const { TRAWL_TEST_S3: GIVEN } = process.env;

export const hasS3 = GIVEN !== undefined;
export const NO_S3 = 'TRAWL_TEST_S3 is not set';
export const INSTALLATION: Installation = { owner: 'of a test', isInUse: false };

/** A place in the bucket of the test, which is emptied after it. */
export async function createPlace(t: TestContext, more: Partial<S3Settings> = {}): Promise<S3Settings> {
  const given = withCredentials(parseBlobsUrl(GIVEN!), process.env);
  const settings = { ...given, prefix: `${given.prefix}test-${randomToken(8)}/`, ...more };
  const requests = createS3Requests(given);
  // It may exist already.
  await requests.send({ method: 'PUT' }, ({ body }) => body.dump()).catch(() => {});
  t.after(async () => {
    const blobs = await openS3(settings, INSTALLATION);
    const names = (await blobs.list('', 10_000)).map(({ name }) => name);
    await blobs.remove(names);
    await blobs.close();
    await requests.send({ method: 'DELETE', key: `${settings.prefix}owner` }, ({ body }) => body.dump());
    await requests.close();
  });
  return settings;
}

export async function openBucket(t: TestContext): Promise<BlobStore> {
  const blobs = await openS3(await createPlace(t), INSTALLATION);
  t.after(() => blobs.close());
  return blobs;
}
