// Finds a run of the caller's team by its ID.
import { ServiceError } from '../../contracts/errors.ts';
import type { RunKind, RunStatus, RunStore, RunView } from '../../store/run-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import type { Caller } from '../caller.ts';

export interface FindRunDeps {
  runs: Pick<RunStore, 'view'>;
  clock: Pick<Clock, 'now'>;
}

/** `notFound` is the text of the error for an unknown run, and for one of another kind. */
export async function findRun(
  { runs, clock }: FindRunDeps,
  { team }: Pick<Caller, 'team'>,
  id: string,
  { kinds, notFound }: { kinds: readonly RunKind[]; notFound: string },
): Promise<RunView> {
  if (!isUuid(id)) throw new ServiceError('INVALID_JOB_ID');
  const run = await runs.view(id, team.id, clock.now());
  if (!run || !kinds.includes(run.kind)) throw new ServiceError('JOB_NOT_FOUND', { message: notFound });
  return run;
}

export const isUnfinished = (status: RunStatus): boolean => status === 'queued' || status === 'running';
