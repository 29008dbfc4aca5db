// Finds out who sent a request before its body is read: a caller without a key cannot make the service take in megabytes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contracts/errors.ts';
import type { Keyless, KeylessCaller } from '../../operations/onboarding/keyless.ts';
import { isOperator } from '../../operations/team/operator.ts';
import { inviteBody } from '../bodies/invite-body.ts';
import type { Authenticate, Identity } from './auth.ts';
import type { ReadForwarded } from './forwarded.ts';
import { isFromThisMachine } from './this-machine.ts';

export interface Admission {
  /** An onRequest hook for routes that need a key. Throws ServiceError UNAUTHORIZED or TOO_MANY_WRONG_KEYS. */
  admit(request: FastifyRequest): Promise<void>;
  /** Admits a request without a key as the caller that `identify` makes of its address. */
  admitKeyless(request: FastifyRequest, identify: Keyless['identify']): Promise<KeylessCaller>;
  /** For the operator's routes: an unrestricted key of the default team, or a direct connection from this machine. */
  admitOperator(request: FastifyRequest): Promise<void>;
  /** The team and key of an admitted request. */
  identityOf(request: FastifyRequest): Identity;
  /** Admits a request whose link has been verified: such a link stands for a key. */
  admitLink(request: FastifyRequest): void;
  isAdmitted(request: FastifyRequest): boolean;
}

const NOT_THE_OPERATOR =
  'Unauthorized: This needs the key of the operator (a key of the team `default` without restrictions).';

/** The framework parses no body of these, as HTTP gives it no meaning. */
const BODILESS = new Set(['GET', 'HEAD']);

export function createAdmission(authenticate: Authenticate, readForwarded: ReadForwarded): Admission {
  const identities = new WeakMap<FastifyRequest, Identity>();
  const linked = new WeakSet<FastifyRequest>();
  const identify = async (request: FastifyRequest): Promise<Identity> => {
    const { address } = readForwarded(request);
    return { ...(await authenticate(request.headers.authorization, address)), address };
  };
  return {
    async admit(request) {
      // Sockets are accepted first and then closed with a code (see watch/watchers.ts).
      if (!request.ws) identities.set(request, await identify(request));
    },
    async admitKeyless(request, identify) {
      const header = (name: string) => request.headers[name]?.toString();
      const caller = await identify(readForwarded(request).address, header);
      identities.set(request, caller);
      return caller;
    },
    async admitOperator(request) {
      if (isFromThisMachine(request)) return;
      if (!isOperator(await identify(request))) throw new ServiceError('UNAUTHORIZED', { message: NOT_THE_OPERATOR });
    },
    identityOf: (request) => identities.get(request)!,
    admitLink(request) {
      linked.add(request);
    },
    isAdmitted: (request) => identities.has(request) || linked.has(request),
  };
}

/**
 * The framework parses bodies after the hooks of onRequest, so a body that arrives here from a caller who is not admitted
 * belongs to a route that forgot to refuse it. Raw bodies are left unread, see bodies/upload-body.ts.
 */
export function parseOnlyAdmittedBodies(app: FastifyInstance, { isAdmitted }: Pick<Admission, 'isAdmitted'>): void {
  app.addHook('preParsing', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.config.isRaw || BODILESS.has(request.method)) return;
    if (!isAdmitted(request)) throw new ServiceError('UNAUTHORIZED');
    inviteBody(request.raw, reply.raw);
  });
}
