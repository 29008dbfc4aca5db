// Finds out who sent a request before its body is read: a caller without a key cannot make the service take in megabytes.
import type { FastifyRequest } from 'fastify';
import type { Team } from '../store/team-store.ts';
import type { Authenticate } from './auth.ts';

export interface Admission {
  /** An onRequest hook for routes that need a key. Throws ServiceError UNAUTHORIZED. */
  admit(request: FastifyRequest): Promise<void>;
  /** The team of an admitted request. */
  teamOf(request: FastifyRequest): Team;
  isAdmitted(request: FastifyRequest): boolean;
}

export function createAdmission(authenticate: Authenticate): Admission {
  const teams = new WeakMap<FastifyRequest, Team>();
  return {
    async admit(request) {
      // Sockets are accepted first and then closed with a code (see watch/watchers.ts).
      if (!request.ws) teams.set(request, await authenticate(request.headers.authorization));
    },
    teamOf: (request) => teams.get(request)!,
    isAdmitted: (request) => teams.has(request),
  };
}
