// Records what was refused for reasons of security. Recording never delays a request. The first event of its kind is
// written at once; its repetitions are counted, and written as one row a minute.
import type { AuditAction } from '../../contracts/team/audit.ts';
import type { AuditTarget } from '../../contracts/team/audit-target.ts';
import type { Log } from '../../runtime/log.ts';
import type { StoreHealth } from '../../store/ports/store.ts';
import type { AuditDetails, AuditEvent, AuditLog } from '../../store/ports/teams/audit-log.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';

export interface SecurityEvent {
  teamId: string;
  action: Extract<
    AuditAction,
    'key.refused' | 'threat.blocked' | 'limit.reached' | 'injection.refused' | 'network.refused'
  >;
  /** Prefix of the key; absent for work that goes on by itself. */
  actor?: string;
  address?: string;
  target?: AuditTarget;
  details?: AuditDetails;
  /** The request must leave no trace of who asked for what: neither actor nor address nor target is written. */
  isTraceless?: boolean;
}

export interface SecurityLog {
  record(event: SecurityEvent): void;
  /** Writes what has been counted so far. */
  close(): Promise<void>;
}

interface SecurityLogDeps {
  audit: Pick<AuditLog, 'addAll'>;
  health: Pick<StoreHealth, 'persist'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
}

/** Events that are alike, since the last row about them. */
interface Repeated {
  event: AuditEvent;
  repetitions: number;
  nextRowAt: number;
}

/** How many rows a team may still cause with one kind of refusal, and how many events were left out for want of them. */
interface Allowance {
  rows: number;
  at: number;
  omitted: number;
}

const MINUTE_MS = 60_000;
/** So many rows of one team and kind at once, then one a minute: 400 days of attacks fit on a disk. */
const MAX_ROWS = 30;
const MAX_REPEATED = 10_000;
const MAX_TEAMS = 10_000;
/** Waiting to be written, while the disk cannot be. */
const MAX_WAITING = 1_000;
const BATCH = 100;

export function createSecurityLog({ audit, health, clock, log }: SecurityLogDeps): SecurityLog {
  const closing = new AbortController();
  /** In the order in which their next rows are due. */
  const repeated = new Map<string, Repeated>();
  const allowances = createBoundedMap<string, Allowance>({ maxEntries: MAX_TEAMS });
  const waiting: AuditEvent[] = [];
  let writing: Promise<void> | undefined;
  let isTicking = false;

  function record(given: SecurityEvent): void {
    const event = auditEventOf(given, clock.now());
    const { at, ...kind } = event;
    const key = JSON.stringify(kind);
    const known = repeated.get(key);
    if (known) known.repetitions++;
    else if (repeated.size >= MAX_REPEATED || !write(event)) allowanceOf(event).omitted++;
    else {
      repeated.set(key, { event, repetitions: 0, nextRowAt: at + MINUTE_MS });
      if (!isTicking) tick().catch(() => {});
    }
  }

  /** Writes the counts of each minute, as long as there is something to count. */
  async function tick(): Promise<void> {
    isTicking = true;
    try {
      for (let next = first(); next; next = first()) {
        await clock.sleep(Math.max(0, next.nextRowAt - clock.now()), closing.signal);
        writeDue(clock.now());
      }
    } finally {
      isTicking = false;
    }
  }

  const first = (): Repeated | undefined => repeated.values().next().value;

  function writeDue(now: number): void {
    for (const [key, entry] of [...repeated]) {
      if (entry.nextRowAt > now) return;
      repeated.delete(key);
      if (entry.repetitions === 0) continue;
      // Events over the rate are counted until one may be written.
      const isWritten = write(counted(entry, now));
      repeated.set(key, { ...entry, repetitions: isWritten ? 0 : entry.repetitions, nextRowAt: now + MINUTE_MS });
    }
  }

  /** False if the team has used up its rows. */
  function write(event: AuditEvent): boolean {
    const allowance = allowanceOf(event);
    if (allowance.rows < 1 || waiting.length >= MAX_WAITING) return false;
    const { omitted } = allowance;
    allowance.rows--;
    allowance.omitted = 0;
    waiting.push(omitted === 0 ? event : { ...event, details: { ...event.details, omittedBefore: omitted } });
    writing ??= writeWaiting();
    return true;
  }

  function allowanceOf({ teamId, action, details, at }: AuditEvent): Allowance {
    const found = allowances.getOrCreate(`${teamId} ${action} ${details?.code}`, () => ({
      rows: MAX_ROWS,
      at,
      omitted: 0,
    }));
    found.rows = Math.min(MAX_ROWS, found.rows + Math.max(0, at - found.at) / MINUTE_MS);
    found.at = at;
    return found;
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await health.persist(() => audit.addAll(batch), closing.signal);
      } catch (error) {
        log.error({ err: error, events: batch.length }, 'security events could not be written');
      }
    }
    writing = undefined;
  }

  return {
    record(event) {
      try {
        if (!closing.signal.aborted) record(event);
      } catch (error) {
        log.error({ err: error }, 'a security event could not be recorded');
      }
    },
    async close() {
      const now = clock.now();
      for (const entry of repeated.values()) if (entry.repetitions > 0) write(counted(entry, now));
      repeated.clear();
      closing.abort();
      await writing;
    },
  };
}

const counted = ({ event, repetitions }: Repeated, at: number): AuditEvent => ({
  ...event,
  at,
  details: { ...event.details, repetitions },
});

function auditEventOf({ isTraceless, teamId, action, actor, address, target, details }: SecurityEvent, at: number) {
  if (isTraceless) return { at, teamId, actor: 'anonymous', action, ...(details && { details }) };
  return {
    ...{ at, teamId, actor: actor ?? 'system', action },
    ...(address !== undefined && { address }),
    ...(target !== undefined && { target }),
    ...(details && { details }),
  };
}
