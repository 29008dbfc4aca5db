// Copies one table in batches. Each batch and how far it came are one transaction, so a move that was killed goes on there.
import type { BlobStore } from '../../ports/files/blob-store.ts';
import type { PostgresDatabase } from '../../postgres/database/database.ts';
import type { TargetTable } from './database-target.ts';
import type { FolderSource } from './folder-source.ts';
import type { CellValue, TablePlan, TableRow } from './table-plan.ts';

export interface CopyDeps {
  source: FolderSource;
  database: PostgresDatabase;
  blobs: BlobStore;
  /** How many rows have been copied so far. */
  onProgress(table: string, copied: number, total: number): void;
}

const MAX_ROWS = 1_000;
/** With bodies of up to 64 KB in them. */
const MAX_BODY_ROWS = 100;
/** A query of PostgreSQL has at most 65,535 values. */
const MAX_VALUES = 60_000;
const BLOBS_AT_ONCE = 8;

interface Position {
  position: string;
  copied: number;
}

export const batchSize = ({ hasBody }: TablePlan, columns: number): number =>
  Math.min(hasBody ? MAX_BODY_ROWS : MAX_ROWS, Math.floor(MAX_VALUES / Math.max(1, columns)));

export async function copyTable(plan: TablePlan, table: TargetTable, deps: CopyDeps): Promise<void> {
  const { source, database, onProgress } = deps;
  const { name } = plan;
  const total = source.count(plan);
  const [known] = await database.sql<Position[]>`SELECT position, copied FROM folder_move_tables WHERE name = ${name}`;
  let after = known && (JSON.parse(known.position) as CellValue[]);
  let copied = known?.copied ?? 0;
  // Only the first batch of a move can have blobs of one that was killed.
  let mayBeLeft = true;
  for (;;) {
    const rows = source.read(plan, after, batchSize(plan, widthOf(plan, deps)));
    if (rows.length === 0) return;
    if (plan.hasBody) await copyBlobs(rows, deps, mayBeLeft);
    mayBeLeft = false;
    after = source.keyOf(plan, rows.at(-1)!);
    copied += rows.length;
    const position = JSON.stringify(after);
    await database.transaction(async (sql) => {
      await table.insert(sql, rows.map(table.convert));
      await sql`
        INSERT INTO folder_move_tables (name, position, copied) VALUES (${name}, ${position}, ${copied})
        ON CONFLICT (name) DO UPDATE SET position = excluded.position, copied = excluded.copied`;
    });
    onProgress(name, copied, total);
  }
}

/** Roughly how many values a row has. */
function widthOf(plan: TablePlan, { source }: Pick<CopyDeps, 'source'>): number {
  const [first] = source.read(plan, undefined, 1);
  return Object.keys(first ?? {}).length + 4;
}

/** Blobs are put before the rows that name them. Those that are not in the folder are in the object store, or lost. */
async function copyBlobs(rows: readonly TableRow[], { source, blobs }: CopyDeps, mayBeLeft: boolean): Promise<void> {
  const names = rows.map(({ blob }) => blob).filter((blob) => typeof blob === 'string');
  const files = names.flatMap((name) => {
    const file = source.blob(name);
    return file ? [{ name, file }] : [];
  });
  if (mayBeLeft && files.length > 0) await blobs.remove(files.map(({ name }) => name));
  for (let at = 0; at < files.length; at += BLOBS_AT_ONCE)
    await Promise.all(files.slice(at, at + BLOBS_AT_ONCE).map(({ name, file }) => blobs.put(name, file)));
}
