// A store of programs in memory, for tests of what is learnt: the adapters themselves have their own.
import type { ProgramKey, ProgramStore } from '../../src/store/ports/pages/program-store.ts';

export function createMemoryPrograms(): ProgramStore & { saved: Map<string, string> } {
  const saved = new Map<string, string>();
  const nameOf = (team: string, { site, asked }: ProgramKey) => `${team} ${site} ${asked}`;
  return {
    saved,
    find: async (team, key) => saved.get(nameOf(team, key)),
    async replace(team, key, before, after) {
      const name = nameOf(team, key);
      if (saved.get(name) !== before) return false;
      saved.set(name, after);
      return true;
    },
  };
}
