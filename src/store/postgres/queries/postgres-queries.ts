// Queries of the shared database, each in a transaction that is rolled back: views with the conditions of the caller, then the
// query as a view of a role that may read these and nothing else, then its rows.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { lazy } from '../../../util/lazy.ts';
import type { QueryResult, ResultColumn, TableQueries, TableQuery } from '../../ports/table-queries.ts';
import { connect, type Sql } from '../database/database.ts';
import { asServiceError } from '../database/faults.ts';
import { createStatementCheck } from './check-statement.ts';
import { ensureRole, QUERY_ROLE } from './query-role.ts';
import { viewStatements } from './views.ts';

/** Queries at the same time, of all teams that this process serves. */
const CONNECTIONS = 4;
const RESULT = 'trawl_result';
const MAX_RESULT_BYTES = 16 * 1024 * 1024;
const MAX_ROW_BYTES = 1024 * 1024;
const BATCH_ROWS = 200;

export function createPostgresQueries(url: string): TableQueries {
  const database = lazy(() => connect({ url, connections: CONNECTIONS }));
  const statements = createStatementCheck();

  return {
    isEmbedded: false,
    async run(query, signal) {
      signal.throwIfAborted();
      const { transaction } = database();
      try {
        await ensureRole(database());
        return await transaction(async (sql) => {
          await prepare(sql, query);
          await asQuery(query, run(sql, `CREATE TEMP VIEW ${RESULT} AS ${query.sql}`));
          await statements.check(sql, RESULT, Object.keys(query.views));
          await run(sql, 'SET LOCAL transaction_read_only = on');
          const result = await asQuery(query, readRows(sql, query, signal));
          await run(sql, 'ROLLBACK');
          return result;
        });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw asServiceError(error);
      }
    },
    async close() {
      await database().close();
    },
  };
}

/** With the extended protocol, which takes one statement. */
const run = <Row extends object>(sql: Sql, text: string) =>
  (sql as Sql & { unsafe: Unsafe }).unsafe<Row[]>(text, [], { simple: false } as object);
type Unsafe = import('postgres').Sql['unsafe'];

async function prepare(sql: Sql, query: TableQuery): Promise<void> {
  const settings = {
    statement_timeout: `${query.timeMs}`,
    lock_timeout: '1000',
    TimeZone: `'UTC'`,
    standard_conforming_strings: 'on',
  };
  for (const [name, value] of Object.entries(settings)) await run(sql, `SET LOCAL ${name} = ${value}`);
  for (const view of viewStatements(query, QUERY_ROLE)) await run(sql, view);
  await run(sql, `SET LOCAL ROLE ${QUERY_ROLE}`);
  await run(sql, 'SET LOCAL search_path = pg_temp, pg_catalog');
}

async function readRows(sql: Sql, { maxRows, timeMs }: TableQuery, signal: AbortSignal): Promise<QueryResult> {
  const endsAt = performance.now() + timeMs;
  const columns = await run<{ name: string; type: string }>(
    sql,
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_catalog.pg_attribute
     WHERE attrelid = 'pg_temp.${RESULT}'::regclass AND attnum > 0 ORDER BY attnum`,
  );
  const values = columns.map(({ name, type }) => jsonValue(`"${name.replaceAll('"', '""')}"`, type)).join(', ');
  const cursor = run<{ row: string | null }>(
    sql,
    `SELECT CASE WHEN octet_length(row) <= ${MAX_ROW_BYTES} THEN row END AS row
     FROM (SELECT json_build_array(${values})::text AS row FROM pg_temp.${RESULT} LIMIT ${maxRows + 1}) AS rows`,
  ).cursor(BATCH_ROWS);
  const batches: string[] = [];
  let rowCount = 0;
  let bytes = 0;
  for await (const rows of cursor) {
    signal.throwIfAborted();
    // The limit of the database begins anew with each part.
    if (performance.now() > endsAt) throw tooSlow(timeMs);
    rowCount += rows.length;
    if (rowCount > maxRows) throw new ServiceError('QUERY_TOO_LARGE', { message: tooManyRows(maxRows) });
    for (const { row } of rows) bytes += row?.length ?? Number.POSITIVE_INFINITY;
    if (bytes > MAX_RESULT_BYTES) throw new ServiceError('QUERY_TOO_LARGE');
    if (rows.length > 0) batches.push(`[${rows.map(({ row }) => row).join(',')}]`);
  }
  return { columns: columns.map(({ name, type }) => ({ name, type: TYPES[type] ?? 'any' })), rowCount, batches };
}

const tooManyRows = (most: number) =>
  `The query has more than ${most.toLocaleString('en')} rows. Add LIMIT, or count and group in SQL.`;

const tooSlow = (timeMs: number) =>
  new ServiceError('QUERY_TIMEOUT', {
    message: `The query took longer than ${timeMs / 1_000} seconds. Narrow it down, or raise \`timeout\`, up to 30,000.`,
  });

const TYPES: Readonly<Record<string, ResultColumn['type']>> = {
  ...{ text: 'text', 'character varying': 'text', character: 'text', name: 'text', boolean: 'boolean', bytea: 'bytes' },
  ...{ smallint: 'integer', integer: 'integer', bigint: 'integer', real: 'number', 'double precision': 'number' },
  ...{ numeric: 'number', 'timestamp with time zone': 'time', 'timestamp without time zone': 'time', date: 'time' },
};

/** Numbers that JSON readers cannot hold are texts, bytes are Base64. */
function jsonValue(column: string, type: string): string {
  if (type === 'bytea') return `encode(${column}, 'base64')`;
  if (type !== 'bigint') return column;
  return `CASE WHEN abs(${column}) > 9007199254740991 THEN to_json(${column}::text) ELSE to_json(${column}) END`;
}

/** What goes wrong from here on is up to the query, unless the database itself is in trouble. */
async function asQuery<T>({ timeMs }: TableQuery, work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const { code = '', message } = error as { code?: string; message: string };
    if (code === '57014') throw tooSlow(timeMs);
    if (code === '53200') throw new ServiceError('QUERY_OUT_OF_MEMORY');
    // Syntax, names, types, values, limits of the program, what is not supported, what is read-only.
    if (!/^(?:42|22|21|54|0A|2F|25)/.test(code)) throw error;
    const said = `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, '.')}`;
    throw new ServiceError('QUERY_INVALID', { message: `${said} GET /v2/query/schema lists the tables and columns.` });
  }
}
