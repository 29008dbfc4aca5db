// A small HTTP server in the place of an object store. It answers as a test says, also as no store should.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { createS3Blobs } from '../../../../../src/store/blobs/s3/s3-blobs.ts';
import { createS3Requests } from '../../../../../src/store/blobs/s3/s3-requests.ts';
import type { S3Settings } from '../../../../../src/store/blobs/s3/s3-settings.ts';

export interface Asked {
  /** Method and address. */
  line: string;
  body: Buffer;
}

export type Answer = (response: ServerResponse, asked: Asked, count: number, request: IncomingMessage) => void;

export interface ObjectServer {
  settings: S3Settings;
  asked: Asked[];
}

export async function startObjectServer(t: TestContext, answer: Answer): Promise<ObjectServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const entry = {
      line: `${request.method} ${request.url}`,
      body: await buffer(request).catch(() => Buffer.alloc(0)),
    };
    answer(response, entry, asked.push(entry), request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { settings: { ...SETTINGS, origin }, asked };
}

export const SETTINGS: S3Settings = {
  origin: 'http://127.0.0.1:1',
  root: '/bucket',
  bucket: 'bucket',
  prefix: 'p/',
  region: 'us-east-1',
  accessKeyId: 'key',
  secretAccessKey: 'hidden-value',
  hasPresignedLinks: false,
};

/** Blobs on such a server, with little patience. Files are sent in parts from 100 bytes on. */
export function blobsOn(t: TestContext, settings: S3Settings) {
  const blobs = createS3Blobs(createS3Requests(settings, { pauseMs: 1, silenceMs: 400 }), settings, {
    fromBytes: 100,
    partBytes: 40,
  });
  t.after(() => blobs.close());
  return blobs;
}

export const fault = (code: string, more = ''): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It says ${code}.</Message>${more}</Error>`;

export interface MemoryBucket {
  settings: S3Settings;
  objects: Map<string, Buffer>;
  /** Uploads that have neither been completed nor given up. */
  parts: ReadonlyMap<string, Buffer[]>;
  /** While true, every answer is an error. */
  isDown: boolean;
}

/** A bucket in memory: what the adapter uses. */
export async function startMemoryBucket(t: TestContext): Promise<MemoryBucket> {
  const objects = new Map<string, Buffer>();
  const parts = new Map<string, Buffer[]>();
  const bucket: MemoryBucket = { settings: SETTINGS, objects, parts, isDown: false };
  const { settings } = await startObjectServer(t, (response, { line, body }, _count, request) => {
    const url = new URL(request.url!, 'http://host');
    const key = url.pathname.slice('/bucket/'.length);
    const missing = () => response.writeHead(404).end(fault('NoSuchKey'));
    if (bucket.isDown) return response.writeHead(403).end(fault('AccessDenied'));
    const uploadId = url.searchParams.get('uploadId');
    if (line.startsWith('POST') && url.searchParams.has('uploads')) {
      parts.set(key, []);
      return response.end(`<InitiateMultipartUploadResult><UploadId>${key}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (uploadId !== null) {
      const sent = parts.get(uploadId) ?? [];
      if (line.startsWith('PUT')) {
        sent[Number(url.searchParams.get('partNumber')) - 1] = body;
        return response.writeHead(200, { etag: `"${sent.length}"` }).end();
      }
      if (line.startsWith('POST')) objects.set(key, Buffer.concat(sent));
      parts.delete(uploadId);
      return response.end('<CompleteMultipartUploadResult/>');
    }
    if (line.startsWith('PUT')) {
      objects.set(key, body);
      return response.end();
    }
    if (url.searchParams.has('delete')) {
      for (const [, name] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) objects.delete(name!);
      return response.end('<DeleteResult/>');
    }
    if (url.searchParams.has('list-type')) return response.end(listOf(objects, url.searchParams));
    const bytes = objects.get(key);
    if (!bytes) return missing();
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (start === undefined) return response.end(bytes);
    response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${bytes.length}` });
    response.end(bytes.subarray(Number(start), Number(end) + 1));
  });
  return Object.assign(bucket, { settings });
}

function listOf(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const entries = [...objects]
    .filter(([key]) => key.startsWith(query.get('prefix')!) && key > (query.get('start-after') ?? ''))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, Number(query.get('max-keys')))
    .map(
      ([key, { length }]) =>
        `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
    );
  return `<ListBucketResult>${entries.join('')}</ListBucketResult>`;
}
