// Bodies as shared transactions see them: columns of the row that they belong to.
import type { BlobStore } from '../../blob-store.ts';
import { sql } from '../../sql/database.ts';
import type { Bodies, BodyColumns } from '../../sql/pages/bodies.ts';
import type { Database } from '../database/database.ts';
import type { PostgresTx } from '../database/queries.ts';
import { createBodies } from './bodies.ts';

export function createPostgresBodies(database: Pick<Database, 'sql'>, blobs: BlobStore): Bodies {
  const bodies = createBodies(database, blobs);
  const whole = ({ blob = null, bytes = null }: BodyColumns) => ({ blob, bytes });
  return {
    columns: sql`blob, bytes`,
    reference: sql`blob`,
    target: sql`blob, bytes`,
    exists: sql`(blob IS NOT NULL OR bytes IS NOT NULL)`,
    columnsOf: (table) => sql`${table}.blob, ${table}.bytes`,
    columnsOfFirst: (table, otherwise) => sql`
      CASE WHEN ${table}.id IS NULL THEN ${otherwise}.blob ELSE ${table}.blob END AS blob,
      CASE WHEN ${table}.id IS NULL THEN ${otherwise}.bytes ELSE ${table}.bytes END AS bytes`,
    pack: bodies.pack,
    store: bodies.store,
    async adopt(path, size) {
      const { blob } = await bodies.adopt(path, size);
      return { blob, size };
    },
    whileNaming: (named, work) =>
      bodies.whileNaming(
        named.map((body) => ({ ...whole(body), size: body.size })),
        work,
      ),
    values: (_, { blob, bytes }) => sql`${blob}::text, ${bytes}::bytea`,
    // Where files are adopted, there may be no column for bytes.
    assign: (_, { blob, bytes }) => (bytes === undefined ? sql`blob = ${blob}` : sql`blob = ${blob}, bytes = ${bytes}`),
    read: (body) => bodies.read(whole(body)),
    readRaw: (body) => bodies.readRaw(whole(body)),
    remove: (tx, removed) => bodies.remove((tx as PostgresTx).sql, removed.map(whole)),
    expect: () => {},
  };
}
