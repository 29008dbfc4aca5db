// Starts a run: stores it with the event of its start, and only then tells the runner.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Runner } from '../../jobs/runs/runner.ts';
import type { NewRun, RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { Clock } from '../../util/clock.ts';
import { uuidv7 } from '../../util/ids.ts';
import { accountOf, type Caller } from '../caller.ts';

export interface StartRunDeps {
  runs: Pick<RunStore, 'add' | 'view'>;
  runner: Pick<Runner, 'wake'>;
  maxJobs: number;
  clock: Pick<Clock, 'now'>;
}

/** How long the result of an agent or of an extraction can be read. */
export const RESULT_KEPT_MS = 24 * 3_600_000;
const RETRY_AFTER_SECONDS = 30;

type RunPlan = Pick<
  NewRun,
  'kind' | 'group' | 'target' | 'request' | 'webhook' | 'events' | 'zeroDataRetention' | 'keepMs'
>;

interface StartOptions {
  idempotencyKey?: string;
  /** The error if this run of the same group has not ended. */
  busy?: (runId: string) => ServiceError;
}

export async function startRun(
  { runs, runner, maxJobs, clock }: StartRunDeps,
  caller: Pick<Caller, 'team' | 'key'>,
  plan: RunPlan,
  { idempotencyKey, busy }: StartOptions = {},
): Promise<RunView> {
  const now = clock.now();
  const id = uuidv7(now);
  const added = await runs.add({
    ...plan,
    id,
    ...accountOf(caller),
    createdAt: now,
    maxUnfinished: maxJobs,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  if (added === 'key-used') throw new ServiceError('IDEMPOTENCY_KEY_USED');
  if (added === 'queue-full') {
    throw new ServiceError('QUEUE_FULL', {
      message: `Your team has reached its limit of ${maxJobs} unfinished runs (TRAWL_MAX_JOBS). Retry when one has ended.`,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
  if (added !== 'added') throw busy?.(added.busy) ?? new ServiceError('UNKNOWN_ERROR');
  runner.wake();
  return (await runs.view(id, caller.team.id, now))!;
}
