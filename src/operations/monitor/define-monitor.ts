// Makes the definition of a monitor from a request, or refuses what its checks could not do.
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type {
  CreateMonitorRequest,
  GivenSchedule,
  MonitorDefinition,
  UpdateMonitorRequest,
} from '../../contracts/monitor/monitor.ts';
import type { GivenTarget, MonitorTarget } from '../../contracts/monitor/monitor-targets.ts';
import { type MonitorSchedule, readSchedule, runsPerMonth } from '../../monitor/schedule/schedule.ts';
import { checkDomains } from '../../policy/keys/key-domains.ts';
import type { Caller } from '../caller.ts';
import { refuseHiddenHeaders } from '../hidden-values.ts';
import { checkWebhook } from '../job/start-job.ts';
import { storedLimits } from '../threats/stored-limits.ts';
import { type CheckTargetsDeps, checkTargets } from './check-targets.ts';

export interface DefineDeps extends CheckTargetsDeps {
  clock: { now(): number };
}

type Defined = Omit<MonitorDefinition, 'judgeEnabled'>;

export async function defineMonitor(
  deps: DefineDeps,
  caller: Caller,
  request: CreateMonitorRequest,
  baseUrl: string,
): Promise<MonitorDefinition> {
  refuseZeroRetention(request);
  const { name, retentionDays, goal, judgeEnabled } = request;
  const schedule = scheduleOf(request.schedule);
  await checkTargets(deps, caller, request.targets, baseUrl);
  return complete({
    ...{ name, schedule, retentionDays, baseUrl },
    runsPerMonth: runsPerMonth(schedule, deps.clock.now()),
    targets: withIds(request.targets, []),
    ...storedLimits(caller),
    ...(request.webhook && { webhook: await webhookOf(deps, caller, request.webhook) }),
    ...(request.notification && { notification: request.notification }),
    ...(goal && { goal }),
    ...(judgeEnabled !== undefined && { isJudgeAskedFor: judgeEnabled }),
  });
}

/** Fields that are absent stay as they are, and null removes them. */
export async function redefineMonitor(
  deps: DefineDeps,
  caller: Caller,
  stored: MonitorDefinition,
  request: UpdateMonitorRequest,
  baseUrl: string,
): Promise<MonitorDefinition> {
  refuseZeroRetention(request);
  const { judgeEnabled: _derived, webhook, notification, goal, ...kept } = stored;
  const schedule = request.schedule ? scheduleOf(request.schedule) : stored.schedule;
  if (request.targets) {
    // Its checks are paid for by the key that created it, so the domains of that key hold for every change.
    checkDomains(
      { domains: stored.keyDomains ?? [] },
      { targets: request.targets },
      'the API key that created this monitor',
    );
    await checkTargets(deps, caller, request.targets, baseUrl);
  }
  const next = {
    webhook:
      request.webhook === undefined ? webhook : request.webhook && (await webhookOf(deps, caller, request.webhook)),
    notification: request.notification === undefined ? notification : request.notification,
    goal: request.goal === undefined ? goal : request.goal,
  };
  return complete({
    ...kept,
    name: request.name ?? stored.name,
    schedule,
    runsPerMonth: request.schedule ? runsPerMonth(schedule, deps.clock.now()) : stored.runsPerMonth,
    retentionDays: request.retentionDays ?? stored.retentionDays,
    targets: request.targets ? withIds(request.targets, stored.targets) : stored.targets,
    baseUrl,
    ...(next.webhook && { webhook: next.webhook }),
    ...(next.notification && { notification: next.notification }),
    ...(next.goal && { goal: next.goal }),
    ...(request.judgeEnabled !== undefined && { isJudgeAskedFor: request.judgeEnabled }),
  });
}

function complete(defined: Defined): MonitorDefinition {
  const { targets, goal, isJudgeAskedFor } = defined;
  if (goal === undefined && isJudgeAskedFor !== false && targets.some(({ type }) => type === 'search'))
    throw badRequest('A search target requires a non-empty goal', ['goal']);
  return { ...defined, judgeEnabled: isJudgeAskedFor ?? goal !== undefined };
}

export function scheduleOf(given: GivenSchedule): MonitorSchedule {
  const schedule = readSchedule(given);
  if ('problem' in schedule) throw badRequest(schedule.problem, ['schedule']);
  return schedule;
}

async function webhookOf(
  deps: DefineDeps,
  caller: Caller,
  webhook: NonNullable<MonitorDefinition['webhook']>,
): Promise<MonitorDefinition['webhook']> {
  refuseHiddenHeaders(webhook.headers, ['webhook', 'headers']);
  return checkWebhook(deps, caller, {}, { webhook, operation: 'monitor' });
}

/** A target that watches the same as before stays the same target, so that its next check compares with the last one. */
export function withIds(given: readonly GivenTarget[], stored: readonly MonitorTarget[]): MonitorTarget[] {
  const taken = new Set(given.flatMap(({ id }) => id ?? []));
  return given.map((target) => {
    const same = stored.find(
      ({ id, ...known }) => !taken.has(id) && isDeepStrictEqual(watched(known), watched(target)),
    );
    const id = target.id ?? same?.id ?? crypto.randomUUID();
    taken.add(id);
    return { ...target, id };
  });
}

const watched = (target: GivenTarget | Omit<GivenTarget, 'id'>) => {
  const { type, urls, url, queries } = target as GivenTarget & { urls?: string[]; url?: string; queries?: string[] };
  return { type, urls, url, queries };
};

function refuseZeroRetention({ zeroDataRetention }: { zeroDataRetention: boolean }): void {
  if (!zeroDataRetention) return;
  throw badRequest(
    'Monitors are not supported with zero data retention: a check compares pages with those of the last one.',
    ['zeroDataRetention'],
  );
}

const badRequest = (message: string, path: string[]): ServiceError =>
  new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path, message }] });
