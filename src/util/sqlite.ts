// The one connection: typed statements, and transactions that files on disk can follow.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

export interface Statement<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  run(...values: SQLInputValue[]): { changes: number | bigint };
}

export interface Connection {
  /** `Row` is what the statement selects; nothing checks it but the tests. */
  prepare<Row>(sql: string): Statement<Row>;
  /** Runs `work` as one transaction that holds the write lock from its start. */
  transaction<T>(work: () => T): T;
  /** What has to follow the transaction under way, once it is sure how that ended. */
  afterCommit(task: () => void): void;
  afterRollback(task: () => void): void;
  close(): void;
}

export function createConnection(database: DatabaseSync): Connection {
  let onCommit: (() => void)[] = [];
  let onRollback: (() => void)[] = [];

  const settle = (tasks: (() => void)[]) => {
    onCommit = [];
    onRollback = [];
    for (const task of tasks) task();
  };

  return {
    prepare: <Row>(sql: string) => database.prepare(sql) as unknown as Statement<Row>,
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const value = work();
        database.exec('COMMIT');
        settle(onCommit);
        return value;
      } catch (error) {
        // On some errors (a full disk) SQLite has rolled back already.
        if (database.isTransaction) database.exec('ROLLBACK');
        settle(onRollback);
        throw error;
      }
    },
    afterCommit: (task) => onCommit.push(task),
    afterRollback: (task) => onRollback.push(task),
    close: () => database.close(),
  };
}
