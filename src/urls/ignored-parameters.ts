// Query parameters that never affect the content of a page: tracking and sessions. The list is in data/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../util/lazy.ts';

const FILE = join(import.meta.dirname, '../../data/tracking-parameters.json');
const RANDOM_TOKEN = /^(?=[^\d]*\d)(?=\d*[a-z])[a-z0-9]{20,}$/i;

interface ParametersFile {
  tracking: { prefixes: string[]; names: string[] };
  session: { prefixes: string[]; names: string[]; namesOfTokens: string[] };
}

const parameters = lazy(() => {
  const { tracking, session } = JSON.parse(readFileSync(FILE, 'utf8')) as ParametersFile;
  return {
    names: new Set([...tracking.names, ...session.names]),
    prefixes: [...tracking.prefixes, ...session.prefixes],
    // Ignored only when the value looks like a random session token: such names can also select a section or a search.
    tokenNames: new Set(session.namesOfTokens),
  };
});

export function isIgnoredParameter(name: string, value: string): boolean {
  const { names, prefixes, tokenNames } = parameters();
  const lower = name.toLowerCase();
  if (names.has(lower)) return true;
  if (tokenNames.has(lower)) return RANDOM_TOKEN.test(value);
  return prefixes.some((prefix) => lower.startsWith(prefix));
}
