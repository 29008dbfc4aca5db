// Which hosts have shown that their pages are empty without scripts: their next pages go to the browser at once.

export interface RenderedHosts {
  has(host: string): boolean;
  /** The browser brought what plain HTTP did not. */
  add(host: string): void;
}

const MAX_HOSTS = 10_000;
/** Sites are built anew now and then. */
const REMEMBERED_MS = 24 * 3_600_000;

export function createRenderedHosts(now: () => number): RenderedHosts {
  // In the order of their time: what was added last is last.
  const since = new Map<string, number>();
  return {
    has: (host) => now() - (since.get(host) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS,
    add(host) {
      since.delete(host);
      since.set(host, now());
      if (since.size > MAX_HOSTS) since.delete(since.keys().next().value!);
    },
  };
}
