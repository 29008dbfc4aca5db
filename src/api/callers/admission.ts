// Finds out who sent a request before its body is read: a caller without a key cannot make the service take in megabytes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Authenticate, Identity } from '../../operations/caller.ts';
import type { ConsoleSession } from '../../operations/console/console-sessions.ts';
import type { Keyless, KeylessCaller } from '../../operations/onboarding/keyless.ts';
import { isOperator } from '../../operations/team/operator.ts';
import { inviteBody } from '../bodies/invite-body.ts';
import { sendsNoKey } from './auth.ts';
import type { ReadForwarded } from './forwarded.ts';
import type { PageSessions } from './page-sessions.ts';
import { isFromOwnProgram } from './this-machine.ts';

export interface Admission {
  /** An onRequest hook for routes that need a key, or a session of the console. Throws what `identify` throws. */
  admit(request: FastifyRequest): Promise<void>;
  /** The same for routes that pages of the console do not use: a session does not count. */
  admitKey(request: FastifyRequest): Promise<void>;
  /** Throws ServiceError UNAUTHORIZED, TOO_MANY_WRONG_KEYS, FORBIDDEN_ORIGIN or CSRF_TOKEN_INVALID. */
  identify(request: FastifyRequest): Promise<Identity>;
  /** Neither a key nor a session was sent. */
  isStranger(request: FastifyRequest): boolean;
  /** The session of a request of the console. Throws what `identify` throws, except for a session that has ended. */
  sessionOf(request: FastifyRequest): Promise<ConsoleSession | undefined>;
  /** Admits a request without a key as the caller that `identify` makes of its address. */
  admitKeyless(request: FastifyRequest, identify: Keyless['identify']): Promise<KeylessCaller>;
  /** For the operator's routes: an unrestricted key of the default team, or a program of the service's own user. */
  admitOperator(request: FastifyRequest): Promise<void>;
  /** The team and key of an admitted request. */
  identityOf(request: FastifyRequest): Identity;
  /** Admits a request whose link has been verified: such a link stands for a key. */
  admitLink(request: FastifyRequest): void;
  isAdmitted(request: FastifyRequest): boolean;
}

const NOT_THE_OPERATOR =
  'Unauthorized: This needs the key of the operator (a key of the team `default` without restrictions), unless a program of the user asks that the service runs as.';
const NOT_FOR_PROMETHEUS = `${NOT_THE_OPERATOR} For Prometheus, add this line to the job in scrape_configs: authorization: { credentials: "<key>" }`;

const SESSION_ENDED = 'Your session of the console has ended. Log in again.';

/** The framework parses no body of these, as HTTP gives it no meaning. */
const BODILESS = new Set(['GET', 'HEAD']);

interface Deps {
  authenticate: Authenticate;
  readForwarded: ReadForwarded;
  /** Absent while authentication is off: nobody has to log in. */
  pages?: PageSessions;
}

export function createAdmission({ authenticate, readForwarded, pages }: Deps): Admission {
  const identities = new WeakMap<FastifyRequest, Identity>();
  const linked = new WeakSet<FastifyRequest>();
  const byKey = async (request: FastifyRequest): Promise<Identity> => {
    const { address } = readForwarded(request);
    return { ...(await authenticate(request.headers.authorization, address)), address };
  };
  const identify = async (request: FastifyRequest): Promise<Identity> => {
    if (!pages?.isSent(request)) return byKey(request);
    const session = await pages.find(request);
    if (!session) throw new ServiceError('UNAUTHORIZED', { message: SESSION_ENDED });
    return { ...session.identity, address: readForwarded(request).address };
  };
  const isStranger = (request: FastifyRequest) => sendsNoKey(request.headers.authorization) && !pages?.isSent(request);
  return {
    identify,
    async admit(request) {
      // Sockets are accepted first and then closed with a code (see watch/watchers.ts).
      if (!request.ws) identities.set(request, await identify(request));
    },
    async admitKey(request) {
      identities.set(request, await byKey(request));
    },
    isStranger,
    sessionOf: async (request) => pages?.find(request),
    async admitKeyless(request, identify) {
      const header = (name: string) => request.headers[name]?.toString();
      const caller = await identify(readForwarded(request).address, header);
      identities.set(request, caller);
      return caller;
    },
    async admitOperator(request) {
      if (isFromOwnProgram(request)) return;
      const message = request.routeOptions.url === '/metrics' ? NOT_FOR_PROMETHEUS : NOT_THE_OPERATOR;
      const refusal = new ServiceError('UNAUTHORIZED', { message });
      const identity = await identify(request).catch((error: unknown) => {
        throw isStranger(request) ? refusal : error;
      });
      if (!isOperator(identity)) throw refusal;
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
