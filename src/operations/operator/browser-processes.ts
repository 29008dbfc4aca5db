// The browser programs of the service, for the operator: list them, and kill one. The operator may end every session, but
// sees the screens of its own team only: in the others somebody may be typing a password.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type {
  EndBrowserProcessResponse,
  ListBrowserProcessesResponse,
  ListedBrowserProcess,
} from '../../contracts/operator/browser-processes.ts';
import type { ServiceProcess } from '../../contracts/operator/service-process.ts';
import type { BrowserEngine } from '../../fetch/browser/browser-engine.ts';
import type { SessionProcess, Sessions } from '../../sessions/session.ts';
import type { TeamStore } from '../../store/ports/teams/team-store.ts';
import { iso } from '../../util/clock.ts';
import { sessionLinks } from '../browser/sessions.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { requireOperator } from '../team/operator.ts';

export interface BrowserProcessesDeps {
  /** One engine, or two if another browser is used for sites that turn the first one away. */
  browserEngines: readonly Pick<BrowserEngine, 'unavailable' | 'processes' | 'endProcess'>[];
  maxBrowserPages: number;
  /** The one that answers. */
  ownProcess: ServiceProcess;
  sessions: Pick<Sessions, 'processes' | 'end'>;
  teams: Pick<TeamStore, 'find'>;
}

type OwnBrowser = Omit<ListedBrowserProcess, 'process'>;

const ENDED_BY_OPERATOR = 'The operator of this server ended the session. Open a new one.';

export async function listBrowserProcesses(
  { browserEngines, maxBrowserPages, ownProcess, sessions, teams }: BrowserProcessesDeps,
  { caller }: Call<'listBrowserProcesses'>,
): Promise<ListBrowserProcessesResponse> {
  requireOperator(caller);
  const problem = browserEngines[0]?.unavailable();
  const pages = browserEngines.flatMap((engine) => engine.processes()).map(describePages);
  const driven = await Promise.all(
    sessions.processes().map(async (process) => {
      const team = await teams.find(process.session.teamId);
      return describeSession(process, team?.name ?? '', caller);
    }),
  );
  return {
    success: true,
    data: {
      available: problem === undefined,
      ...(problem !== undefined && { problem }),
      maxPages: maxBrowserPages,
      processes: [...pages, ...driven].map((each) => ({ ...each, process: ownProcess.name })),
      asked: [{ process: ownProcess.name, answered: true }],
    },
  };
}

export async function endBrowserProcess(
  { browserEngines, sessions }: BrowserProcessesDeps,
  { caller, params: { id } }: Call<'endBrowserProcess'>,
): Promise<EndBrowserProcessResponse> {
  requireOperator(caller);
  for (const engine of browserEngines) {
    const ended = engine.endProcess(id);
    if (ended) return { success: true, data: { id, kind: 'pages', retriedPages: ended.openPages } };
  }
  const driven = sessions.processes().find(({ session }) => session.id === id);
  if (!driven) throw new ServiceError('BROWSER_NOT_FOUND');
  await sessions.end(id, driven.session.teamId, new ServiceError('SESSION_ENDED', { message: ENDED_BY_OPERATOR }));
  return { success: true, data: { id, kind: 'session', retriedPages: 0 } };
}

const describePages = ({ startedAt, ...process }: ReturnType<BrowserEngine['processes']>[number]): OwnBrowser => ({
  kind: 'pages',
  startedAt: iso(startedAt),
  ...process,
});

function describeSession({ session, pid, memoryBytes }: SessionProcess, team: string, caller: Caller): OwnBrowser {
  const { id, teamId, createdAt, lastActivityAt, expiresAt, streamWebView } = session;
  const mayWatch = teamId === caller.team.id && streamWebView;
  return {
    ...{ id, kind: 'session', pid, state: 'running', startedAt: iso(createdAt), memoryBytes },
    session: {
      team,
      lastActivity: iso(lastActivityAt),
      expiresAt: iso(expiresAt),
      ...(mayWatch && { liveViewUrl: sessionLinks(session).liveViewUrl }),
    },
  };
}
