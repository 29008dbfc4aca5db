// The threat policies of teams in memory: every request of a team with the feature needs its policy, and it rarely changes.
import type { SavedThreatPolicy, ThreatPolicyStore } from '../../store/threat-policy-store.ts';
import { createBoundedMap } from '../../util/bounded-map.ts';

export interface PolicyCache {
  /** At once if it is known. */
  find(teamId: string): SavedThreatPolicy | undefined | Promise<SavedThreatPolicy | undefined>;
  /** Applies to every request from now on. */
  save: ThreatPolicyStore['save'];
}

interface Entry {
  /** Absent while it is read. */
  known?: { value: SavedThreatPolicy | undefined };
  read: Promise<SavedThreatPolicy | undefined>;
}

const MAX_POLICIES = 1_000;

export function createPolicyCache(store: ThreatPolicyStore): PolicyCache {
  const entries = createBoundedMap<string, Entry>({ maxEntries: MAX_POLICIES });

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
