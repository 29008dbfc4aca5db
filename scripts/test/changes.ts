// The test files that a change touches: those that load a changed file. Tests that run the whole program load nearly
// everything, so what only they reach by src/compose is left to a whole run.
import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { type ImportGraph, reachableFrom } from './import-graph.ts';

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

export function isCommit(name: string): boolean {
  try {
    git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** What differs from a commit in the working tree, new files included. */
export function changedFiles(commit: string): string[] {
  const known = git('diff', '--name-only', '--relative', commit);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [...new Set(`${known}${untracked}`.split('\n').filter((path) => path !== ''))].sort();
}

export function touchedTests(tests: readonly string[], changed: readonly string[], graph: ImportGraph): string[] {
  const touched = new Set(changed.flatMap((path) => (graph.has(path) ? [path] : modulesThatName(path, graph))));
  const isProgram = (path: string) => path.startsWith('src/compose/') || path === 'src/main.ts';
  return tests.filter((test) => {
    const loaded = reachableFrom(graph, test, (path) => !isProgram(path));
    return [...touched].some((path) => loaded.has(path));
  });
}

const QUOTES = ["'", '"', '`', '/'];

/** Data files and documents are named in the code: by their own name, or by that of the nearest folder which is. */
function modulesThatName(path: string, graph: ImportGraph): string[] {
  for (let name = path; name !== '.'; name = dirname(name)) {
    const text = basename(name);
    const naming = [...graph].filter(([, module]) => QUOTES.some((quote) => module.text.includes(`${text}${quote}`)));
    if (naming.length > 0) return naming.map(([module]) => module);
  }
  return [];
}
