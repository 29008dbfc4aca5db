// Hosts whose pages are empty without scripts: their next pages go to the browser straight away.
import { createBoundedMap } from '../util/bounded-map.ts';

export interface RenderedHosts {
  has(host: string): boolean;
  /** Call it when the browser found content that plain HTTP did not. */
  add(host: string): void;
}

const MAX_HOSTS = 10_000;
/** Forgotten after a day, because sites get rebuilt. */
const REMEMBERED_MS = 24 * 3_600_000;

export function createRenderedHosts(now: () => number): RenderedHosts {
  const hosts = createBoundedMap<string, true>({ maxEntries: MAX_HOSTS, ttlMs: REMEMBERED_MS, clock: { now } });
  return {
    has: (host) => hosts.peek(host) !== undefined,
    add: (host) => hosts.set(host, true),
  };
}
