// A signal that aborts the work behind a request when its client disconnects or the service stops.
import type { FastifyReply, FastifyRequest } from 'fastify';

export function callerSignal(request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const { socket } = request.raw;
  const hangUp = () => gone.abort(new Error('The client closed the connection.'));
  socket.once('close', hangUp);
  // A kept-alive connection outlives its requests, so each listener is removed. The request itself cannot be watched: it
  // closes as soon as its body is read.
  reply.raw.once('close', () => socket.off('close', hangUp));
  return AbortSignal.any([gone.signal, stopping]);
}
