// The bytes that belong to rows: of pages, results, entries, versions, files, profiles and uploads. SQLite has a table of bodies
// that rows refer to, PostgreSQL has columns in each row; what is large is in a blob. Only the dialects know the difference.
import type { Awaitable, Fragment, Tx } from '../database.ts';

/** A body as its row has it. A row without a body has only nulls. */
export interface BodyColumns {
  readonly bodyId?: number | null;
  readonly blob?: string | null;
  readonly bytes?: Uint8Array | null;
}

/** A body that is ready for its row. */
export interface NewBody {
  readonly size: number;
  readonly blob?: string | null;
  readonly bytes?: Uint8Array | null;
  /** Path of a file that becomes the body. */
  readonly path?: string;
}

/** Where to write and read the body of a row: parts of statements. */
export interface BodyParts {
  /** Columns to select for reading the body. */
  readonly columns: Fragment;
  /** Columns to select for removing the body, or for reading that of an adopted file. */
  readonly reference: Fragment;
  /** The columns of the first body, or of the second one if there is no such row. */
  columnsOfFirst(table: Fragment, otherwise: Fragment): Fragment;
  readonly exists: Fragment;
  /** Columns to insert into. */
  readonly target: Fragment;
}

export interface Bodies extends BodyParts {
  /** Compresses the bytes. Call it before the transaction, like `store` and `adopt`. */
  pack(bytes: Uint8Array): Awaitable<NewBody>;
  /** Keeps the bytes as they are. */
  store(bytes: Uint8Array): Awaitable<NewBody>;
  /** Takes over a file. */
  adopt(path: string, size: number): Awaitable<NewBody>;
  /** Runs the transaction that writes these bodies. Those that it did not write are removed, unless its end is unknown. */
  whileNaming<T>(bodies: readonly NewBody[], work: () => Promise<T>): Promise<T>;
  /** Writes the body. The fragment is the value of `target`, and has to be written to a row. */
  values(tx: Tx, body: NewBody): Fragment;
  /** The same for an UPDATE. */
  assign(tx: Tx, body: NewBody): Fragment;
  /** Decompressed. Undefined if it is lost or damaged: callers treat that like a missing row. */
  read(body: BodyColumns): Awaitable<Buffer | undefined>;
  /** As stored. */
  readRaw(body: BodyColumns): Awaitable<Uint8Array | undefined>;
  /** Call it after their rows were removed, in the same transaction. */
  remove(tx: Tx, bodies: readonly BodyColumns[]): Awaitable<void>;
  /** Announces bodies that are about to be read: what is elsewhere is fetched together. */
  expect(bodies: readonly BodyColumns[]): void;
}
