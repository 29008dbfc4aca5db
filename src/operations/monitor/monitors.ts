// Monitors: create, change, list, read, delete.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { MonitorView } from '../../contracts/monitor/monitor.ts';
import { nextRunAt } from '../../monitor/schedule/schedule.ts';
import { checkContinues, checkReach, isInReach } from '../../policy/keys/key-reach.ts';
import type { MonitorStore, StoredMonitor } from '../../store/ports/runs/monitor-store.ts';
import type { Clock } from '../../util/clock.ts';
import { isUuid, uuidv7 } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import { accountOf, type Caller } from '../caller.ts';
import { startedWith } from '../threats/stored-limits.ts';
import { type DefineDeps, defineMonitor, redefineMonitor } from './define-monitor.ts';
import { feedUrl } from './feed.ts';
import { mailWarning } from './mail/notify-check.ts';
import { type MailDeps, subscriptionsOf } from './mail/subscriptions.ts';
import { showMonitor } from './show-monitor.ts';

interface FindMonitorDeps {
  monitors: Pick<MonitorStore, 'find'>;
  clock: Pick<Clock, 'now'>;
}

export interface MonitorDeps extends DefineDeps {
  monitors: Pick<MonitorStore, 'add' | 'find' | 'list' | 'update' | 'remove'>;
  clock: Pick<Clock, 'now'>;
  maxMonitors: number;
  /** The times at which checks are due may have changed. */
  onSchedule(): void;
  /** An unfinished check is to be cancelled, which the store knows already. */
  cancelCheck(id: string): void;
  mail: MailDeps;
}

interface MonitorAnswer {
  success: true;
  data: MonitorView;
  warning?: string;
}

export async function createMonitor(
  deps: MonitorDeps,
  { caller, body, baseUrl }: Call<'createMonitor'>,
): Promise<MonitorAnswer> {
  const definition = await defineMonitor(deps, caller, body, baseUrl);
  const now = deps.clock.now();
  const id = uuidv7(now);
  const added = await deps.monitors.add({
    ...accountOf(caller),
    ...{ id, definition, createdAt: now, maxMonitors: deps.maxMonitors },
    nextRunAt: nextRunAt(definition.schedule, now),
  });
  if (added === 'too-many') throw new ServiceError('TOO_MANY_MONITORS');
  deps.onSchedule();
  return readMonitor(deps, caller, id);
}

export async function updateMonitor(
  deps: MonitorDeps,
  { caller, params: { id }, body: request, baseUrl }: Call<'updateMonitor'>,
): Promise<MonitorAnswer> {
  for (;;) {
    caller.signal.throwIfAborted();
    const stored = await findContinued(deps, caller, id);
    const definition = await redefineMonitor(deps, caller, stored.definition, request, baseUrl);
    const now = deps.clock.now();
    const status = request.status ?? stored.status;
    const isMoved = request.schedule !== undefined || status !== stored.status;
    const done = await deps.monitors.update({
      ...{ id: stored.id, teamId: stored.teamId, version: stored.version, status, definition, now },
      ...(isMoved && {
        nextRunAt: status === 'paused' ? null : nextRunAt(definition.schedule, now, minuteOf(stored.lastRunAt)),
      }),
    });
    if (done === 'gone') throw new ServiceError('MONITOR_NOT_FOUND');
    // Another request has changed it since it was read: its change must not be lost.
    if (done === 'changed') continue;
    if (isMoved) deps.onSchedule();
    return readMonitor(deps, caller, id);
  }
}

export async function listMonitors(
  { monitors, mail, clock }: Pick<MonitorDeps, 'monitors' | 'mail' | 'clock'>,
  { caller, query }: Call<'listMonitors'>,
): Promise<{ success: true; data: MonitorView[] }> {
  const found = await monitors.list(caller.team.id, query, clock.now());
  const seen = found.filter(({ definition }) => isInReach(caller, startedWith(definition)));
  return { success: true, data: await Promise.all(seen.map((monitor) => viewOf(mail, monitor))) };
}

type ReadDeps = FindMonitorDeps & Pick<MonitorDeps, 'mail'>;

export const getMonitor = (deps: ReadDeps, { caller, params }: Call<'getMonitor'>): Promise<MonitorAnswer> =>
  readMonitor(deps, caller, params.id);

async function readMonitor(deps: ReadDeps, caller: Caller, id: string): Promise<MonitorAnswer> {
  const monitor = await findMonitor(deps, caller, id);
  const data = await viewOf(deps.mail, monitor);
  const warning = mailWarning(deps.mail, monitor.definition);
  return { success: true, data, ...(warning && { warning }) };
}

const viewOf = async (mail: MailDeps, monitor: StoredMonitor): Promise<MonitorView> =>
  showMonitor(monitor, { subscriptions: await subscriptionsOf(mail, monitor), feedUrl: feedUrl(mail.tokens, monitor) });

export async function deleteMonitor(
  deps: MonitorDeps,
  { caller, params: { id } }: Call<'deleteMonitor'>,
): Promise<{ success: true }> {
  const { currentCheckId } = await findMonitor(deps, caller, id);
  if (!(await deps.monitors.remove(id, caller.team.id, deps.clock.now()))) throw new ServiceError('MONITOR_NOT_FOUND');
  if (currentCheckId !== undefined) deps.cancelCheck(currentCheckId);
  return { success: true };
}

/** Throws KEY_RESTRICTED for monitors that the key of the caller could not have created. */
export async function findMonitor(
  { monitors, clock }: FindMonitorDeps,
  caller: Caller,
  id: string,
): Promise<StoredMonitor> {
  const monitor = isUuid(id) ? await monitors.find(id, caller.team.id, clock.now()) : undefined;
  if (!monitor) throw new ServiceError('MONITOR_NOT_FOUND');
  checkReach(caller, startedWith(monitor.definition));
  return monitor;
}

/** A monitor that is to check more than it would. Throws KEY_RESTRICTED if the caller may not cause that. */
export async function findContinued(deps: FindMonitorDeps, caller: Caller, id: string): Promise<StoredMonitor> {
  const monitor = await findMonitor(deps, caller, id);
  checkContinues(caller, { ...startedWith(monitor.definition), key: monitor.key });
  return monitor;
}

/** Checks begin a little after the minute for which they are scheduled. */
const minuteOf = (time: number | undefined): number | undefined => time && Math.floor(time / 60_000) * 60_000;
