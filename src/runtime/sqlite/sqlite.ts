// A database connection with typed statements, and with hooks for files that follow a transaction.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { diskFaultOf } from './disk-fault.ts';

export interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  run(...values: SQLInputValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

export interface SqliteConnection {
  /** `Row` is what the statement selects; only tests check it. */
  prepare<Row>(sql: string): Statement<Row>;
  /** The same with each row as a list of its values: much faster to read where there are very many. */
  prepareTuples<Tuple extends readonly unknown[]>(sql: string): Statement<Tuple>;
  /** Runs `work` as one transaction that holds the write lock from its start. */
  transaction<T>(work: () => T): T;
  /** The same for work that waits, for nothing but its own statements. One at a time. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** A write that is skipped if the disk does not allow it, because what it belongs to must not fail with it. */
  attempt(write: () => void): void;
  /** Runs after the current transaction has committed. */
  afterCommit(task: () => void): void;
  afterRollback(task: () => void): void;
  /** Gives back the pages that SQLite holds in memory. */
  releaseMemory(): void;
  close(): void;
}

export function createConnection(database: DatabaseSync): SqliteConnection {
  let onCommit: (() => void)[] = [];
  let onRollback: (() => void)[] = [];

  const settle = (tasks: (() => void)[]) => {
    onCommit = [];
    onRollback = [];
    for (const task of tasks) task();
  };

  const commit = <T>(value: T): T => {
    database.exec('COMMIT');
    settle(onCommit);
    return value;
  };
  const rollBack = (error: unknown): never => {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK');
    settle(onRollback);
    throw error;
  };

  return {
    prepare: <Row>(sql: string) => database.prepare(sql) as unknown as Statement<Row>,
    prepareTuples<Tuple extends readonly unknown[]>(sql: string) {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return statement as unknown as Statement<Tuple>;
    },
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        return commit(work());
      } catch (error) {
        return rollBack(error);
      }
    },
    async transact(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        return commit(await work());
      } catch (error) {
        return rollBack(error);
      }
    },
    attempt(write) {
      try {
        write();
      } catch (error) {
        if (diskFaultOf(error) === undefined) throw error;
      }
    },
    afterCommit: (task) => onCommit.push(task),
    afterRollback: (task) => onRollback.push(task),
    releaseMemory() {
      // A thread may rest after it has closed its file, and before it ends.
      if (database.isOpen) database.exec('PRAGMA shrink_memory');
    },
    close: () => database.close(),
  };
}
