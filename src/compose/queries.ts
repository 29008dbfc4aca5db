// The SQL of callers: in processes beside the embedded store, or in the shared database.
import type { Config } from '../config/settings.ts';
import { findConfinement } from '../parse/process/confinement.ts';
import { createSqliteQueries } from '../store/sqlite/queries/sqlite-queries.ts';
import type { Clock } from '../util/clock.ts';

const CHUNKER = new URL('../understand/chunks/make-chunks.ts', import.meta.url);

export function composeQueries({ dataDir, searchPath }: Config, clock: Clock) {
  const confine = async () => (await findConfinement(searchPath, [])).wrap;
  const queries = createSqliteQueries({ dataDir, confine, chunker: CHUNKER, clock });
  return { parts: { queries, runningQueries: new Map<string, number>() }, close: queries.close };
}
