// The lists in data/ that describe URLs, each loaded on first use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../util/lazy.ts';

const DATA = join(import.meta.dirname, '../../../data');

interface ParametersFile {
  tracking: { prefixes: string[]; names: string[] };
  session: { prefixes: string[]; names: string[]; namesOfTokens: string[] };
}

/** Query parameters that never affect the content of a page, in lower case. */
export interface IgnoredParameters {
  names: ReadonlySet<string>;
  prefixes: readonly string[];
  /** Ignored only when the value looks like a random session token: such names can also select a section or a search. */
  tokenNames: ReadonlySet<string>;
}

export const ignoredParameters = lazy((): IgnoredParameters => {
  const { tracking, session } = readJson('tracking-parameters.json') as ParametersFile;
  return {
    names: new Set([...tracking.names, ...session.names]),
    prefixes: [...tracking.prefixes, ...session.prefixes],
    tokenNames: new Set(session.namesOfTokens),
  };
});

/** File extensions of URLs that are not pages, in lower case. */
export const nonPageExtensions = lazy((): ReadonlySet<string> => {
  const { about: _, ...kinds } = readJson('not-pages.json') as Record<string, string | string[]>;
  return new Set(Object.values(kinds).flat());
});

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(DATA, name), 'utf8'));
