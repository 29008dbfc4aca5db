// How many pages of a host may be in flight: more while it answers as fast as ever, fewer when it slows down or says so.
import type { Clock } from '../../util/clock.ts';

export interface Answer {
  /** How long the request took; absent when none was made. */
  ms?: number;
  status?: number;
  /** What the answer asked for, in milliseconds. */
  retryAfter?: number;
}

export interface Politeness {
  /** Places of a host that nobody has asked yet. */
  readonly firstPlaces: number;
  /** How many more requests may start now. */
  places(host: string): number;
  /** The same of every host that is at work or has to wait; any other has as many places as a new one. */
  busyPlaces(): Record<string, number>;
  started(host: string): void;
  finished(host: string, answer: Answer): void;
  /** Starts are at least this far apart, and one at a time; 0 ends that. A host that was long idle is forgotten with its interval. */
  setInterval(host: string, ms: number): void;
  /** When a place opens by time alone; undefined when one is open, or only a finished request can open it. */
  nextAt(host: string): number | undefined;
}

interface PolitenessDeps {
  clock: Pick<Clock, 'now'>;
  /** The operator's own hosts may be asked harder. */
  isAllowListed: (host: string) => boolean;
  maxHosts?: number;
}

interface Host {
  /** How many may be in flight. */
  limit: number;
  readonly ceiling: number;
  active: number;
  lastStart: number;
  interval: number;
  pausedUntil: number;
  /** Pauses since the last good answer. */
  pauses: number;
  /** Answers since the limit was last considered, and whether all were good. */
  round: number;
  isGoodRound: boolean;
  /** Smoothed; NaN before the first answer. */
  latency: number;
  /** The smallest latency of late. */
  floor: number;
}

const FIRST_PLACES = 2;
const CEILING = 8;
const OWN_CEILING = 16;
const MAX_HOSTS = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_BACK_OFF = 60_000;
const LONGEST_PAUSE = 300_000;
/** Share of a new answer in the smoothed latency. */
const SMOOTHING = 0.2;
/** Share by which the floor gives way: a site that became slower for good is held to its past for some hundred answers. */
const FORGETTING = 0.002;
/** On fast sites jitter means nothing. */
const SLACK = 100;
/** How many of the longest unused hosts are looked at to find one that can be forgotten. */
const MAX_LOOKS = 32;

export function createPoliteness({ clock, isAllowListed, maxHosts = MAX_HOSTS }: PolitenessDeps): Politeness {
  // In order of last use.
  const hosts = new Map<string, Host>();
  // Few of them: what is in flight, and what waits for a time.
  const busy = new Set<string>();

  const use = (name: string): Host => {
    const host = hosts.get(name) ?? newHost(isAllowListed(name) ? OWN_CEILING : CEILING);
    hosts.delete(name);
    if (hosts.size >= maxHosts) makeRoom(hosts, clock.now());
    hosts.set(name, host);
    busy.add(name);
    return host;
  };

  const places = (name: string): number => {
    const host = hosts.get(name);
    if (!host) return FIRST_PLACES;
    if (clock.now() < openAt(host)) return 0;
    return Math.max(0, limitOf(host) - host.active);
  };

  const isBusy = (name: string): boolean => {
    const host = hosts.get(name);
    return host !== undefined && (host.active > 0 || host.interval > 0 || clock.now() < openAt(host));
  };

  return {
    firstPlaces: FIRST_PLACES,
    places,
    busyPlaces() {
      for (const name of busy) if (!isBusy(name)) busy.delete(name);
      return Object.fromEntries([...busy].map((name) => [name, places(name)]));
    },
    started(name) {
      const host = use(name);
      host.active += 1;
      host.lastStart = clock.now();
    },
    finished(name, answer) {
      const host = use(name);
      host.active = Math.max(0, host.active - 1);
      if (answer.status === 429 || answer.status === 503) slowDown(host, answer.retryAfter, clock.now());
      else if (answer.ms !== undefined) heed(host, answer.ms, isGood(answer), clock.now());
    },
    setInterval(name, ms) {
      const interval = ms > 0 ? ms : 0;
      if (interval > 0 || hosts.has(name)) use(name).interval = interval;
    },
    nextAt(name) {
      const host = hosts.get(name);
      if (!host || host.active >= limitOf(host)) return undefined;
      const at = openAt(host);
      return at > clock.now() ? at : undefined;
    },
  };
}

const newHost = (ceiling: number): Host => ({
  limit: FIRST_PLACES,
  ceiling,
  active: 0,
  lastStart: Number.NEGATIVE_INFINITY,
  interval: 0,
  pausedUntil: Number.NEGATIVE_INFINITY,
  pauses: 0,
  round: 0,
  isGoodRound: true,
  latency: Number.NaN,
  floor: Number.NaN,
});

const limitOf = (host: Host): number => (host.interval > 0 ? 1 : host.limit);

const openAt = (host: Host): number =>
  host.interval > 0 ? Math.max(host.pausedUntil, host.lastStart + host.interval) : host.pausedUntil;

const isGood = ({ status }: Answer): boolean => status !== undefined && status < 500;

function slowDown(host: Host, retryAfter: number | undefined, now: number): void {
  const asked = retryAfter !== undefined && retryAfter >= 0 ? Math.min(retryAfter, LONGEST_PAUSE) : undefined;
  // Requests that were under way together are refused together: that is one refusal.
  if (now >= host.pausedUntil) {
    host.limit = Math.max(1, host.limit >> 1);
    host.pauses += 1;
    beginRound(host);
  }
  const pause = asked ?? Math.min(FIRST_PAUSE * 2 ** (host.pauses - 1), LONGEST_BACK_OFF);
  host.pausedUntil = Math.max(host.pausedUntil, now + pause);
}

/** The limit is considered once a round, that is after as many answers as may be in flight. */
function heed(host: Host, ms: number, isGoodAnswer: boolean, now: number): void {
  if (isGoodAnswer) {
    smooth(host, Math.max(0, ms));
    // During a pause, it is an answer to a request from before it.
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

/** Failures have no part in it: how fast an error comes tells nothing of how fast a page does. */
function smooth(host: Host, ms: number): void {
  if (Number.isNaN(host.latency)) host.latency = host.floor = ms;
  host.latency += SMOOTHING * (ms - host.latency);
  host.floor = Math.min(host.latency, host.floor + FORGETTING * (host.latency - host.floor));
}

function beginRound(host: Host): void {
  host.round = 0;
  host.isGoodRound = true;
}

/** Forgets the longest unused host that is idle and waits for nothing; where there is none, one that only waits. */
function makeRoom(hosts: Map<string, Host>, now: number): void {
  let waiting: string | undefined;
  let looks = 0;
  for (const [name, host] of hosts) {
    hosts.delete(name);
    if (host.active === 0 && openAt(host) <= now) return;
    // Behind the others again, so that the next look goes further.
    hosts.set(name, host);
    if (host.active === 0) waiting ??= name;
    if (++looks === MAX_LOOKS) break;
  }
  if (waiting !== undefined) hosts.delete(waiting);
}
