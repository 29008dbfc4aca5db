// The processes and sessions of a store that only one process uses: that process.
import type { Leases } from '../ports/leases.ts';
import type { ProcessRegistry, ProcessRow } from '../ports/process-registry.ts';
import type { SessionDirectory, SessionPlace } from '../ports/session-directory.ts';

export function createOneProcess(): ProcessRegistry {
  let own: ProcessRow | undefined;
  return {
    async renew(process, now) {
      const isNew = own?.id !== process.id;
      own = { ...process, seenAt: now };
      return isNew;
    },
    list: async () => (own ? [own] : []),
    time: async () => undefined,
    async leave(id) {
      if (own?.id === id) own = undefined;
    },
  };
}

/** A single process always gets its lease. */
export const createOwnLeases = (): Leases => ({ hold: async () => true });

/** Ended sessions are remembered by the process that had them, which is the one that asks. */
export function createOwnSessions(): SessionDirectory {
  const places = new Map<string, { place: SessionPlace; tokens: string[] }>();
  const all = () => [...places.values()];
  const findBy = (test: (entry: { place: SessionPlace; tokens: string[] }) => boolean) => all().find(test)?.place;
  return {
    async reserve(place, max) {
      const takenBy = place.scrape && findBy((each) => each.place.scrape === place.scrape);
      if (takenBy) return { takenBy };
      if (all().filter((each) => each.place.teamId === place.teamId).length >= max) return 'too many';
      places.set(place.id, { place, tokens: [] });
      return 'reserved';
    },
    async opened(place, tokens) {
      places.set(place.id, { place, tokens });
    },
    async ended(id) {
      places.delete(id);
    },
    find: async (id, teamId) => findBy(({ place }) => place.id === id && place.teamId === teamId),
    findByToken: async (token) => findBy(({ tokens }) => tokens.includes(token)),
    findByScrape: async (scrape) => findBy(({ place }) => place.scrape === scrape),
    processesOf: async (teamId) => [
      ...new Set(all().flatMap(({ place }) => (place.teamId === teamId ? [place.processId] : []))),
    ],
  };
}
