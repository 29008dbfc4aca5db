// Large bodies as objects of an S3 bucket.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import type { EngineAnswer } from '../../../net/engine-client.ts';
import type { BlobContent, BlobStore } from '../../ports/files/blob-store.ts';
import { PART_SIZES, type PartSizes, PUT_LIMIT_MS, putParts, readPart } from './multipart.ts';
import { checkRange, openStream } from './object-stream.ts';
import { asUnavailable, S3Fault } from './s3-fault.ts';
import type { S3Request, S3Requests } from './s3-requests.ts';
import type { S3Settings } from './s3-settings.ts';
import { checkRemoved, readObjects, writeRemoval } from './s3-xml.ts';

/** Most that the protocol removes or lists at once. */
const BATCH = 1_000;
/** Apart from what else is under the prefix. */
export const BLOB_FOLDER = 'blobs/';
/** In a URL, such a key would be the way to an object outside of the folder. No blob has one. */
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;

type Settings = Pick<S3Settings, 'prefix' | 'hasPresignedLinks'>;

export function createS3Blobs(
  requests: S3Requests,
  { prefix, hasPresignedLinks }: Settings,
  sizes: PartSizes = PART_SIZES,
): BlobStore {
  const folder = prefix + BLOB_FOLDER;
  const keyOf = (name: string) => folder + name;

  const get = <T>(
    name: string,
    request: Pick<S3Request, 'headers' | 'limitMs'>,
    read: (answer: EngineAnswer) => Promise<T>,
  ): Promise<T | undefined> =>
    requests.send({ method: 'GET', key: keyOf(name), ...request }, read).catch((error: unknown) => {
      if (error instanceof S3Fault && error.status === 404 && error.code !== 'NoSuchBucket') return undefined;
      throw asUnavailable(error);
    });

  const put = async (name: string, content: BlobContent): Promise<void> => {
    const key = keyOf(name);
    if (!(content instanceof Uint8Array) && content.size >= sizes.fromBytes)
      return putParts(requests, key, content, sizes);
    const body = content instanceof Uint8Array ? content : await readWhole(content);
    await requests.send({ method: 'PUT', key, body, limitMs: PUT_LIMIT_MS }, ({ body }) => body.dump());
  };

  const removeBatch = async (keys: readonly string[]): Promise<void> => {
    const body = Buffer.from(writeRemoval(keys));
    const headers = {
      'content-md5': createHash('md5').update(body).digest('base64'),
      'content-type': 'application/xml',
    };
    await requests.send({ method: 'POST', query: { delete: '' }, headers, body }, async (answer) =>
      checkRemoved(await text(answer.body)),
    );
  };

  /** Some stores cannot remove several at once. */
  const removeAll = (keys: readonly string[]): Promise<void> =>
    removeBatch(keys).catch(async (error: unknown) => {
      if (!(error instanceof S3Fault && (error.status === 405 || error.status === 501))) throw error;
      for (const key of keys) await requests.send({ method: 'DELETE', key }, ({ body }) => body.dump());
    });

  const listPage = async (after: string, limit: number) => {
    const query = { 'list-type': '2', prefix: folder, 'max-keys': String(limit), 'start-after': keyOf(after) };
    const objects = await requests.send({ method: 'GET', query }, async ({ body }) => readObjects(await text(body)));
    return objects
      .filter(({ key }) => key.startsWith(folder) && key > keyOf(after) && !DOT_SEGMENT.test(key))
      .map(({ key, size, modifiedAt }) => ({ name: key.slice(folder.length), size, writtenAt: modifiedAt }));
  };

  return {
    put: (name, content) => orUnavailable(put(name, content)),
    read: (name) => get(name, {}, ({ body }) => buffer(body)),
    stream: (name, range) =>
      openStream((part) => {
        const headers = part && { range: `bytes=${part.start}-${part.end}` };
        return get(name, { headers, limitMs: Infinity }, (answer) => checkRange(answer, part));
      }, range),
    async remove(names) {
      for (let at = 0; at < names.length; at += BATCH)
        await orUnavailable(removeAll(names.slice(at, at + BATCH).map(keyOf)));
    },
    async list(after, limit) {
      const listed = [];
      for (let last = after; listed.length < limit; ) {
        const size = Math.min(BATCH, limit - listed.length);
        const page = await orUnavailable(listPage(last, size));
        listed.push(...page);
        // Some stores return less than they could; only an empty page is the end.
        if (page.length === 0) break;
        last = page.at(-1)!.name;
      }
      return listed;
    },
    ...(hasPresignedLinks && {
      link: (name, { seconds, type, disposition }) =>
        requests.presign(keyOf(name), seconds, {
          'response-content-type': type,
          'response-content-disposition': disposition,
        }),
    }),
    probe: async () => void (await orUnavailable(listPage('', 1))),
    close: requests.close,
  };
}

const orUnavailable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw asUnavailable(error);
  });

async function readWhole({ path, size }: { path: string; size: number }): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    return await readPart(handle, 0, size);
  } finally {
    await handle.close();
  }
}
