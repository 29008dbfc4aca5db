// Which files and which cases belong to the short run, and which to the full run alone.
import { type ImportGraph, reachableFrom } from './import-graph.ts';

/** What of a file runs. `rest` is what the short run leaves out. */
export type Part = 'short' | 'rest' | 'all';

/** Files of this name belong to the full run as a whole. */
const FULL_ONLY = '.full.test.ts';
/** What files import whose cases are divided. */
const DIVIDED = 'test/support/full-run.ts';

/** The part of this file that runs in this part of the run; undefined if it has none. */
export function partOf(file: string, part: Part, graph: ImportGraph): Part | undefined {
  if (file.endsWith(FULL_ONLY)) return part === 'short' ? undefined : 'all';
  if (part !== 'rest') return part;
  const isDivided = reachableFrom(graph, file, (path) => path.startsWith('test/')).has(DIVIDED);
  return isDivided ? 'rest' : undefined;
}
