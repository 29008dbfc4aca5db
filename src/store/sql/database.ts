// The database as transactions see it that are written once for both dialects. SQL is written as PostgreSQL reads it, in the
// part of its language that SQLite has, too; what the two spell differently is in sqlite/dialect.ts.

/** What is ready at once in SQLite, and answered later by PostgreSQL. */
export type Awaitable<T> = T | PromiseLike<T>;

/** A part of a statement: ``sql`...` ``. */
export class Fragment {
  readonly strings: TemplateStringsArray;
  readonly values: readonly SqlValue[];

  constructor(strings: TemplateStringsArray, values: readonly SqlValue[]) {
    this.strings = strings;
    this.values = values;
  }
}

/** Lists are for `= ANY(${list})` and `unnest(${list}::text[]) AS name (column)`. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Uint8Array
  | readonly string[]
  | readonly number[]
  | Fragment;

/** A boolean column: SQLite has only numbers. */
export type BooleanColumn = boolean | 0 | 1;

export const sql = (strings: TemplateStringsArray, ...values: SqlValue[]): Fragment => new Fragment(strings, values);

/** Runs statements, each a template: ``rows<Row>`SELECT ... ${value}` ``. `Row` is what the statement selects; only tests check it. */
export interface Queries {
  rows<Row>(strings: TemplateStringsArray, ...values: SqlValue[]): Awaitable<Row[]>;
  one<Row>(strings: TemplateStringsArray, ...values: SqlValue[]): Awaitable<Row | undefined>;
  /** Returns how many rows were changed. */
  run(strings: TemplateStringsArray, ...values: SqlValue[]): Awaitable<number>;
  /** Runs an INSERT of one row and returns the `id` that it got. */
  add(strings: TemplateStringsArray, ...values: SqlValue[]): Awaitable<number>;
  /** Adds rows in this order. All have the same columns. */
  insert(table: string, rows: readonly Readonly<Record<string, ColumnValue>>[]): Awaitable<void>;
}

export type ColumnValue = string | number | boolean | null | undefined;

/** A transaction. It may wait for nothing but its own statements: in SQLite, nobody else can use the database meanwhile. */
export interface Tx extends Queries {
  /** Waits until no other transaction has the lock of this name, and keeps it until the end of this one. */
  lock(...name: string[]): Awaitable<void>;
}

export interface Database extends Queries {
  /**
   * What is read to be changed must be locked (FOR UPDATE). The work may be run again after a deadlock, so it may change nothing
   * but rows.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A write that is left out if it is impossible at the moment, because what it belongs to must not fail with it. */
  attempt(write: () => Awaitable<unknown>): Promise<void>;
}

/** Removes at most `limit` entries and returns how many it removed. */
export type Remover = (now: number, limit: number) => Awaitable<number>;

export interface Sweeper {
  /** Runs rounds until nothing is left or the limit for one call is reached; the next call continues. */
  sweep(now: number): Promise<void>;
  /** Lets running sweeps end after their current round. */
  stop(): Promise<void>;
}
