// The lists in data/ that the frontier goes by, each read at its first use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = join(import.meta.dirname, '../../../data');

interface ParametersFile {
  tracking: { prefixes: string[]; names: string[] };
  session: { prefixes: string[]; names: string[]; namesOfTokens: string[] };
}

/** Query parameters that never choose the content of a page, in lower case. */
export interface IdleParameters {
  names: ReadonlySet<string>;
  prefixes: readonly string[];
  /** Idle only when the value is a session's random token: the same name may stand for a section or a search. */
  namesOfTokens: ReadonlySet<string>;
}

export const idleParameters = atFirstUse((): IdleParameters => {
  const { tracking, session } = readJson('tracking-parameters.json') as ParametersFile;
  return {
    names: new Set([...tracking.names, ...session.names]),
    prefixes: [...tracking.prefixes, ...session.prefixes],
    namesOfTokens: new Set(session.namesOfTokens),
  };
});

/** Extensions of files that are no pages, in lower case. */
export const notPages = atFirstUse((): ReadonlySet<string> => {
  const { about: _, ...kinds } = readJson('not-pages.json') as Record<string, string | string[]>;
  return new Set(Object.values(kinds).flat());
});

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(DATA, name), 'utf8'));

function atFirstUse<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= read();
    return value;
  };
}
