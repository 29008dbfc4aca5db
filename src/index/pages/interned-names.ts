// Numbers for names that come again and again: hosts, file types, locales. They live in memory only, from 1 on.

export interface InternedNames {
  /** The number of a name, given at the first asking. */
  id(name: string): number;
  find(name: string): number | undefined;
  /** By number; nothing at 0. */
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
