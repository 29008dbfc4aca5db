// Opens a bucket: it has to exist, the key has to be good for reading and writing, and no other installation may be in it.
import { text } from 'node:stream/consumers';
import { systemClock } from '../../../util/clock.ts';
import type { BlobStore } from '../../ports/files/blob-store.ts';
import { StoreError } from '../../ports/store-error.ts';
import { abortAbandoned } from './multipart.ts';
import { BLOB_FOLDER, createS3Blobs } from './s3-blobs.ts';
import { EXPORT_FOLDER } from './s3-exports.ts';
import { explainFault, S3Fault } from './s3-fault.ts';
import { createS3Requests, type S3Requests } from './s3-requests.ts';
import type { S3Settings } from './s3-settings.ts';
import { readObjects } from './s3-xml.ts';

/** Which installation the objects belong to. Another one would take them for orphans and remove them. */
const OWNER_KEY = 'owner';

export interface Installation {
  /** The same for all its processes. */
  owner: string;
  /** It already refers to objects, so they have to be there. */
  isInUse: boolean;
}

/** Rejects with a StoreError. */
export async function openS3(settings: S3Settings, installation: Installation): Promise<BlobStore> {
  const requests = createS3Requests(settings);
  try {
    await checkBucket(requests, settings);
    await claim(requests, settings, installation);
  } catch (error) {
    await requests.close();
    throw error instanceof StoreError ? error : explainFault(error, settings);
  }
  // Not every store can list them; then its own rules have to remove them.
  for (const folder of [BLOB_FOLDER, EXPORT_FOLDER])
    void abortAbandoned(requests, settings.prefix + folder, systemClock.now()).catch(() => {});
  return createS3Blobs(requests, settings);
}

/** Writes nothing, in contrast to opening it. Without an owner, anybody's bucket will do. Rejects with a StoreError. */
export async function checkS3(settings: S3Settings, owner?: string): Promise<void> {
  const requests = createS3Requests(settings);
  try {
    await checkBucket(requests, settings);
    const found = await readOwner(requests, settings);
    if (found !== undefined && owner !== undefined && found !== owner) throw foreign(settings);
  } catch (error) {
    throw error instanceof StoreError ? error : explainFault(error, settings);
  } finally {
    await requests.close();
  }
}

async function checkBucket(requests: S3Requests, { prefix }: S3Settings): Promise<void> {
  const query = { 'list-type': '2', prefix, 'max-keys': '1' };
  await requests.send({ method: 'GET', query }, async ({ body }) => readObjects(await text(body)));
}

async function claim(requests: S3Requests, settings: S3Settings, { owner, isInUse }: Installation): Promise<void> {
  const { bucket, prefix } = settings;
  if ((await readOwner(requests, settings)) === undefined) {
    if (isInUse) {
      throw new StoreError(
        `TRAWL_BLOBS_URL cannot be used: this installation already has objects, but not in ${bucket}/${prefix}. Set the former URL, or copy all objects of the former place to the new one first.`,
      );
    }
    const headers = { 'if-none-match': '*' };
    await requests
      .send({ method: 'PUT', key: prefix + OWNER_KEY, headers, body: Buffer.from(owner) }, ({ body }) => body.dump())
      .catch((error: unknown) => {
        // Another process was first.
        if (!(error instanceof S3Fault && (error.status === 409 || error.status === 412))) throw error;
      });
  }
  if ((await readOwner(requests, settings)) !== owner) throw foreign(settings);
}

const readOwner = (requests: S3Requests, { prefix }: S3Settings): Promise<string | undefined> =>
  requests
    .send({ method: 'GET', key: prefix + OWNER_KEY }, ({ body }) => text(body))
    .catch((error: unknown) => {
      if (error instanceof S3Fault && error.status === 404) return undefined;
      throw error;
    });

const foreign = ({ bucket, prefix }: S3Settings): StoreError =>
  new StoreError(
    `TRAWL_BLOBS_URL cannot be used: ${bucket}/${prefix} belongs to another installation. Add a path of its own to the URL, or remove the object ${prefix + OWNER_KEY} if that installation no longer exists.`,
  );
