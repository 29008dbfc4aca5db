// File extensions of URLs that are not pages, loaded on first use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';

const FILE = join(import.meta.dirname, '../../../data/not-pages.json');

/** In lower case. */
export const nonPageExtensions = lazy((): ReadonlySet<string> => {
  const { about: _, ...kinds } = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string | string[]>;
  return new Set(Object.values(kinds).flat());
});
