// Numbers for names that repeat often: hosts, file types, locales. They exist in memory only and start at 1.

export interface InternedNames {
  /** The number of a name, assigned on first use. */
  id(name: string): number;
  find(name: string): number | undefined;
  /** Names by number; index 0 is unused. */
  readonly list: readonly string[];
}

export function createInternedNames(onNew?: (name: string, id: number) => void): InternedNames {
  const ids = new Map<string, number>();
  const list = [''];
  return {
    list,
    find: (name) => ids.get(name),
    id(name) {
      const known = ids.get(name);
      if (known !== undefined) return known;
      const id = list.length;
      ids.set(name, id);
      list.push(name);
      onNew?.(name, id);
      return id;
    },
  };
}
