// Adapts the number of concurrent requests to each host: more while it answers quickly, fewer when it slows down or
// asks for less.

import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';
import { type HostMemory, readMemory, writeMemory } from './host-memory.ts';

export interface HostAnswer {
  /** Duration of the request; absent when none was made. */
  ms?: number;
  status?: number;
  /** The Retry-After header in milliseconds. */
  retryAfter?: number;
}

export interface Politeness {
  /** Slots of a host that has not been contacted yet. */
  readonly initialSlots: number;
  /** How many more requests may start now. */
  freeSlots(host: string): number;
  /** Free slots of every host that is busy, paused or limited; all others have `initialSlots`. */
  busyHostSlots(): Record<string, number>;
  started(host: string): void;
  finished(host: string, answer: HostAnswer): void;
  /** Limits the host to one request at a time, started at least `ms` apart; 0 lifts the limit. Forgotten with an idle host. */
  setCrawlDelay(host: string, ms: number): void;
  /**
   * What is known about a host, for people; undefined if it has not been contacted, or not for long. `memory`: what another
   * process remembers, which asks it at the moment.
   */
  describe(host: string, memory?: string): HostState | undefined;
  /**
   * What the next process that asks this host should know. If this one may still send requests until `leaseUntil`, the last of
   * them counts as sent then.
   */
  remember(host: string, leaseUntil?: number): string;
  /** Goes on where another process has stopped. */
  recall(host: string, memory: string): void;
  /** When time alone frees a slot; undefined when one is free, or when a request must finish first. */
  nextSlotAt(host: string): number | undefined;
}

export interface HostState {
  /** Maximum number of requests in flight. */
  slots: number;
  crawlDelayMs: number;
  pausedUntil?: number;
  /** Pauses since the last good answer. */
  pauses: number;
  /** Moving average; absent before the first answer. */
  averageMs?: number;
}

interface PolitenessDeps {
  clock: Pick<Clock, 'now'>;
  /** Hosts on the operator's allow list get a higher ceiling. */
  isAllowListed: (host: string) => boolean;
  maxHosts?: number;
}

interface Host extends HostMemory {
  readonly ceiling: number;
  active: number;
  /** Answers since the limit was last adjusted, and whether all of them were good. */
  round: number;
  isGoodRound: boolean;
}

const INITIAL_SLOTS = 2;
const CEILING = 8;
const ALLOW_LISTED_CEILING = 16;
const MAX_HOSTS = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_BACK_OFF = 60_000;
const LONGEST_PAUSE = 300_000;
/** Weight of a new answer in the moving average. */
const SMOOTHING = 0.2;
/** How fast the floor rises: a site that became slower for good is compared with its past for some hundred answers. */
const FORGETTING = 0.002;
/** Milliseconds of jitter to ignore on fast sites. */
const SLACK = 100;

export function createPoliteness({ clock, isAllowListed, maxHosts = MAX_HOSTS }: PolitenessDeps): Politeness {
  const hosts = createBoundedMap<string, Host>({
    maxEntries: maxHosts,
    // Hosts with requests in flight must stay; a paused host goes only when no idle one is found.
    evictionCost: (host) => (host.active > 0 ? Number.POSITIVE_INFINITY : openAt(host) > clock.now() ? 1 : 0),
  });
  // A small set: hosts with requests in flight or a pause.
  const busy = new Set<string>();

  const use = (name: string): Host => {
    busy.add(name);
    return hosts.getOrCreate(name, () => newHost(isAllowListed(name) ? ALLOW_LISTED_CEILING : CEILING));
  };

  const freeSlots = (name: string): number => {
    const host = hosts.peek(name);
    if (!host) return INITIAL_SLOTS;
    if (clock.now() < openAt(host)) return 0;
    return Math.max(0, limitOf(host) - host.active);
  };

  const isBusy = (name: string): boolean => {
    const host = hosts.peek(name);
    if (!host) return false;
    return host.active > 0 || limitOf(host) < INITIAL_SLOTS || clock.now() < openAt(host);
  };

  return {
    initialSlots: INITIAL_SLOTS,
    freeSlots,
    busyHostSlots() {
      for (const name of busy) if (!isBusy(name)) busy.delete(name);
      return Object.fromEntries([...busy].map((name) => [name, freeSlots(name)]));
    },
    started(name) {
      const host = use(name);
      host.active += 1;
      host.lastStart = clock.now();
    },
    finished(name, answer) {
      const host = use(name);
      host.active = Math.max(0, host.active - 1);
      // It may have been sent long after it was started: the store was slow, or robots.txt came first.
      if (answer.ms !== undefined) host.lastStart = Math.max(host.lastStart, clock.now() - answer.ms);
      if (answer.status === 429 || answer.status === 503) backOff(host, answer.retryAfter, clock.now());
      else if (answer.ms !== undefined) recordAnswer(host, answer.ms, isGood(answer), clock.now());
    },
    setCrawlDelay(name, ms) {
      const delay = ms > 0 ? ms : 0;
      if (delay > 0 || hosts.peek(name) !== undefined) use(name).crawlDelay = delay;
    },
    describe(name, memory) {
      const host = memory === undefined ? hosts.peek(name) : { ...newHost(CEILING), ...readMemory(memory) };
      if (!host) return undefined;
      const { crawlDelay, pausedUntil, pauses, latency } = host;
      return {
        slots: limitOf(host),
        crawlDelayMs: crawlDelay,
        pauses,
        ...(pausedUntil > clock.now() && { pausedUntil }),
        ...(!Number.isNaN(latency) && { averageMs: Math.round(latency) }),
      };
    },
    remember(name, leaseUntil) {
      const host = hosts.peek(name);
      if (!host) return '';
      const mayStart = leaseUntil !== undefined && host.crawlDelay > 0;
      return writeMemory(mayStart ? { ...host, lastStart: leaseUntil } : host);
    },
    recall: (name, memory) => takeOver(use(name), readMemory(memory), clock.now()),
    nextSlotAt(name) {
      const host = hosts.peek(name);
      if (!host || host.active >= limitOf(host)) return undefined;
      const at = openAt(host);
      return at > clock.now() ? at : undefined;
    },
  };
}

const newHost = (ceiling: number): Host => ({
  limit: INITIAL_SLOTS,
  ceiling,
  active: 0,
  lastStart: Number.NEGATIVE_INFINITY,
  crawlDelay: 0,
  pausedUntil: Number.NEGATIVE_INFINITY,
  pauses: 0,
  round: 0,
  isGoodRound: true,
  latency: Number.NaN,
  floor: Number.NaN,
});

/** The stricter of what this process and the last one know. */
function takeOver(host: Host, memory: Partial<HostMemory>, now: number): void {
  const { limit, lastStart = 0, crawlDelay = 0, pausedUntil = 0, pauses = 0, latency, floor } = memory;
  const isFresh = host.active === 0 && Number.isNaN(host.latency);
  if (limit !== undefined && limit >= 1)
    host.limit = isFresh ? Math.min(host.ceiling, Math.floor(limit)) : Math.min(host.limit, Math.floor(limit));
  host.crawlDelay = Math.max(host.crawlDelay, crawlDelay);
  host.lastStart = Math.max(host.lastStart, Math.min(lastStart, now));
  host.pausedUntil = Math.max(host.pausedUntil, Math.min(pausedUntil, now + LONGEST_PAUSE));
  host.pauses = Math.max(host.pauses, pauses);
  if (isFresh && latency !== undefined && floor !== undefined) Object.assign(host, { latency, floor });
}

const limitOf = (host: Host): number => (host.crawlDelay > 0 ? 1 : host.limit);

const openAt = (host: Host): number =>
  host.crawlDelay > 0 ? Math.max(host.pausedUntil, host.lastStart + host.crawlDelay) : host.pausedUntil;

const isGood = ({ status }: HostAnswer): boolean => status !== undefined && status < 500;

function backOff(host: Host, retryAfter: number | undefined, now: number): void {
  const asked = retryAfter !== undefined && retryAfter >= 0 ? Math.min(retryAfter, LONGEST_PAUSE) : undefined;
  // Requests in flight at the same time are refused together, which counts as one refusal.
  if (now >= host.pausedUntil) {
    host.limit = Math.max(1, host.limit >> 1);
    host.pauses += 1;
    beginRound(host);
  }
  const pause = asked ?? Math.min(FIRST_PAUSE * 2 ** (host.pauses - 1), LONGEST_BACK_OFF);
  host.pausedUntil = Math.max(host.pausedUntil, now + pause);
}

/** Adjusts the limit once per round, that is after as many answers as may be in flight. */
function recordAnswer(host: Host, ms: number, isGoodAnswer: boolean, now: number): void {
  if (isGoodAnswer) {
    smooth(host, Math.max(0, ms));
    // During a pause, answers belong to requests that started before it.
    if (now >= host.pausedUntil) host.pauses = 0;
  }
  host.isGoodRound &&= isGoodAnswer;
  host.round += 1;
  if (host.round < host.limit) return;
  if (host.latency > 4 * host.floor + SLACK) host.limit = Math.max(1, host.limit - 1);
  else if (host.isGoodRound && host.latency <= 2 * host.floor + SLACK) {
    host.limit = Math.min(host.ceiling, host.limit + 1);
  }
  beginRound(host);
}

/** Ignores failures: the speed of an error says nothing about the speed of a page. */
function smooth(host: Host, ms: number): void {
  if (Number.isNaN(host.latency)) host.latency = host.floor = ms;
  host.latency += SMOOTHING * (ms - host.latency);
  host.floor = Math.min(host.latency, host.floor + FORGETTING * (host.latency - host.floor));
}

function beginRound(host: Host): void {
  host.round = 0;
  host.isGoodRound = true;
}
