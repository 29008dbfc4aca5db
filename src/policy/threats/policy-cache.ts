// The threat policies of teams in memory: every request of a team with the feature needs its policy, and it rarely changes.

import type { SavedThreatPolicy, ThreatPolicyStore } from '../../store/ports/teams/threat-policy-store.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';
import type { Clock } from '../../util/clock.ts';

export interface PolicyCache {
  /** At once if it is known. */
  find(teamId: string): SavedThreatPolicy | undefined | Promise<SavedThreatPolicy | undefined>;
  /** Applies to every request from now on, and in other processes a second later. */
  save: ThreatPolicyStore['save'];
}

interface Entry {
  /** Absent while it is read. */
  known?: { value: SavedThreatPolicy | undefined };
  read: Promise<SavedThreatPolicy | undefined>;
}

const MAX_POLICIES = 1_000;
/** Other processes may change policies: then they are read again after this time. */
const FRESH_MS = 1_000;

interface Deps {
  store: ThreatPolicyStore;
  isShared: boolean;
  clock: Pick<Clock, 'now'>;
}

export function createPolicyCache({ store, isShared, clock }: Deps): PolicyCache {
  const entries = createBoundedMap<string, Entry>({
    maxEntries: MAX_POLICIES,
    ...(isShared && { ttlMs: FRESH_MS, clock }),
  });

  const read = (teamId: string): Entry => {
    const entry: Entry = { read: store.find(teamId) };
    entry.read.then(
      (value) => {
        entry.known = { value };
      },
      // Those who wait get the error. The next one reads again.
      () => {
        if (entries.peek(teamId) === entry) entries.delete(teamId);
      },
    );
    return entry;
  };

  return {
    find(teamId) {
      const entry = entries.getOrCreate(teamId, () => read(teamId));
      return entry.known ? entry.known.value : entry.read;
    },
    async save(teamId, policy, by) {
      await store.save(teamId, policy, by);
      entries.delete(teamId);
    },
  };
}
