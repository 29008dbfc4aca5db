// The tables of the database as the move of a data folder sees them: their columns, their rows in order, and their numbers.
import { assert } from '../../../util/assert.ts';
import type { PostgresDatabase, Sql } from '../../postgres/database/database.ts';
import type { CellValue, TablePlan, TableRow } from './table-plan.ts';

export interface TargetTable {
  /** The row as this table has it. */
  convert(row: TableRow): TableRow;
  insert(sql: Sql, rows: readonly TableRow[]): Promise<void>;
  /** Rows after that key, with the columns that are moved. */
  read(after: readonly CellValue[] | undefined, limit: number): Promise<TableRow[]>;
  count(): Promise<number>;
  /** Later rows get numbers above this one. */
  setLastNumber(sql: Sql, last: number): Promise<void>;
}

interface Column {
  name: string;
  type: string;
  isNeeded: boolean;
}

/** Fails if the folder and the database do not have the same columns, apart from what the plan changes. */
export async function openTable({ sql }: Pick<PostgresDatabase, 'sql'>, plan: TablePlan): Promise<TargetTable> {
  const { name, key, identity } = plan;
  const columns = await sql<Column[]>`
    SELECT column_name AS name, data_type AS type,
      is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS "isNeeded"
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ${name}`;
  const byName = new Map(columns.map((column) => [column.name, column]));

  const convert = (row: TableRow): TableRow => {
    const changed = plan.change ? plan.change(row) : row;
    for (const column of Object.keys(changed)) assert(byName.has(column), `The database has no ${name}.${column}.`);
    for (const column of columns)
      assert(!column.isNeeded || column.name in changed, `The folder has no ${name}.${column.name}.`);
    return Object.fromEntries(
      Object.entries(changed).map(([column, value]) => [column, asType(value, byName.get(column)!.type)]),
    );
  };

  return {
    convert,
    async insert(inside, rows) {
      const [first] = rows;
      if (!first) return;
      const names = Object.keys(first);
      const places = rows.map((_, row) => `(${names.map((_, at) => `$${row * names.length + at + 1}`).join(', ')})`);
      await inside.unsafe(
        `INSERT INTO ${name} (${names.join(', ')}) OVERRIDING SYSTEM VALUE VALUES ${places.join(', ')}`,
        rows.flatMap((row) => names.map((column) => row[column]!)),
      );
    },
    async read(after = [], limit) {
      const later = after.length === 0 ? '' : `WHERE (${key}) > (${after.map((_, at) => `$${at + 2}`).join(', ')})`;
      const text = `SELECT * FROM ${name} ${later} ORDER BY ${key} LIMIT $1::bigint`;
      return [...(await sql.unsafe<TableRow[]>(text, [limit, ...after]))];
    },
    async count() {
      const [row] = await sql<{ count: number }[]>`SELECT count(*) FROM ${sql(name)}`;
      return row!.count;
    },
    async setLastNumber(inside, last) {
      if (identity === undefined || last === 0) return;
      await inside`SELECT setval(pg_get_serial_sequence(${name}, ${identity}), ${last})`;
    },
  };
}

function asType(value: CellValue, type: string): CellValue {
  if (value === null || value === undefined) return null;
  return type === 'boolean' ? Boolean(value) : value;
}
