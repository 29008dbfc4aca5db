// Looks up the metadata of a page by names in any case.
import type { PageMetadata } from '../../../page/page.ts';

/** The first value under one of the names, in the order of the names. */
export type MetaReader = (...names: string[]) => string | undefined;

export function createMetaReader(metadata: PageMetadata): MetaReader {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(metadata)) {
    const key = name.toLowerCase();
    const first = typeof value === 'string' ? value : value[0];
    if (first && !values.has(key)) values.set(key, first);
  }
  return (...names) => {
    for (const name of names) {
      const value = values.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
}
