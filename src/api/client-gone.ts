// The reason why work is cancelled when its client disconnects. Nobody is left to be answered, and nothing went wrong here.
import type { FastifyReply, FastifyRequest } from 'fastify';

export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

/** Also true for errors that were made from it on the way. */
export function isClientGone(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause)
    if (reason instanceof ClientGone) return true;
  return false;
}

/** Aborts the work behind a request when its client disconnects or the service stops. */
export function callerSignal(request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const { socket } = request.raw;
  const hangUp = () => gone.abort(new ClientGone());
  socket.once('close', hangUp);
  // A kept-alive connection outlives its requests, so each listener is removed. The request itself cannot be watched: it
  // closes as soon as its body is read.
  reply.raw.once('close', () => socket.off('close', hangUp));
  return AbortSignal.any([gone.signal, stopping]);
}
