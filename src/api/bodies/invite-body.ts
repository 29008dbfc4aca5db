// `Expect: 100-continue`: the client waits with its body until it is invited to send it. Node would invite everybody at once.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

// As Node decides it.
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** From now on, bodies are only invited by `inviteBody`. Other expectations are ignored, as RFC 9110 allows. */
export function inviteNobody({ server }: FastifyInstance): void {
  const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
}

/** To be called when the body is about to be read. */
export function inviteBody({ headers, httpVersionMinor }: IncomingMessage, response: ServerResponse): void {
  const isWaiting = httpVersionMinor > 0 && CONTINUE.test(headers.expect ?? '');
  if (isWaiting && !response.headersSent) response.writeContinue();
}
