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
  const handle = await open(file.path);
  try {
    await uploadInParts(requests, key, (uploadId) => sendParts(requests, { key, uploadId }, handle, file.size, sizes));
  } finally {
    await handle.close();
  }
}

/** Content whose size is not known before, one part after the other. Returns its size. */
export async function putStream(
  requests: S3Requests,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { partBytes }: PartSizes,
): Promise<number> {
  const parts = inPartsOf(content, partBytes)[Symbol.asyncIterator]();
  const first = await parts.next();
  const body: Uint8Array = first.done ? new Uint8Array() : first.value;
  let size = body.byteLength;
  if (size < partBytes) {
    await requests.send({ method: 'PUT', key, body, limitMs: PUT_LIMIT_MS }, (answer) => answer.body.dump());
    return size;
  }
  await uploadInParts(requests, key, async (uploadId) => {
    const tags = [await sendPart(requests, { key, uploadId }, 1, body)];
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      size += part.value.byteLength;
      tags.push(await sendPart(requests, { key, uploadId }, tags.length + 1, part.value));
    }
    return tags;
  });
  return size;
}

async function* inPartsOf(content: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.byteLength; ) {
      const some = chunk.subarray(from, from + partBytes - size);
      waiting.push(some);
      size += some.byteLength;
      from += some.byteLength;
      if (size < partBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** `sendAll` returns the tags of the parts in order. An upload that fails leaves nothing. */
async function uploadInParts(
  requests: S3Requests,
  key: string,
  sendAll: (uploadId: string) => Promise<string[]>,
): Promise<void> {
  const uploadId = await requests.send({ method: 'POST', key, query: { uploads: '' } }, async ({ body }) =>
    readUploadId(await text(body)),
  );
  try {
    const tags = await sendAll(uploadId);
    const body = Buffer.from(writeParts(tags));
    await requests.send(
      { method: 'POST', key, query: { uploadId }, body, limitMs: COMPLETE_LIMIT_MS },
      async (answer) => checkCompleted(await text(answer.body)),
    );
  } catch (error) {
    await abortUpload(requests, key, uploadId).catch(() => {});
    throw error;
  }
}

const sendPart = (
  requests: S3Requests,
  { key, uploadId }: { key: string; uploadId: string },
  number: number,
  body: Uint8Array,
): Promise<string> => {
  const query = { partNumber: String(number), uploadId };
  return requests.send({ method: 'PUT', key, query, body, limitMs: PUT_LIMIT_MS }, async (answer) => {
    await answer.body.dump();
    const tag = answer.headers.etag;
    if (typeof tag !== 'string') throw new S3Fault('a part was stored without a tag');
    return tag;
  });
};

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
      tags[index] = await sendPart(requests, { key, uploadId }, index + 1, body);
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
