// Estimates what a gate can still serve in time, by how long its slots were held so far.
import type { Clock } from '../../util/clock.ts';
import { createLinkedList, type LinkedList } from './linked-list.ts';
import type { ServiceTimes } from './service-times.ts';
import type { TeamQueue, WaitingEntry } from './team-queue.ts';

export interface OverloadEstimate {
  /** The last moment at which the entry could start and still finish. */
  latestStart(entry: Pick<WaitingEntry, 'kind' | 'since' | 'deadline'>): number;
  /** Whether work that finds a free slot should leave it to others, because it could not finish. */
  isTooLate(kind: string, deadline: number | undefined): boolean;
  /** Recognises overload, and refuses at once what would wait in vain. */
  refuseHopeless(team: TeamQueue, teams: number): void;
  /** Slots that are held, in the order in which they were taken. */
  readonly held: LinkedList<HeldSlot>;
  /** Seconds after which the next refused caller should come back. */
  retryAfter(): number;
}

export interface HeldSlot {
  readonly kind: string;
  readonly since: number;
}

/** Share of its deadline that work of an unknown kind may spend waiting. */
const WAITING_SHARE = 2 / 3;
const UNKNOWN_HOLD_MS = 1_000;
const LONGEST_RETRY_MS = 120_000;
/** Those who were told a long time ago may not come back, which would leave slots idle. */
const LONGEST_RETRY_HOLDS = 10;

interface EstimateOptions {
  size(): number;
  clock: Pick<Clock, 'now'>;
  times: ServiceTimes;
  mayRefuse: boolean;
  waitingShare?: number;
}

export function createOverloadEstimate(options: EstimateOptions): OverloadEstimate {
  const { size, clock, times, mayRefuse, waitingShare } = options;
  let retryAt = Number.NEGATIVE_INFINITY;
  let overloadedUntil = Number.NEGATIVE_INFINITY;
  const held = createLinkedList<HeldSlot>();

  const latestStart: OverloadEstimate['latestStart'] = ({ kind, since, deadline = Number.POSITIVE_INFINITY }) => {
    const expected = times.expected(kind);
    const byShare = (share: number) => since + (deadline - since) * share;
    if (expected === undefined) return byShare(waitingShare ?? WAITING_SHARE);
    return Math.min(deadline - expected, waitingShare === undefined ? deadline : byShare(waitingShare));
  };

  /** How many slots will be free within this time; counts no further than `enough`. */
  const freeWithin = (ms: number, hold: number, enough: number): number => {
    const until = clock.now() + ms;
    let free = Math.max(0, ms - hold) * (size() / hold);
    for (const { kind, since } of held.values()) {
      if (free >= enough) break;
      if (since + (times.expected(kind) ?? hold) <= until) free += 1;
    }
    return free;
  };

  return {
    held,
    latestStart,
    isTooLate(kind, deadline) {
      // With half of the slots idle, trying costs nobody anything, and corrects a wrong estimate.
      if (deadline === undefined || clock.now() >= overloadedUntil || held.size * 2 < size()) return false;
      return deadline - clock.now() < (times.expected(kind) ?? 0);
    },
    refuseHopeless(team, teams) {
      const { urgent } = team;
      const hold = times.mean();
      if (urgent.size === 0 || hold === undefined) return;
      // The turns of all teams that come before the last one in this queue.
      const turns = () => urgent.size * teams;
      const isHopeless = (entry: WaitingEntry) => freeWithin(latestStart(entry) - clock.now(), hold, turns()) < turns();
      team.isOverloaded ||= isHopeless(urgent.last!);
      if (team.isOverloaded) overloadedUntil = clock.now() + hold;
      if (!mayRefuse) return;
      // The newest stays: a slot may become free any moment.
      while (team.isOverloaded && urgent.size > 1 && isHopeless(urgent.first!)) urgent.first!.refuse('full');
    },
    retryAfter() {
      const now = clock.now();
      const hold = Math.max(times.mean() ?? UNKNOWN_HOLD_MS, now - (held.first?.since ?? now));
      // Spreads those who come back over the time that it takes to serve them.
      retryAt = Math.min(
        Math.max(retryAt, now + hold) + hold / size(),
        now + Math.min(LONGEST_RETRY_HOLDS * hold, LONGEST_RETRY_MS),
      );
      return Math.max(1, Math.ceil((retryAt - now) / 1_000));
    },
  };
}
