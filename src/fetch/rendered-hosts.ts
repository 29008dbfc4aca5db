// Which hosts have shown that their pages are empty without scripts: their next pages go to the browser at once.
import { createBoundedMap } from '../util/bounded-map.ts';

export interface RenderedHosts {
  has(host: string): boolean;
  /** The browser brought what plain HTTP did not. */
  add(host: string): void;
}

const MAX_HOSTS = 10_000;
/** Sites are built anew now and then. */
const REMEMBERED_MS = 24 * 3_600_000;

export function createRenderedHosts(now: () => number): RenderedHosts {
  const hosts = createBoundedMap<string, true>({ maxEntries: MAX_HOSTS, ttlMs: REMEMBERED_MS, clock: { now } });
  return {
    has: (host) => hosts.peek(host) !== undefined,
    add: (host) => hosts.set(host, true),
  };
}
