// A map that cannot grow without limit: entries expire, and the least recently used ones make room for new ones.
import type { Clock } from './clock.ts';

export interface BoundedMap<K, V> {
  readonly size: number;
  /** Counts as a use. Undefined when the key is unknown or its entry has expired. */
  get(key: K): V | undefined;
  /** Like `get`, but does not count as a use. */
  peek(key: K): V | undefined;
  /** Replaces the whole entry. A value heavier than `maxWeight` is not stored. */
  set(key: K, value: V, ttlMs?: number): void;
  /** The stored value, else the one that `create` returns, which is then stored. */
  getOrCreate(key: K, create: () => V): V;
  delete(key: K): void;
  clear(): void;
  /** Least recently used first, expired entries included. */
  keys(): IterableIterator<K>;
}

export interface BoundedMapOptions<K, V> {
  maxEntries?: number;
  /** Limit for the sum of all weights. */
  maxWeight?: number;
  weightOf?(value: V, key: K): number;
  /** Time to live of entries that are set without their own. */
  ttlMs?: number;
  /** Required for entries to expire. */
  clock?: Pick<Clock, 'now'>;
  /** 0: may go at any time; Infinity: must stay; between: goes only when no cheaper entry is found. */
  evictionCost?(value: V): number;
}

interface Entry<V> {
  value: V;
  weight: number;
  expiresAt: number;
}

/** How many entries are considered for one eviction. */
const MAX_LOOKS = 32;

export function createBoundedMap<K, V>(options: BoundedMapOptions<K, V>): BoundedMap<K, V> {
  const { maxEntries = Number.POSITIVE_INFINITY, maxWeight = Number.POSITIVE_INFINITY, clock } = options;
  const { weightOf = () => 0, evictionCost = () => 0 } = options;
  // In order of last use: a use moves an entry to the end.
  const entries = new Map<K, Entry<V>>();
  let totalWeight = 0;

  const remove = (key: K) => {
    totalWeight -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };

  const moveToEnd = (key: K, entry: Entry<V>) => {
    entries.delete(key);
    entries.set(key, entry);
  };

  const find = (key: K): Entry<V> | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || clock === undefined || clock.now() < entry.expiresAt) return entry;
    remove(key);
    return undefined;
  };

  /** False when every entry considered must stay: then the map grows beyond its limit. */
  const evict = (): boolean => {
    let cheapest: { key: K; cost: number } | undefined;
    let looks = 0;
    for (const [key, entry] of entries) {
      const cost = evictionCost(entry.value);
      if (cost === 0) {
        remove(key);
        return true;
      }
      // The next eviction then starts with entries that were not considered yet.
      moveToEnd(key, entry);
      if (cost < (cheapest?.cost ?? Number.POSITIVE_INFINITY)) cheapest = { key, cost };
      looks += 1;
      if (looks === MAX_LOOKS || looks === entries.size) break;
    }
    if (cheapest) remove(cheapest.key);
    return cheapest !== undefined;
  };

  const set = (key: K, value: V, ttlMs = options.ttlMs ?? Number.POSITIVE_INFINITY) => {
    const weight = weightOf(value, key);
    remove(key);
    if (weight > maxWeight) return;
    while (entries.size >= maxEntries || totalWeight + weight > maxWeight) if (!evict()) break;
    entries.set(key, { value, weight, expiresAt: (clock?.now() ?? 0) + ttlMs });
    totalWeight += weight;
  };

  const get = (key: K): V | undefined => {
    const entry = find(key);
    if (entry) moveToEnd(key, entry);
    return entry?.value;
  };

  return {
    get size() {
      return entries.size;
    },
    get,
    peek: (key) => find(key)?.value,
    set,
    getOrCreate(key, create) {
      const known = get(key);
      if (known !== undefined) return known;
      const value = create();
      set(key, value);
      return value;
    },
    delete: remove,
    clear() {
      entries.clear();
      totalWeight = 0;
    },
    keys: () => entries.keys(),
  };
}
