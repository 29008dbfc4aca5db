// Carries out a check of a monitor: one target after the other, then the summary. What it has found is stored on the way, so an
// interrupted check goes on where it was.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { CheckResult, CheckSummary } from '../../../contracts/monitor/monitor-check.ts';
import type { MonitorTarget } from '../../../contracts/monitor/monitor-targets.ts';
import { LeaseLost } from '../../../jobs/lease.ts';
import { RunCancelled, type RunHandler, type RunOutcome, type RunTools } from '../../../jobs/runs/run-handler.ts';
import { shortageEvent } from '../../../policy/budgets/insufficient-credits.ts';
import { storesNothing } from '../../../policy/features.ts';
import type { PageStatusCounts } from '../../../store/ports/runs/monitor-store.ts';
import type { RunView } from '../../../store/ports/runs/run-store.ts';
import { notifyCheck } from '../mail/notify-check.ts';
import type { CheckRequest } from '../new-check.ts';
import type { CheckContext, CheckHandlerDeps } from './check-context.ts';
import { endEvents } from './check-events.ts';
import { type CheckedTarget, checkPages } from './check-pages.ts';
import { checkSearch } from './check-search.ts';
import { cancelJobs } from './child-job.ts';

export const createCheckHandler = (deps: CheckHandlerDeps): RunHandler => ({
  async work(run, tools) {
    const context = await openContext(deps, run, tools);
    if (storesNothing(deps.featuresOf, context.caller.team)) return NOT_ALLOWED;
    if (await hasNoCredits(tools)) {
      deps.security.record(shortageEvent(run, 'monitor'));
      return NO_CREDITS;
    }
    try {
      return await check(context);
    } catch (error) {
      const isCancelled = tools.signal.reason instanceof RunCancelled;
      if (!isCancelled && goesOnLater(tools.signal, error)) throw error;
      const credits = tools.spent().credits + (await cancelJobs(context));
      if (!isCancelled) throw error;
      return cancelled(credits);
    }
  },
  endEvents,
});

/** The team was allowed to store pages when the monitor was made. */
const NOT_ALLOWED: RunOutcome = {
  status: 'failed',
  error:
    'All requests of the team have zero data retention. Monitors have to store pages to compare them, so nothing was checked.',
  credits: 0,
};

const NO_CREDITS: RunOutcome = {
  status: 'skipped_no_credits',
  error: 'The credits of the month are used up, so nothing was checked. The next check tries again.',
  credits: 0,
};

/** A check that has begun goes on after a restart, and ends with what it can still afford. */
const hasNoCredits = async ({ spent, creditsLeft }: RunTools): Promise<boolean> =>
  spent().steps === 0 && (await creditsLeft()) < 1;

/** The service stops, another process has taken over, or the disk is full for now. */
const goesOnLater = (signal: AbortSignal, error: unknown): boolean =>
  signal.aborted ||
  error instanceof LeaseLost ||
  (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE');

async function openContext(deps: CheckHandlerDeps, run: RunView, tools: RunTools): Promise<CheckContext> {
  const caller = await deps.callerOf(run);
  return { deps, run, tools, request: run.request as CheckRequest, caller, jobs: new Map() };
}

async function check(context: CheckContext): Promise<RunOutcome> {
  const { deps, run, tools, request } = context;
  const targets: CheckedTarget[] = [];
  for (const target of request.definition.targets) targets.push(await checkTarget(context, target));
  if (await isDeleted(context)) return cancelled(tools.spent().credits);
  const summary = summaryOf(await deps.monitors.countPages(run.id));
  const failed = targets.filter(({ isFailed }) => isFailed).length;
  const status = statusOf(summary, failed, targets.length);
  const error = status === 'failed' ? { error: 'No page of the monitor could be read.' } : {};
  const notificationStatus = await notify(context, { id: run.id, status, ...error });
  const result: CheckResult = {
    summary,
    targetResults: targets.map((target) => target.result),
    ...(notificationStatus && { notificationStatus }),
  };
  return {
    status,
    result,
    ...error,
    credits: tools.spent().credits,
  };
}

/** A monitor that was deleted meanwhile tells nobody anything, even if its check has not heard of the cancellation yet. */
const isDeleted = async ({ deps, run, request }: CheckContext): Promise<boolean> =>
  !(await deps.monitors.find(request.monitorId, run.teamId, deps.clock.now()));

const cancelled = (credits: number): RunOutcome => ({
  status: 'cancelled',
  error: 'The check was cancelled.',
  stopReason: 'cancelled',
  credits,
});

/** Mails are queued once for each check and recipient, so the step may run again. */
const notify = (
  { deps, run, request, tools }: CheckContext,
  check: Parameters<typeof notifyCheck>[2],
): Promise<object | null> =>
  tools.step({ key: 'notify', name: 'notify' }, async () => {
    const monitor = { id: request.monitorId, teamId: run.teamId, definition: request.definition };
    return { output: (await notifyCheck(deps.mail, monitor, check)) ?? null };
  });

const checkTarget = (context: CheckContext, target: MonitorTarget): Promise<CheckedTarget> =>
  target.type === 'search' ? checkSearch(context, target) : checkPages(context, target);

const summaryOf = (counts: PageStatusCounts): CheckSummary => ({
  totalPages: Object.values(counts).reduce((sum, count) => sum + count, 0),
  ...counts,
});

/** A check has failed if it has learned nothing, and is partial if something is missing. */
function statusOf({ totalPages, error }: CheckSummary, failed: number, targets: number) {
  if (failed === targets && totalPages === error) return 'failed';
  if (totalPages > 0 && totalPages === error) return 'failed';
  return failed > 0 || error > 0 ? 'partial' : 'completed';
}
