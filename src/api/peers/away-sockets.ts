// Sockets whose session another process has: looked for before they are accepted, then connected with it.
import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { AwaySession, AwaySessions } from '../../peers/away-sessions.ts';
import type { SessionTokens } from '../../sessions/session.ts';
import type { ReadForwarded } from '../callers/forwarded.ts';
import { relaySocket } from './relay-socket.ts';

export interface AwaySockets {
  /** Undefined if the session is nowhere, or if another process has forwarded the request. */
  find(
    request: FastifyRequest,
    kinds: readonly (keyof SessionTokens)[],
    token: string,
  ): Promise<AwaySession | undefined>;
  /** Whether `find` has found it. */
  isFound(request: FastifyRequest['raw']): boolean;
  /** False if `find` has not found it. */
  relay(socket: WebSocket, request: FastifyRequest, stopping: AbortSignal): boolean;
}

interface Deps {
  /** Absent if there are no other processes. */
  away?: AwaySessions;
  isForwarded(request: FastifyRequest): boolean;
  readForwarded: ReadForwarded;
}

export function createAwaySockets({ away, isForwarded, readForwarded }: Deps): AwaySockets {
  const found = new WeakMap<FastifyRequest['raw'], AwaySession>();
  return {
    async find(request, kinds, token) {
      // Never forwarded twice: the process that is asked may have lost the session meanwhile.
      if (!away || isForwarded(request)) return undefined;
      const session = await away.findByToken(kinds, token);
      if (session) found.set(request.raw, session);
      return session;
    },
    isFound: (raw) => found.has(raw),
    relay(socket, request, stopping) {
      const session = found.get(request.raw);
      if (!session || !away) return false;
      relaySocket(socket, away.openSocket(session, pathOf(request.raw.url!), readForwarded(request).address), stopping);
      return true;
    },
  };
}

/** Sessions are found by the path alone. A query may have characters that do not arrive as they were signed. */
const pathOf = (url: string): string => url.replace(/[?#].*/s, '');
