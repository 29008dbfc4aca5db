// The database that shared transactions run on, over the one connection of the store thread: one transaction after the other.
import type { SQLInputValue } from 'node:sqlite';
import { diskFaultOf } from '../../../runtime/sqlite/disk-fault.ts';
import type { SqliteConnection, Statement } from '../../../runtime/sqlite/sqlite.ts';
import { assert } from '../../../util/assert.ts';
import { type Database, Fragment, type Queries, type SqlValue, type Tx } from '../../sql/database.ts';
import { toSqlite } from './dialect.ts';

type Row = Record<string, unknown>;

/** A transaction, for the parts that are written for SQLite only. */
export interface SqliteTx extends Tx {
  /** Throws if it has ended: what is written on its connection then would be a part of the next one, or of none. */
  assertOpen(): void;
}

export function createSqliteDatabase(connection: SqliteConnection): Database {
  const statements = createStatements(connection);
  const all: Tx = {
    rows: <T>(strings: TemplateStringsArray, ...values: SqlValue[]) => {
      const { statement, bindings } = statements.find(strings, values);
      return statement.all(...bindings) as T[];
    },
    one: <T>(strings: TemplateStringsArray, ...values: SqlValue[]) => {
      const { statement, bindings } = statements.find(strings, values);
      return statement.get(...bindings) as T | undefined;
    },
    run(strings, ...values) {
      const { statement, bindings } = statements.find(strings, values);
      return Number(statement.run(...bindings).changes);
    },
    add(strings, ...values) {
      const { statement, bindings } = statements.find(strings, values);
      return Number(statement.run(...bindings).lastInsertRowid);
    },
    insert(table, rows) {
      if (rows.length === 0) return;
      const columns = Object.keys(rows[0]!);
      const statement = statements.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) statement.run(...columns.map((column) => toBinding(row[column])));
    },
    // There is no other transaction.
    lock: () => {},
  };

  /** Settles with the transaction that runs now. */
  let running: Promise<void> | undefined;

  const transaction: Database['transaction'] = async (work) => {
    while (running) await running;
    const end = Promise.withResolvers<void>();
    running = end.promise;
    const tx = openTransaction(all);
    try {
      return await connection.transact(async () => {
        try {
          return await work(tx);
        } finally {
          // If one of several statements that were sent together has failed, the others may still be on their way.
          tx.end();
        }
      });
    } finally {
      running = undefined;
      end.resolve();
    }
  };

  /** A statement for itself waits as well: on the same connection, it would be a part of the transaction. */
  const alone = <Args extends unknown[], T>(run: (...args: Args) => T) => {
    const inTurn = (...args: Args): Answer<T> =>
      running ? running.then(() => inTurn(...args) as Awaited<T>) : answerOf(() => run(...args));
    return inTurn;
  };
  return {
    transaction,
    async attempt(write) {
      try {
        await write();
      } catch (error) {
        if (diskFaultOf(error) === undefined) throw error;
      }
    },
    rows: alone(all.rows) as Queries['rows'],
    one: alone(all.one) as Queries['one'],
    run: alone(all.run) as Queries['run'],
    add: alone(all.add) as Queries['add'],
    insert: (table, rows) => transaction(async (inside) => inside.insert(table, rows)),
  };
}

type Answer<T> = T | Promise<Awaited<T>>;

/** An error is a rejection, as in PostgreSQL: thrown at once, it would leave those alone that were sent together with it. */
function answerOf<T>(run: () => T): Answer<T> {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error);
  }
}

function openTransaction(all: Tx): SqliteTx & { end(): void } {
  let isOpen = true;
  const assertOpen = () => assert(isOpen, 'The transaction has ended.');
  const whileOpen =
    <Args extends unknown[], T>(run: (...args: Args) => T) =>
    (...args: Args): Answer<T> =>
      answerOf(() => {
        assertOpen();
        return run(...args);
      });
  return {
    rows: whileOpen(all.rows) as Tx['rows'],
    one: whileOpen(all.one) as Tx['one'],
    run: whileOpen(all.run) as Tx['run'],
    add: whileOpen(all.add) as Tx['add'],
    insert: whileOpen(all.insert) as Tx['insert'],
    lock: all.lock,
    assertOpen,
    end() {
      isOpen = false;
    },
  };
}

interface Prepared {
  statement: Statement<Row>;
  bindings: SQLInputValue[];
}

/** Statements are prepared with their first use, and kept: by their template, or by their text if parts of it vary. */
function createStatements(connection: SqliteConnection) {
  const byTemplate = new WeakMap<TemplateStringsArray, Statement<Row>>();
  const byText = new Map<string, Statement<Row>>();

  const prepare = (text: string): Statement<Row> => {
    const known = byText.get(text);
    if (known) return known;
    const statement = connection.prepare<Row>(toSqlite(text));
    byText.set(text, statement);
    return statement;
  };

  const findWhole = (strings: TemplateStringsArray): Statement<Row> => {
    const known = byTemplate.get(strings);
    if (known) return known;
    const statement = prepare(strings.join('?'));
    byTemplate.set(strings, statement);
    return statement;
  };

  return {
    prepare,
    find(strings: TemplateStringsArray, values: readonly SqlValue[]): Prepared {
      // A template that has parts or lists has them always.
      if (byTemplate.has(strings) || !values.some((value) => value instanceof Fragment || Array.isArray(value)))
        return { statement: findWhole(strings), bindings: values.map(toBinding) };
      const bindings: SQLInputValue[] = [];
      return { statement: prepare(textOf(strings, values, bindings)), bindings };
    },
  };
}

function textOf(strings: TemplateStringsArray, values: readonly SqlValue[], bindings: SQLInputValue[]): string {
  let text = strings[0]!;
  for (const [index, value] of values.entries()) {
    if (value instanceof Fragment) text += textOf(value.strings, value.values, bindings);
    else if (isShortList(value) && LISTED.test(text)) {
      text = text.replace(LISTED, (_, column) => `(${value.map(() => `${column} = ?`).join(' OR ') || 'FALSE'}`);
      bindings.push(...value);
    } else {
      text += '?';
      bindings.push(toBinding(value));
    }
    text += strings[index + 1];
  }
  return text;
}

/** What is before a list that a column is compared with. The parenthesis is closed by what follows. */
const LISTED = /(?<=\b(?:WHERE|AND|OR|NOT)\s+|\()([\w.]+) = ANY\($/;
/** A longer list is JSON, for which SQLite makes a temporary table: that takes longer than to look up some rows. */
const SPELLED_OUT = 4;

const isShortList = (value: SqlValue): value is readonly string[] | readonly number[] =>
  Array.isArray(value) && value.length <= SPELLED_OUT;

function toBinding(value: SqlValue): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}
