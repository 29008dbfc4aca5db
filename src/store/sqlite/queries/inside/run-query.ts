// Runs one query on a connection of its own, which only reads.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { ServiceError } from '../../../../contracts/errors/errors.ts';
import type { ResultColumn } from '../../../ports/table-queries.ts';
import { createAuthorizer } from './authorizer.ts';
import type { QueryMessage, QueryProblem, QueryRequest } from './query-messages.ts';
import { addViewFunctions } from './view-functions.ts';
import { viewStatements } from './views.ts';

const MB = 1024 * 1024;
/** What the service has to hold until the whole answer is there. */
const MAX_RESULT_BYTES = 16 * MB;
const BATCH_BYTES = 64 * 1024;
const BUSY_TIMEOUT_MS = 5_000;
/** A value of a query may be as long as this: longer ones are made by accident, or to use up the memory. */
const LIMITS = {
  ...{ length: 8 * MB, sqlLength: MB, column: 500, exprDepth: 200, compoundSelect: 50, vdbeOp: 100_000 },
  ...{ functionArg: 100, attach: 0, likePatternLength: 1_000, variableNumber: 9, triggerDepth: 0 },
};
const BEGINS_QUERY = /^(?:SELECT|WITH|VALUES)\b/i;
const NOTHING = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/;
/** SQLite result codes: its own limits on memory and length. */
const [NO_MEMORY, TOO_BIG] = [7, 18];

/** The last message is the answer, or says why there is none. */
export async function runQuery(request: QueryRequest, send: (message: QueryMessage) => void): Promise<void> {
  const secret = `x${randomBytes(16).toString('hex')}_`;
  try {
    using database = await openFor(request, secret);
    try {
      send(readRows(prepare(database, request.sql), request.maxRows, send));
    } catch (error) {
      send({ problem: problemOf(error, secret, Object.keys(request.views)) });
    }
  } catch (error) {
    // The query has not begun, so it is not to blame.
    send({ problem: { code: 'UNKNOWN_ERROR', message: (error as Error).message } });
  }
}

/** A connection that sees the views of the caller and nothing else. */
async function openFor(request: QueryRequest, secret: string): Promise<DatabaseSync> {
  const database = open(join(request.dataDir, 'store.db'));
  // What is sorted counts towards the memory, and fills no disk.
  database.exec('PRAGMA temp_store = MEMORY');
  const { runTrusted, authorize } = createAuthorizer(database);
  await addViewFunctions(database, { secret, runTrusted }, request);
  for (const view of viewStatements(request, secret)) database.exec(view);
  authorize({ views: new Set(Object.keys(request.views)), secret });
  return database;
}

const open = (file: string) =>
  new DatabaseSync(file, {
    readOnly: true,
    timeout: BUSY_TIMEOUT_MS,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
    limits: LIMITS,
  });

function prepare(database: DatabaseSync, sql: string): StatementSync {
  const query = sql.replace(NOTHING, '');
  if (!BEGINS_QUERY.test(query)) throw invalid('It has to be one SELECT, which may begin with WITH or VALUES.');
  const statement = database.prepare(query);
  if (query.slice(statement.sourceSQL.length).replace(NOTHING, '') !== '')
    throw invalid('It has more than one statement. Send each for itself.');
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement;
}

const invalid = (message: string) => new ServiceError('QUERY_INVALID', { message });

function readRows(statement: StatementSync, maxRows: number, send: (message: QueryMessage) => void): QueryMessage {
  const columns = statement.columns().map(({ name }) => ({ name, type: 'null' as ResultColumn['type'] }));
  let rowCount = 0;
  let bytes = 0;
  let batch: string[] = [];
  let batched = 0;
  const flush = () => {
    if (batch.length > 0) send({ batch: `[${batch.join(',')}]` });
    batch = [];
    batched = 0;
  };
  for (const values of statement.iterate() as unknown as Iterable<SQLOutputValue[]>) {
    rowCount += 1;
    if (rowCount > maxRows) throw new ServiceError('QUERY_TOO_LARGE', { message: tooManyRows(maxRows) });
    const row = JSON.stringify(values.map((value, at) => shown(value, columns[at]!)));
    bytes += row.length;
    batched += row.length;
    if (bytes > MAX_RESULT_BYTES) throw new ServiceError('QUERY_TOO_LARGE');
    batch.push(row);
    if (batched > BATCH_BYTES) flush();
  }
  flush();
  return { columns, rowCount };
}

const tooManyRows = (most: number) =>
  `The query has more than ${most.toLocaleString('en')} rows. Add LIMIT, or count and group in SQL.`;

/** As JSON has it, and notes the type for the column. */
function shown(value: SQLOutputValue, column: ResultColumn): unknown {
  if (value === null) return null;
  const type = typeOf(value);
  if (column.type === 'null') column.type = type;
  else if (column.type !== type) column.type = isNumeric(type) && isNumeric(column.type) ? 'number' : 'any';
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

const isNumeric = (type: ResultColumn['type']): boolean => type === 'integer' || type === 'number';

function typeOf(value: Exclude<SQLOutputValue, null>): ResultColumn['type'] {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'text' : 'bytes';
}

function problemOf(error: unknown, secret: string, tables: readonly string[]): QueryProblem {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  const { code, errcode = 0, message } = error as { code?: string; errcode?: number; message: string };
  if (code !== 'ERR_SQLITE_ERROR') return { code: 'UNKNOWN_ERROR', message };
  if ((errcode & 0xff) === NO_MEMORY) return { code: 'QUERY_OUT_OF_MEMORY' };
  if ((errcode & 0xff) === TOO_BIG)
    return { code: 'QUERY_INVALID', message: 'A value, or the query itself, is too long.' };
  return { code: 'QUERY_INVALID', message: explained(message, secret, tables) };
}

/** What SQLite says, without inner names, and with the tables that there are. */
function explained(message: string, secret: string, tables: readonly string[]): string {
  const said = message.replaceAll(`temp.${secret}`, '').replaceAll(secret, '');
  if (/^no such table|^access to|not authorized|prohibited/.test(said)) {
    return `${sentence(said)} Queries read the tables ${tables.join(', ')}; GET /v2/query/schema lists their columns.`;
  }
  return sentence(said);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;
