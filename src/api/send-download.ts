// Sends a file while it is made. A failure after the first bytes cuts the connection: the status is already sent, and a
// client must not take a part for the whole.
import { addAbortSignal, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Download, WholeFile } from '../archive/download.ts';
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
  const { type, name, headers } = download;
  const describe = () =>
    reply.headers({
      ...headers,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      // Pages wrote what is in it: browsers must not show it as a page of this service.
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
  const { file } = download;
  if (file) return sendPart(file, describe(), request, signal);
  // The framework would make the whole file only to discard it.
  if (request.method === 'HEAD') return describe().send(Readable.from([]));
  const stream = await download.open(signal);
  stream.once('error', (error) => {
    if (!signal.aborted && !isClientGone(error)) log.error({ err: error, file: name }, 'download cut short');
  });
  return describe().send(stream);
}

/** Files have no validators that If-Range could name. */
function sendPart({ size, read }: WholeFile, reply: FastifyReply, request: FastifyRequest, signal: AbortSignal) {
  const { range, 'if-range': condition } = request.headers;
  const part = condition === undefined ? readRange(range, size) : undefined;
  reply.header('accept-ranges', 'bytes');
  if (part === 'outside')
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${size}`, 'content-length': '0' })
      .send('');
  if (part) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  reply.header('content-length', String(part ? part.end - part.start + 1 : size));
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : addAbortSignal(signal, read(part)));
}
