// The database that shared transactions run on, over the pool of connections.
import { type ColumnValue, type Database, Fragment, type Queries, type SqlValue, type Tx } from '../../sql/database.ts';
import type { PostgresDatabase, Sql } from './database.ts';
import { isConflict, outageOf } from './faults.ts';
import { lockByName } from './lock-by-name.ts';
import { toStoredText } from './stored-text.ts';

/** A transaction, for the parts that are written for PostgreSQL only. */
export interface PostgresTx extends Tx {
  readonly sql: Sql;
}

export const createPostgresDatabase = ({
  sql,
  transaction,
}: Pick<PostgresDatabase, 'sql' | 'transaction'>): Database => ({
  ...queriesOn(sql),
  transaction: (work) => transaction((inside) => work(transactionOn(inside))),
  async attempt(write) {
    try {
      await write();
    } catch (error) {
      if (outageOf(error) === undefined && !isConflict(error)) throw error;
    }
  },
});

export const transactionOn = (sql: Sql): PostgresTx => ({
  ...queriesOn(sql),
  sql,
  lock: (...name) => lockByName(sql, ...name),
});

function queriesOn(sql: Sql): Queries {
  const query = (strings: TemplateStringsArray, values: readonly SqlValue[]) => {
    const inside = values.map((value): unknown =>
      value instanceof Fragment ? query(value.strings, value.values) : value,
    );
    return sql(strings, ...(inside as never[]));
  };
  return {
    rows: async <Row>(strings: TemplateStringsArray, ...values: SqlValue[]) =>
      [...(await query(strings, values))] as unknown as Row[],
    one: async <Row>(strings: TemplateStringsArray, ...values: SqlValue[]) =>
      (await query(strings, values))[0] as Row | undefined,
    run: async (strings, ...values) => (await query(strings, values)).count,
    add: async (strings, ...values) => (await sql`${query(strings, values)} RETURNING id`)[0]!.id,
    async insert(table, rows) {
      if (rows.length === 0) return;
      const columns = Object.keys(rows[0]!);
      // The table knows the types of its columns.
      await sql`
        INSERT INTO ${sql(table)} (${sql(columns)})
        SELECT ${sql(columns)} FROM json_populate_recordset(NULL::${sql(table)}, ${toJson(rows)}::text::json)`;
    },
  };
}

const toJson = (rows: readonly Readonly<Record<string, ColumnValue>>[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'string' ? toStoredText(value) : value));
