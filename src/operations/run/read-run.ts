// Finds a run of the caller's team by its ID.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { checkReach, type StartedWork } from '../../policy/keys/key-reach.ts';
import type { RunKind, RunStatus, RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import type { Caller } from '../caller.ts';
import type { CheckRequest } from '../monitor/new-check.ts';
import { startedWith } from '../threats/stored-limits.ts';

export interface FindRunDeps {
  runs: Pick<RunStore, 'view'>;
  clock: Pick<Clock, 'now'>;
}

/** `notFound` is the text of the error for an unknown run, and for one of another kind. Throws KEY_RESTRICTED, too. */
export async function findRun(
  { runs, clock }: FindRunDeps,
  caller: Pick<Caller, 'team' | 'limits'>,
  id: string,
  { kinds, notFound }: { kinds: readonly RunKind[]; notFound: string },
): Promise<RunView> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const run = await runs.view(id, caller.team.id, clock.now());
  if (!run || !kinds.includes(run.kind)) throw new ServiceError('JOB_NOT_FOUND', { message: notFound });
  checkReach(caller, startedRun(run));
  return run;
}

/** The page formats of an extraction say nothing about its answer, which is data. */
export function startedRun({ kind, request }: Pick<RunView, 'kind' | 'request'>): StartedWork {
  const isDefined = kind === 'check' || kind === 'collection';
  const started = startedWith(isDefined ? (request as Partial<CheckRequest> | undefined)?.definition : request);
  return kind === 'extract' && started.request ? { ...started, request: {} } : started;
}

export const isUnfinished = (status: RunStatus): boolean => status === 'queued' || status === 'running';
