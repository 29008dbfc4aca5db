// A caller who hangs up wants no answer any more: the work behind the request ends with the connection.
import type { FastifyReply, FastifyRequest } from 'fastify';

export function callerSignal(request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const { socket } = request.raw;
  const hangUp = () => gone.abort(new Error('The client closed the connection.'));
  socket.once('close', hangUp);
  // A kept-alive connection outlives its requests and must not collect a listener for each. The request itself closes as
  // soon as its body is read, which was before this.
  reply.raw.once('close', () => socket.off('close', hangUp));
  return AbortSignal.any([gone.signal, stopping]);
}
