// Requests of the console: the browser adds the session cookie, no matter which site caused the request. So it counts only if
// it comes from a page of this service, and changes something only if it also has the token that such a page knows.
import type { FastifyRequest } from 'fastify';
import { CSRF_HEADER } from '../../contracts/console/console-session.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ConsoleSession, ConsoleSessions } from '../../operations/console/console-sessions.ts';
import type { SessionCookie } from '../../operations/console/session-cookie.ts';
import type { Clock } from '../../util/clock.ts';
import { isSameSecret, sha256 } from '../../util/hash.ts';
import type { BaseUrlOf } from './base-url.ts';
import type { ReadForwarded } from './forwarded.ts';
import { createGuardedLookUp } from './guarded-look-up.ts';
import { isFromOwnPage } from './this-machine.ts';

export interface PageSessions {
  /** Whether the request has a session cookie, and no key, which would count instead. */
  isSent(request: FastifyRequest): boolean;
  /**
   * The session of such a request; undefined if it has ended. Throws FORBIDDEN_ORIGIN, CSRF_TOKEN_INVALID or
   * TOO_MANY_WRONG_KEYS.
   */
  find(request: FastifyRequest): Promise<ConsoleSession | undefined>;
}

interface Deps {
  sessions: Pick<ConsoleSessions, 'find' | 'listHashes'>;
  cookie: Pick<SessionCookie, 'read'>;
  baseUrlOf: BaseUrlOf;
  readForwarded: ReadForwarded;
  clock: Clock;
}

const READS = new Set(['GET', 'HEAD']);
const NOT_OUR_PAGE =
  'Only pages of this server can use a session of its console. If you opened the console through a proxy, set TRAWL_PUBLIC_URL to the address in your browser.';

export function createPageSessions({ sessions, cookie, baseUrlOf, readForwarded, clock }: Deps): PageSessions {
  const lookUp = createGuardedLookUp({ listHashes: sessions.listHashes, clock });
  const secretOf = ({ headers }: FastifyRequest) =>
    headers.authorization === undefined ? cookie.read(headers.cookie) : undefined;

  return {
    isSent: (request) => secretOf(request) !== undefined,
    async find(request) {
      const secret = secretOf(request);
      if (secret === undefined) return undefined;
      const isRead = READS.has(request.method) && !request.ws;
      if (!(isRead ? mayRead(request, baseUrlOf(request)) : isFromOwnPage(request, baseUrlOf(request))))
        throw new ServiceError('FORBIDDEN_ORIGIN', { message: NOT_OUR_PAGE });
      const session = await lookUp(sha256(secret), readForwarded(request).address, () => sessions.find(secret));
      // A socket cannot have headers of its own; its Origin was checked, and what it gets is only read.
      if (!session || isRead || request.ws) return session;
      const token = request.headers[CSRF_HEADER]?.toString() ?? '';
      if (!isSameSecret(token, session.csrfToken)) throw new ServiceError('CSRF_TOKEN_INVALID');
      return session;
    },
  };
}

/** Browsers say which site a request comes from: the same page, an address that was typed, or a link that was opened. */
function mayRead(request: FastifyRequest, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || isFromOwnPage(request, baseUrl);
}
