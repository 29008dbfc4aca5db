// Sockets into a browser session count against the limits of the team that opened it: the token in their path stands for a
// key of that team. Who is refused is accepted first and then closed with a code, as for watchers.
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { PolicyStage } from '../../policy/policy-stage.ts';
import type { BrowserSession } from '../../sessions/session.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import type { ReadForwarded } from '../callers/forwarded.ts';
import type { ErrorReader } from '../errors.ts';
import { closeCode } from '../watch/job-stream.ts';

export interface SessionSockets {
  /** To be called in a hook, before the socket is accepted. Never rejects. */
  admit(request: FastifyRequest, session: Pick<BrowserSession, 'teamId' | 'opener'>): Promise<void>;
  /** Why the socket of this request must be closed. */
  refusalOf(request: FastifyRequest): ServiceError | undefined;
}

interface Deps {
  policy: Pick<PolicyStage, 'admit'>;
  teams: Pick<TeamStore, 'find'>;
  readForwarded: ReadForwarded;
  readError: ErrorReader;
  stopping: AbortSignal;
}

export function createSessionSockets({ policy, teams, readForwarded, readError, stopping }: Deps): SessionSockets {
  const refusals = new WeakMap<FastifyRequest, ServiceError>();
  return {
    async admit(request, { teamId, opener }) {
      try {
        const team = await teams.find(teamId);
        // Without a team, its session is about to end.
        const { address } = readForwarded(request);
        if (team) await policy.admit('executeInBrowser', { team, ...opener, address }, stopping);
      } catch (error) {
        refusals.set(request, readError(error));
      }
    },
    refusalOf: (request) => refusals.get(request),
  };
}

const NORMAL = 1000;

/** Close code for sockets of an ended session; the usual cause is a revoked key. */
export const endCode = (reason: ServiceError | undefined, otherwise = NORMAL): number =>
  reason?.code === 'SESSION_KEY_ENDED' ? closeCode(reason) : otherwise;
