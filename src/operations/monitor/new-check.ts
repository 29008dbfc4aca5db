// A check as a run: what of its monitor it has to know, so that later changes of the monitor do not reach it.
import type { MonitorDefinition } from '../../contracts/monitor/monitor.ts';
import { nextRunAt } from '../../monitor/schedule/schedule.ts';
import type { DueCheck, StoredMonitor } from '../../store/ports/runs/monitor-store.ts';
import type { NewRun } from '../../store/ports/runs/run-store.ts';
import { uuidv7 } from '../../util/ids.ts';
import { creditsPerCheck } from './estimate-credits.ts';

/** The request of the run. */
export interface CheckRequest {
  monitorId: string;
  trigger: 'scheduled' | 'manual';
  scheduledFor?: number;
  estimatedCredits: number;
  definition: MonitorDefinition;
  /** Copied from the definition to where every stored request has it. */
  keyDomains?: string[];
}

export interface CheckStart {
  trigger: CheckRequest['trigger'];
  scheduledFor?: number;
  now: number;
}

const DAY_MS = 86_400_000;

export function newCheck(
  { id: monitorId, teamId, key, definition, lastCheckSummary }: StoredMonitor,
  { trigger, scheduledFor, now }: CheckStart,
): NewRun & { group: string } {
  const request: CheckRequest = {
    ...{ monitorId, trigger, definition },
    ...(definition.keyDomains && { keyDomains: definition.keyDomains }),
    ...(scheduledFor !== undefined && { scheduledFor }),
    estimatedCredits: creditsPerCheck(definition, lastCheckSummary),
  };
  return {
    id: uuidv7(now),
    teamId,
    ...(key !== undefined && { key }),
    kind: 'check',
    group: monitorId,
    request,
    ...(definition.webhook && { webhook: definition.webhook }),
    zeroDataRetention: false,
    createdAt: now,
    keepMs: definition.retentionDays * DAY_MS,
    // A monitor has one unfinished check at a time, and the number of monitors is limited.
    maxUnfinished: Number.MAX_SAFE_INTEGER,
  };
}

/** The check of a monitor whose time has come, and when the next one follows. */
export function dueCheck(monitor: StoredMonitor, now: number): DueCheck {
  const scheduledFor = monitor.nextRunAt ?? now;
  return {
    monitorId: monitor.id,
    scheduledFor,
    nextRunAt: nextRunAt(monitor.definition.schedule, now, scheduledFor),
    run: newCheck(monitor, { trigger: 'scheduled', scheduledFor, now }),
  };
}
