// Finds out who sent a request before its body is read: a caller without a key cannot make the service take in megabytes.
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../contracts/errors.ts';
import { DEFAULT_TEAM } from '../operations/team/keys.ts';
import type { Authenticate, Identity } from './auth.ts';
import { isFromThisMachine } from './this-machine.ts';

export interface Admission {
  /** An onRequest hook for routes that need a key. Throws ServiceError UNAUTHORIZED. */
  admit(request: FastifyRequest): Promise<void>;
  /** For the operator's routes: a key of the default team, or a direct connection from this machine. */
  admitOperator(request: FastifyRequest): Promise<void>;
  /** The team and key of an admitted request. */
  identityOf(request: FastifyRequest): Identity;
  isAdmitted(request: FastifyRequest): boolean;
}

const NOT_THE_OPERATOR = 'Unauthorized: This needs the key of the operator (a key of the team `default`).';

export function createAdmission(authenticate: Authenticate): Admission {
  const identities = new WeakMap<FastifyRequest, Identity>();
  return {
    async admit(request) {
      // Sockets are accepted first and then closed with a code (see watch/watchers.ts).
      if (!request.ws) identities.set(request, await authenticate(request.headers.authorization));
    },
    async admitOperator(request) {
      if (isFromThisMachine(request)) return;
      const { team } = await authenticate(request.headers.authorization);
      if (team.name !== DEFAULT_TEAM) throw new ServiceError('UNAUTHORIZED', { message: NOT_THE_OPERATOR });
    },
    identityOf: (request) => identities.get(request)!,
    isAdmitted: (request) => identities.has(request),
  };
}
