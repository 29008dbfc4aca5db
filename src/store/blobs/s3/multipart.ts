// Large files are sent in parts, a few at a time, so that memory holds only these and a broken connection costs only one.
import { type FileHandle, open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { S3Fault } from './s3-fault.ts';
import type { S3Requests } from './s3-requests.ts';
import { checkCompleted, readUploadId, readUploads, writeParts } from './s3-xml.ts';

export interface PartSizes {
  /** From this size on, a file is sent in parts. */
  fromBytes: number;
  /** The protocol allows no less than 5 MB, except for the last part. */
  partBytes: number;
}

export const PART_SIZES: PartSizes = { fromBytes: 16 * 1024 ** 2, partBytes: 8 * 1024 ** 2 };
const MAX_PARTS = 10_000;
const AT_ONCE = 3;
/** Enough for a part through half a megabit a second. */
export const PUT_LIMIT_MS = 180_000;
/** Putting the parts together takes a while. */
const COMPLETE_LIMIT_MS = 300_000;
/** An upload that began that long ago was given up by a process that has died. */
const ABANDONED_MS = 24 * 3_600_000;

export async function putParts(
  requests: S3Requests,
  key: string,
  file: { path: string; size: number },
  sizes: PartSizes,
): Promise<void> {
  const uploadId = await requests.send({ method: 'POST', key, query: { uploads: '' } }, async ({ body }) =>
    readUploadId(await text(body)),
  );
  const handle = await open(file.path);
  try {
    const tags = await sendParts(requests, { key, uploadId }, handle, file.size, sizes);
    const body = Buffer.from(writeParts(tags));
    await requests.send(
      { method: 'POST', key, query: { uploadId }, body, limitMs: COMPLETE_LIMIT_MS },
      async (answer) => checkCompleted(await text(answer.body)),
    );
  } catch (error) {
    await abortUpload(requests, key, uploadId).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}

async function sendParts(
  requests: S3Requests,
  { key, uploadId }: { key: string; uploadId: string },
  handle: FileHandle,
  size: number,
  { partBytes }: PartSizes,
): Promise<string[]> {
  const bytes = Math.max(partBytes, Math.ceil(size / MAX_PARTS));
  const tags: string[] = new Array(Math.ceil(size / bytes));
  let next = 0;
  let hasFailed = false;
  const sendSome = async () => {
    while (next < tags.length && !hasFailed) {
      const index = next++;
      const body = await readPart(handle, index * bytes, Math.min(bytes, size - index * bytes));
      const query = { partNumber: String(index + 1), uploadId };
      tags[index] = await requests.send({ method: 'PUT', key, query, body, limitMs: PUT_LIMIT_MS }, async (answer) => {
        await answer.body.dump();
        const tag = answer.headers.etag;
        if (typeof tag !== 'string') throw new S3Fault('a part was stored without a tag');
        return tag;
      });
    }
  };
  const senders = Array.from({ length: Math.min(AT_ONCE, tags.length) }, () =>
    sendSome().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  // All have to rest before the upload is given up: a part that arrives later would stay.
  const failed = (await Promise.allSettled(senders)).find((sender) => sender.status === 'rejected');
  if (failed) throw failed.reason;
  return tags;
}

/** The whole part. A file that is shorter than it was is an error. */
export async function readPart(handle: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const part = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(part, at, length - at, from + at);
    if (bytesRead === 0)
      throw new ServiceError('UNKNOWN_ERROR', {
        message: 'A file became shorter while it was stored. Repeat the request.',
      });
    at += bytesRead;
  }
  return part;
}

const abortUpload = (requests: S3Requests, key: string, uploadId: string): Promise<unknown> =>
  requests.send({ method: 'DELETE', key, query: { uploadId } }, ({ body }) => body.dump());

/** What killed processes left behind takes space, and no list of objects shows it. */
export async function abortAbandoned(requests: S3Requests, prefix: string, now: number): Promise<void> {
  const uploads = await requests.send({ method: 'GET', query: { uploads: '', prefix } }, async ({ body }) =>
    readUploads(await text(body)),
  );
  for (const { key, uploadId, startedAt } of uploads) {
    if (key.startsWith(prefix) && startedAt < now - ABANDONED_MS) await abortUpload(requests, key, uploadId);
  }
}
