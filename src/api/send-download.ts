// Sends a file, whole or in part if it is complete, else while it is made. A failure after the first bytes cuts the connection:
// the status is already sent, and a client must not take a part for the whole.
import { addAbortSignal, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CompleteFile, Download } from '../archive/download.ts';
import { readRange } from '../operations/file-answer.ts';
import type { Log } from '../runtime/log.ts';
import { isClientGone } from './client-gone.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  signal: AbortSignal;
  log: Log;
}

export async function sendDownload(
  download: Download,
  { request, reply, signal, log }: Exchange,
): Promise<FastifyReply> {
  const { type, name, headers, complete } = download;
  const part = complete && partOf(complete, request);
  const describe = () =>
    reply.code(part?.status ?? 200).headers({
      ...headers,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      // Pages wrote what is in it: browsers must not show it as a page of this service.
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      ...part?.headers,
    });
  if (part?.status === 304 || part?.status === 416) return describe().send('');
  // The framework would make the whole file only to discard it.
  if (request.method === 'HEAD') return describe().send(Readable.from([]));
  const stream = part?.range ? addAbortSignal(signal, complete!.read(part.range)) : await download.open(signal);
  stream.once('error', (error) => {
    if (!signal.aborted && !isClientGone(error)) log.error({ err: error, file: name }, 'download cut short');
  });
  return describe().send(stream);
}

interface Part {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  range?: { start: number; end: number };
}

/** What of a complete file a request is answered with (RFC 9110, 13 and 14). */
function partOf({ size, etag }: CompleteFile, { method, headers: asked }: FastifyRequest): Part {
  const known = { 'accept-ranges': 'bytes', etag };
  if (isListed(etag, asked['if-none-match'])) return { status: 304, headers: known };
  const condition = asked['if-range']?.toString();
  // A date is no condition that could be checked: the whole file is sent then.
  const counts = method === 'GET' && (condition === undefined || condition === etag);
  const range = counts ? readRange(asked.range, size) : undefined;
  if (range === undefined) return { status: 200, headers: { ...known, 'content-length': String(size) } };
  if (range === 'outside') {
    return { status: 416, headers: { ...known, 'content-range': `bytes */${size}`, 'content-length': '0' } };
  }
  const { start, end } = range;
  const length = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) };
  return { status: 206, headers: { ...known, ...length }, range };
}

const isListed = (etag: string, list = ''): boolean =>
  list.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()));
