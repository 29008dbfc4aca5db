// Bodies as shared transactions see them: a row has the id of its body. Compressed at once, since nobody else waits in the
// store thread; files follow the transaction of their row.
import { assert } from '../../../util/assert.ts';
import { compressBytes } from '../../encoding/compress.ts';
import { sql, type Tx } from '../../sql/database.ts';
import type { Bodies, BodyColumns, NewBody } from '../../sql/pages/bodies.ts';
import type { SqliteTx } from '../database/database.ts';
import { type Body, type StoredBodies, sizeOf } from './bodies.ts';

export interface SqliteBodies extends Bodies {
  /** The body as stored, without reading a large one. Undefined if it is lost, or truncated after a power cut. */
  locate(body: BodyColumns, size: number): Body | undefined;
}

const storeBytes = (bytes: Uint8Array): NewBody => ({ bytes, size: bytes.byteLength });
const TARGET = sql`body_id`;
const COLUMNS = sql`body_id AS "bodyId"`;

export function createSqliteBodies(rows: StoredBodies): SqliteBodies {
  const write = (tx: Tx, { bytes, path }: NewBody): number => {
    (tx as SqliteTx).assertOpen();
    if (path !== undefined) return rows.adopt(path);
    assert(bytes, 'A body is bytes or a file.');
    return rows.add(bytes);
  };
  const idOf = ({ bodyId }: BodyColumns) => bodyId ?? undefined;

  return {
    columns: COLUMNS,
    reference: COLUMNS,
    target: TARGET,
    exists: sql`body_id IS NOT NULL`,
    columnsOfFirst: (table, otherwise) => sql`coalesce(${table}.body_id, ${otherwise}.body_id) AS "bodyId"`,
    pack: (bytes) => storeBytes(compressBytes(bytes)),
    store: storeBytes,
    adopt: (path, size) => ({ path, size }),
    whileNaming: (_, work) => work(),
    values: (tx, body) => sql`${write(tx, body)}`,
    assign: (tx, body) => sql`body_id = ${write(tx, body)}`,
    read: (body) => {
      const id = idOf(body);
      return id === undefined ? undefined : rows.read(id);
    },
    readRaw: (body) => {
      const id = idOf(body);
      return id === undefined ? undefined : rows.readRaw(id);
    },
    remove(tx, bodies) {
      (tx as SqliteTx).assertOpen();
      for (const id of bodies.map(idOf)) if (id !== undefined) rows.remove(id);
    },
    expect: (bodies) => rows.expect(bodies.map(({ bodyId = null }) => bodyId)),
    locate(columns, size) {
      const id = idOf(columns);
      const body = id === undefined ? undefined : rows.locate(id);
      return body && sizeOf(body) === size ? body : undefined;
    },
  };
}
