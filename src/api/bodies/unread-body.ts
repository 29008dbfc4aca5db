// Answers that are ready before the body has arrived, such as a refusal because of its size. Closing at once would reset the
// connection, and most clients would never see the answer; so the rest is read and dropped first, within limits.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export const DRAIN_MS = 10_000;
const DRAIN_BYTES = 64 * 1024 * 1024;

/** Only callers that were admitted may go on sending; other connections are closed with the answer. */
export function dropUnreadBodies(app: FastifyInstance, isAdmitted: (request: FastifyRequest) => boolean): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.raw.complete || request.ws) return;
    if (!isAdmitted(request)) {
      reply.header('connection', 'close');
      return;
    }
    // The framework closes the connection after a body that is too large.
    reply.removeHeader('connection');
    drain(request.raw, reply.raw);
  });
}

function drain(raw: IncomingMessage, response: ServerResponse): void {
  const cut = () => raw.socket.destroy();
  let bytes = 0;
  raw.unpipe();
  raw.on('error', () => {});
  raw.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > DRAIN_BYTES && response.writableFinished) cut();
  });
  raw.resume();
  response.once('finish', () => {
    const timer = setTimeout(cut, DRAIN_MS);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
