// Operations on browser sessions, answered by the process that has the session, or by one that has room for it.

import { OpenElsewhere } from '../../contracts/browser/open-elsewhere.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { scrapeKey } from '../../operations/browser/interact.ts';
import type { Call, Operations } from '../../operations/call.ts';
import type { Membership } from '../../peers/membership.ts';
import type { Sessions } from '../../sessions/session.ts';
import type { ProcessRow } from '../../store/ports/process-registry.ts';
import type { SessionDirectory } from '../../store/ports/session-directory.ts';
import type { Clock } from '../../util/clock.ts';
import type { BrowserProcesses } from './browser-processes.ts';
import type { Forward } from './forward.ts';

const OF_SESSIONS = ['getBrowser', 'getInteract', 'deleteBrowser', 'deleteInteract'] as const;
const EXECUTE = ['executeInBrowser', 'executeInInteract'] as const;
const CREATE = ['createBrowser', 'createInteract'] as const;
const LIST = ['listBrowsers', 'listInteracts'] as const;
export const FORWARDED = [...OF_SESSIONS, ...EXECUTE, ...CREATE, ...LIST, 'interact', 'stopInteraction'] as const;
type Forwarded = (typeof FORWARDED)[number];

interface Deps {
  sessions: Pick<Sessions, 'find' | 'findEnded'>;
  places: SessionDirectory;
  membership: Membership;
  browsers: BrowserProcesses;
  forward: Forward;
  clock: Clock;
}

/** What the calls of these operations have; some have no parameters or no body. */
type AnyCall = Pick<Call<'interact'>, 'caller' | 'params' | 'baseUrl'> & { body?: { existingSessionId?: string } };
type Run = (call: AnyCall) => Promise<unknown>;

const lost = (cause: unknown) =>
  new ServiceError('SESSION_ENDED', {
    message: 'The process that ran this session has stopped, so the session has ended. Open a new one.',
    cause,
  });
const noBrowser = (cause: unknown) =>
  new ServiceError('NO_BROWSER', { message: 'The process that runs browsers did not answer. Try again.', cause });

const isNoBrowser = (error: unknown) => error instanceof ServiceError && error.code === 'NO_BROWSER';

/** Everything else stays as it is. */
export function routeSessions(local: Operations, deps: Deps): Operations {
  const { sessions, places, membership, browsers, forward, clock } = deps;
  const here = (id: Forwarded, call: AnyCall) => (local[id] as unknown as Run)(call);
  const at = (process: ProcessRow, id: Forwarded, call: AnyCall, onLost = lost) =>
    forward(process, id, call, { onLost });
  const ownerOf = async (place: { processId: string } | undefined) => place && (await membership.find(place.processId));
  const ownerOfSession = async (id: string, teamId: string) => {
    if (sessions.find(id, teamId) ?? sessions.findEnded(id, teamId)) return undefined;
    return ownerOf(await places.find(id, teamId, clock.now()));
  };

  const bySession =
    (id: Forwarded): Run =>
    async (call) => {
      const owner = await ownerOfSession(call.params.id, call.caller.team.id);
      return owner ? at(owner, id, call) : here(id, call);
    };
  const whereRoom =
    (id: Forwarded): Run =>
    async (call) => {
      const process = browsers.choose('sessions');
      if (!process) return here(id, call);
      try {
        return await at(process, id, call, noBrowser);
      } catch (error) {
        // It has just stopped, or has no room: a session that was opened there after all ends with the call.
        const other = isNoBrowser(error) ? browsers.choose('sessions', process.id) : undefined;
        if (!other) throw error;
        return at(other, id, call, noBrowser);
      }
    };
  const list =
    (id: Forwarded): Run =>
    async (call) => {
      const owners = await places.processesOf(call.caller.team.id, clock.now());
      const others = await Promise.all(owners.map((processId) => membership.find(processId)));
      // A process that does not answer has just died, and its sessions with it.
      const away = others.flatMap((process) => (process ? [at(process, id, call).catch(() => undefined)] : []));
      const answers = (await Promise.all([here(id, call), ...away])) as (ListAnswer | undefined)[];
      const listed = answers.flatMap((answer) => answer?.sessions ?? []);
      return { success: true, sessions: listed.toSorted(openFirst) };
    };
  const ownerOfScrape = async (call: AnyCall) => {
    const { caller, params, body } = call;
    const { team } = caller;
    if (body?.existingSessionId !== undefined) return ownerOfSession(body.existingSessionId, team.id);
    return ownerOf(await places.findByScrape(scrapeKey(caller, params.id), clock.now()));
  };
  const interact: Run = async (call) => {
    const owner = await ownerOfScrape(call);
    const process = owner ?? browsers.choose('sessions');
    try {
      return await (process ? at(process, 'interact', call, owner ? lost : noBrowser) : here('interact', call));
    } catch (error) {
      if (!(error instanceof OpenElsewhere)) throw error;
      // Another call for the same scrape was quicker.
      const winner = await membership.find(error.processId);
      return winner ? at(winner, 'interact', call) : here('interact', call);
    }
  };
  const stopInteraction: Run = async (call) => {
    const owner = await ownerOfScrape(call);
    return owner ? at(owner, 'stopInteraction', call) : here('stopInteraction', call);
  };
  const bind = (ids: readonly Forwarded[], make: (id: Forwarded) => Run) => ids.map((id) => [id, make(id)]);
  const routed = Object.fromEntries([
    ...bind([...OF_SESSIONS, ...EXECUTE], bySession),
    ...bind(CREATE, whereRoom),
    ...bind(LIST, list),
  ]) as Partial<Operations>;
  return { ...local, ...routed, ...({ interact, stopInteraction } as unknown as Partial<Operations>) };
}

interface ListAnswer {
  sessions: { status: string; createdAt: string }[];
}

/** As one process lists them: open ones, then ended ones, the latest first. */
const openFirst = (a: ListAnswer['sessions'][number], b: ListAnswer['sessions'][number]): number =>
  a.status.localeCompare(b.status) || b.createdAt.localeCompare(a.createdAt);
