// SQL over what is stored: which tables and columns a caller sees, and the answer in the format of its choice.
import { Download } from '../../archive/download.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { QuerySchemaResponse } from '../../contracts/query/query.ts';
import { MAX_ROWS } from '../../contracts/query/query.ts';
import { QUERY_TABLES, type QueryColumn, type QueryTableName } from '../../contracts/query/query-tables.ts';
import type { KeyLimits } from '../../contracts/team/policy.ts';
import { type PageSharing, SHARED } from '../../page/page-owner.ts';
import { restricted } from '../../policy/keys/refusal.ts';
import type { QueryViews, TableQueries } from '../../store/ports/table-queries.ts';
import type { Clock } from '../../util/clock.ts';
import type { JsonText } from '../../util/json/json-text.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { isOperator } from '../team/operator.ts';
import { writeJson, writeTable } from './write-table.ts';

interface QueryDeps {
  queries: Pick<TableQueries, 'run' | 'isEmbedded'>;
  /** How many queries each team runs at the moment. */
  runningQueries: Map<string, number>;
  sharing: Pick<PageSharing, 'viewerOf'>;
  clock: Pick<Clock, 'now'>;
}

const AT_ONCE = 2;
const TYPES = { csv: 'text/csv; charset=utf-8', parquet: 'application/vnd.apache.parquet' } as const;

export async function query(deps: QueryDeps, { caller, body }: Call<'query'>): Promise<JsonText | Download> {
  const { queries, sharing, clock } = deps;
  const { team, limits = {} } = caller;
  const viewer = sharing.viewerOf(team.id);
  using _turn = takeTurn(deps, team.id);
  const result = await queries
    .run(
      {
        sql: body.sql,
        views: viewsOf(deps, caller),
        viewer,
        listed: viewer.filter((owner) => owner !== SHARED || isOperator(caller)),
        teamId: team.id,
        domains: limits.domains ?? [],
        now: clock.now(),
        timeMs: body.timeout,
        maxRows: MAX_ROWS,
      },
      caller.signal,
    )
    .catch((error: unknown) => {
      throw withheld(error, limits) ?? error;
    });
  if (body.format === 'json') return writeJson(result);
  return new Download(writeTable[body.format](result), { type: TYPES[body.format], name: `query.${body.format}` });
}

export async function querySchema(deps: QueryDeps, { caller }: Call<'querySchema'>): Promise<QuerySchemaResponse> {
  const tables = Object.entries(viewsOf(deps, caller)).map(([name, columns]) => {
    const table = QUERY_TABLES[name as QueryTableName];
    const describe = (column: string) => {
      const { type, comment } = table.columns[column]!;
      return { name: column, type, comment };
    };
    return { name, comment: table.comment, columns: columns.map(describe) };
  });
  const dialect = deps.queries.isEmbedded ? 'sqlite' : 'postgresql';
  return { success: true, data: { dialect, tables } };
}

/** Throws TOO_MANY_QUERIES. */
function takeTurn({ runningQueries }: QueryDeps, team: string): Disposable {
  const running = runningQueries.get(team) ?? 0;
  if (running >= AT_ONCE) throw new ServiceError('TOO_MANY_QUERIES', { retryAfter: 1 });
  runningQueries.set(team, running + 1);
  return {
    [Symbol.dispose]() {
      const left = runningQueries.get(team)! - 1;
      if (left === 0) runningQueries.delete(team);
      else runningQueries.set(team, left);
    },
  };
}

function viewsOf({ queries }: QueryDeps, { limits = {} }: Caller): QueryViews {
  const isThere = (column: QueryColumn) => queries.isEmbedded || !column.isEmbedded;
  const views = Object.entries(QUERY_TABLES).flatMap(([name, table]) => {
    if (table.group && !isAmong(limits.operations, table.group)) return [];
    const columns = Object.entries(table.columns).filter(
      ([, column]) => isThere(column) && (!column.format || isAmong(limits.formats, column.format)),
    );
    return columns.length === 0 ? [] : [[name, columns.map(([column]) => column)]];
  });
  return Object.fromEntries(views) as QueryViews;
}

/** An empty list restricts nothing. */
const isAmong = (allowed: readonly string[] = [], name: string): boolean =>
  allowed.length === 0 || allowed.includes(name);

/** What the key may not read is unknown to the query. Its caller hears that it is there, and why it is not shown. */
function withheld(error: unknown, { formats = [], operations = [] }: KeyLimits): ServiceError | undefined {
  if (!(error instanceof ServiceError) || error.code !== 'QUERY_INVALID') return undefined;
  const [, , unknown = ''] = /no such (column|table): (?:\w+\.)?"?(\w+)/i.exec(error.message) ?? [];
  for (const [name, table] of Object.entries(QUERY_TABLES)) {
    const format = table.columns[unknown]?.format ?? (name === unknown ? onlyFormatOf(table.columns) : undefined);
    if (format && !isAmong(formats, format)) return restricted('formats', formats, 'formats', [format]);
    if (name === unknown && table.group && !isAmong(operations, table.group))
      return restricted('operations', operations, 'operations', [table.group]);
  }
  return undefined;
}

/** The format that all columns of a table need. */
function onlyFormatOf(columns: Readonly<Record<string, QueryColumn>>) {
  const formats = new Set(Object.values(columns).map(({ format }) => format));
  return formats.size === 1 ? [...formats][0] : undefined;
}
