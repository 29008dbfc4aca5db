// Finds out who sent a request before its body is read: a caller without a key cannot make the service take in megabytes.
import type { FastifyRequest } from 'fastify';
import type { Authenticate, Identity } from './auth.ts';

export interface Admission {
  /** An onRequest hook for routes that need a key. Throws ServiceError UNAUTHORIZED. */
  admit(request: FastifyRequest): Promise<void>;
  /** The team and key of an admitted request. */
  identityOf(request: FastifyRequest): Identity;
  isAdmitted(request: FastifyRequest): boolean;
}

export function createAdmission(authenticate: Authenticate): Admission {
  const identities = new WeakMap<FastifyRequest, Identity>();
  return {
    async admit(request) {
      // Sockets are accepted first and then closed with a code (see watch/watchers.ts).
      if (!request.ws) identities.set(request, await authenticate(request.headers.authorization));
    },
    identityOf: (request) => identities.get(request)!,
    isAdmitted: (request) => identities.has(request),
  };
}
