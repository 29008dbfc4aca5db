// Checks of a monitor: start one now, list them, read one with its pages.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type {
  CheckPage,
  CheckResponse,
  CheckResult,
  CheckStatus,
  CheckSummary,
  CheckView,
} from '../../contracts/monitor/monitor-check.ts';
import type { CheckedPage, MonitorStore, PageStatusCounts } from '../../store/ports/runs/monitor-store.ts';
import type { RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { Clock } from '../../util/clock.ts';
import { iso } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { findContinued, findMonitor } from './monitors.ts';
import { type CheckRequest, newCheck } from './new-check.ts';

export interface CheckDeps {
  monitors: Pick<MonitorStore, 'find' | 'startNow' | 'pages' | 'countPages'>;
  runs: Pick<RunStore, 'view' | 'list'>;
  /** There is a run to carry out. */
  onRun(): void;
  clock: Pick<Clock, 'now'>;
}

const RETRY_AFTER_SECONDS = 30;

export async function runMonitor(
  deps: CheckDeps,
  { caller, params }: Call<'runMonitor'>,
): Promise<{ success: true; id: string; data: CheckView }> {
  const monitor = await findContinued(deps, caller, params.id);
  const run = newCheck(monitor, { trigger: 'manual', now: deps.clock.now() });
  const started = await deps.monitors.startNow(run);
  if (started === 'gone') throw new ServiceError('MONITOR_NOT_FOUND');
  if (started === 'paused') throw new ServiceError('MONITOR_PAUSED');
  if (started === 'queue-full') throw new ServiceError('QUEUE_FULL', { retryAfter: RETRY_AFTER_SECONDS });
  if (typeof started === 'object') throw new ServiceError('CHECK_UNFINISHED', { fields: { checkId: started.busy } });
  deps.onRun();
  return { success: true, id: run.id, data: await showCheck(deps, await findCheck(deps, caller, params.id, run.id)) };
}

export async function listChecks(
  deps: CheckDeps,
  { caller, params: { id }, query: { limit, offset, status } }: Call<'listChecks'>,
): Promise<{ success: true; data: CheckView[] }> {
  await findMonitor(deps, caller, id);
  const query = { kind: 'check' as const, group: id, limit, offset, ...(status && { status }) };
  const checks = await deps.runs.list(caller.team.id, query, deps.clock.now());
  return { success: true, data: await Promise.all(checks.map((check) => showCheck(deps, check))) };
}

export async function getCheck(deps: CheckDeps, call: Call<'getCheck'>): Promise<CheckResponse> {
  const { caller, params, query } = call;
  await findMonitor(deps, caller, params.id);
  const check = await findCheck(deps, caller, params.id, params.checkId);
  // One more than requested tells whether there are more.
  const found = await deps.monitors.pages(params.checkId, { ...query, limit: query.limit + 1 });
  const next = found.length > query.limit ? { next: nextUrl(call) } : {};
  const pages = found.slice(0, query.limit).map(showPage);
  return { success: true, ...next, data: { ...(await showCheck(deps, check)), pages, ...next } };
}

function nextUrl({ params, baseUrl, query: { limit, skip, status } }: Call<'getCheck'>): string {
  const more = new URLSearchParams({ limit: `${limit}`, skip: `${skip + limit}`, ...(status && { status }) });
  return `${baseUrl}/v2/monitor/${params.id}/checks/${params.checkId}?${more}`;
}

async function findCheck(deps: CheckDeps, { team }: Caller, monitorId: string, id: string): Promise<RunView> {
  const run = isUuid(id) ? await deps.runs.view(id, team.id, deps.clock.now()) : undefined;
  if (run?.kind !== 'check' || run.group !== monitorId) throw new ServiceError('CHECK_NOT_FOUND');
  return run;
}

async function showCheck({ monitors }: Pick<CheckDeps, 'monitors'>, run: RunView): Promise<CheckView> {
  const { id, createdAt, startedAt, finishedAt, error } = run;
  // Undefined if it was sealed with another secret.
  const request = run.request as CheckRequest | undefined;
  const result = run.result as CheckResult | undefined;
  const estimatedCredits = request?.estimatedCredits ?? 0;
  const isSkipped = run.status === 'skipped_overlap' || run.status === 'skipped_no_credits';
  return {
    id,
    monitorId: run.group ?? '',
    // A check is cancelled with its monitor, so nobody reads it unless it ended at that moment.
    status: run.status === 'cancelled' ? 'failed' : run.status,
    trigger: request?.trigger ?? 'scheduled',
    scheduledFor: request?.scheduledFor === undefined ? null : iso(request.scheduledFor),
    startedAt: startedAt === undefined ? null : iso(startedAt),
    finishedAt: finishedAt === undefined ? null : iso(finishedAt),
    estimatedCredits,
    reservedCredits: isSkipped ? null : estimatedCredits,
    actualCredits: finishedAt === undefined ? null : run.credits,
    billingStatus: billingStatus(run),
    summary: result?.summary ?? (isSkipped ? NO_PAGES : summaryOf(await monitors.countPages(id))),
    targetResults: result?.targetResults ?? [],
    notificationStatus: result?.notificationStatus ?? null,
    error: error ?? null,
    createdAt: iso(createdAt),
    updatedAt: iso(finishedAt ?? startedAt ?? createdAt),
  };
}

const BILLING: Readonly<Partial<Record<CheckStatus, CheckView['billingStatus']>>> = {
  queued: 'reserved',
  running: 'reserved',
  skipped_overlap: 'not_applicable',
  skipped_no_credits: 'not_applicable',
};

const billingStatus = ({ status, credits }: RunView): CheckView['billingStatus'] =>
  BILLING[status as CheckStatus] ?? (credits > 0 ? 'confirmed' : 'released');

const NO_PAGES: CheckSummary = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 };

/** What a check that has not ended has found so far. */
const summaryOf = (counts: PageStatusCounts): CheckSummary => ({
  totalPages: Object.values(counts).reduce((sum, count) => sum + count, 0),
  ...counts,
});

const showPage = ({ id, targetId, url, status, details, createdAt, ...page }: CheckedPage): CheckPage => ({
  id,
  targetId,
  url,
  status,
  previousScrapeId: page.previousScrapeId ?? null,
  currentScrapeId: page.currentScrapeId ?? null,
  statusCode: page.statusCode ?? null,
  error: page.error ?? null,
  ...details,
  createdAt: iso(createdAt),
});
