// The SQL of callers: in processes beside the embedded store, or in the shared database.
import type { Config } from '../config/settings.ts';
import { findConfinement } from '../parse/process/confinement.ts';
import type { TableQueries } from '../store/ports/table-queries.ts';
import { createSqliteQueries } from '../store/sqlite/queries/sqlite-queries.ts';
import type { Clock } from '../util/clock.ts';

const CHUNKER = new URL('../understand/chunks/make-chunks.ts', import.meta.url);

export function composeQueries(config: Config, clock: Clock) {
  const { databaseUrl } = config;
  const queries = databaseUrl === undefined ? ofFolder(config, clock) : ofDatabase(databaseUrl);
  return { parts: { queries, runningQueries: new Map<string, number>() }, close: queries.close };
}

function ofFolder({ dataDir, searchPath }: Config, clock: Clock): TableQueries {
  const confine = async () => (await findConfinement(searchPath, [])).wrap;
  return createSqliteQueries({ dataDir, confine, chunker: CHUNKER, clock });
}

/** Loaded and connected with the first query. */
function ofDatabase(url: string): TableQueries {
  let opened: Promise<TableQueries> | undefined;
  const open = async () => (await import('../store/postgres/queries/postgres-queries.ts')).createPostgresQueries(url);
  return {
    isEmbedded: false,
    async run(query, signal) {
      opened ??= open();
      return (await opened).run(query, signal);
    },
    close: async () => (await opened)?.close(),
  };
}
