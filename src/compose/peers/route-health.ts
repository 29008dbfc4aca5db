// What the operator asks about processes, answered by all of them, or by the one that the operator names.

import { ServiceError } from '../../contracts/errors/errors.ts';
import type {
  EndBrowserProcessResponse,
  ListBrowserProcessesResponse,
} from '../../contracts/operator/browser-processes.ts';
import type { Call, Operations } from '../../operations/call.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Membership } from '../../peers/membership.ts';
import type { ProcessRow } from '../../store/ports/process-registry.ts';
import type { Forward } from './forward.ts';

const OF_ONE = ['healthHistory', 'healthDisk'] as const;
const BROWSERS = ['listBrowserProcesses', 'endBrowserProcess'] as const;
export const FORWARDED_HEALTH = [...OF_ONE, ...BROWSERS] as const;

interface Deps {
  membership: Pick<Membership, 'find' | 'others'>;
  forward: Forward;
}

/** An operator waits for all of them to answer. */
const ANSWER_MS = 3_000;
/** A session may save its profile first. */
const END_MS = 30_000;

const noAnswer = (cause: unknown) => new ServiceError('PROCESS_NOT_FOUND', { cause });
const isNoBrowser = (error: unknown) => error instanceof ServiceError && error.code === 'BROWSER_NOT_FOUND';

export function routeHealth(
  local: Operations,
  { membership, forward }: Deps,
): Pick<Operations, (typeof FORWARDED_HEALTH)[number]> {
  const at = (process: ProcessRow, id: (typeof FORWARDED_HEALTH)[number], call: { caller: Caller }, ms = ANSWER_MS) =>
    forward(process, id, call, { onLost: noAnswer, signal: AbortSignal.timeout(ms) }).catch((error) => {
      call.caller.signal.throwIfAborted();
      throw error instanceof ServiceError ? error : noAnswer(error);
    });

  /** Which processes there are is known here; the operation itself refuses all names but its own. */
  const byProcess =
    (id: (typeof OF_ONE)[number]) =>
    async (call: Call<'healthHistory'>): Promise<unknown> => {
      const { process: wanted } = call.query;
      const process = wanted === undefined ? undefined : await membership.find(wanted);
      return process ? at(process, id, call) : local[id](call);
    };

  async function listBrowserProcesses(call: Call<'listBrowserProcesses'>): Promise<ListBrowserProcessesResponse> {
    const others = membership.others();
    const own = (await local.listBrowserProcesses(call)) as ListBrowserProcessesResponse;
    const answers = (await Promise.all(
      others.map((process) => at(process, 'listBrowserProcesses', call).catch(() => undefined)),
    )) as (ListBrowserProcessesResponse | undefined)[];
    const all = [own, ...answers].flatMap((answer) => (answer ? [answer.data] : []));
    const available = all.some((each) => each.available);
    return {
      success: true,
      data: {
        available,
        ...(!available && own.data.problem !== undefined && { problem: own.data.problem }),
        maxPages: all.reduce((sum, { maxPages }) => sum + maxPages, 0),
        processes: all.flatMap(({ processes }) => processes),
        asked: [
          ...own.data.asked,
          ...others.map(({ name }, place) => ({ process: name, answered: answers[place] !== undefined })),
        ],
      },
    };
  }

  /** Its ID does not tell which process has it. */
  async function endBrowserProcess(call: Call<'endBrowserProcess'>): Promise<EndBrowserProcessResponse> {
    try {
      return (await local.endBrowserProcess(call)) as EndBrowserProcessResponse;
    } catch (error) {
      if (!isNoBrowser(error)) throw error;
      const ends = membership.others().map((process) => at(process, 'endBrowserProcess', call, END_MS));
      const ended = (await Promise.allSettled(ends)).find(({ status }) => status === 'fulfilled');
      if (!ended) throw error;
      return (ended as PromiseFulfilledResult<EndBrowserProcessResponse>).value;
    }
  }

  return {
    healthHistory: byProcess('healthHistory'),
    healthDisk: byProcess('healthDisk'),
    listBrowserProcesses,
    endBrowserProcess,
  } as Pick<Operations, (typeof FORWARDED_HEALTH)[number]>;
}
